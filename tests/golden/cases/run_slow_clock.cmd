# A machine whose SMs are slow beside its DRAM takes long, and says so before; 100 MHz are not that slow.
for clock in 10MHz 100MHz; do
    warpscape run gtx480 -w GEMM:ni=16,nj=16,nk=16 --depth timing -s gpu.clock=$clock 2>&1 >/dev/null
done
# So does the machine that another one is compared with.
sed 's/clock: 700MHz.*/clock: 10MHz/' configs/machines/gtx480.yaml > "$WORK/slow.yaml"
warpscape run gtx480 -w GEMM:ni=16,nj=16,nk=16 --depth timing --baseline "$WORK/slow.yaml" 2>&1 >/dev/null
# The explorer says it once for each machine, not with every change of it.
printf '%s\n' 'depth timing' 'set gpu.clock 10MHz' 'set l1d.ways 2' 'set l1d.ways 4' "machine! $WORK/slow.yaml" 'set l1d.ways 2' 'quit!' |
    warpscape explore gtx480 -w GEMM:ni=16,nj=16,nk=16 --plain | grep -c '^gpu.clock is 10MHz'
