# What a machine is explored with stands in its file, for every command and the explorer.
for machine in simt-processor tile-gpu reuse-gtx470-16k cpwc-example; do
    echo "== $machine"
    warpscape run $machine --needs fast | sed -n '/^workload/p'
    warpscape run $machine --needs fast | grep -oE '(functional|timing|reuse)$' | sort -u
    echo quit | warpscape $machine --plain | head -n 1
done
warpscape run </dev/stdin configs/machines/simt-processor.yaml | sed -n '/^workload/p'
warpscape step simt-processor --at 100 | head -n 1
warpscape causes simt-processor | head -n 1
warpscape diff simt-processor --change l1d.size=16KiB | head -n 2
warpscape explain cpwc-example --depth functional --what ladder | head -n 1
warpscape want cpwc-example --depth functional 'min walk.accesses_per_walk' --over pwc.entries | sed -n 1p
warpscape tile --map banks | head -n 1
warpscape tile gtx480
