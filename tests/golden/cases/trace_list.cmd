warpscape trace list traces/gather.traceg.xz --block 7 --warp 3 --limit 3
warpscape trace list traces/sort-lackey.wtr --limit 4 --format csv
# A number beyond the last one says how many there are.
for beyond in '--launch 9' '--block 256' '--warp 8'; do
    warpscape trace list 2DCONV:n=64 $beyond
done
warpscape trace list traces/gather.traceg.xz --block 7 --warp 99
