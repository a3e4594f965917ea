# Backwards: the cheapest machine that satisfies a wish, and its twin, the best in a budget.
warpscape want gtx480 -w GEMM:n=16 'core.ipc >= 0.14 min total.area' --no-cache -j 1 -n 2
warpscape want gtx480 -w GEMM:n=16 'max core.ipc with total.area <= 3.5' --over l1d.size,l1d.mshr.merge=1,4,8,l2.size=192KiB..768KiB*2 --no-cache -j 1 -n 2
# Without time, as Markdown, JSON and CSV; a graphics processor; what cannot be; what was not proved.
warpscape want gtx480 -w ATAX:n=96 'l1d.miss_rate <= 50%, l2.ways = 8 min total.bits' --depth functional --over l1d.size,l2.size,l2.ways=4,8 --no-cache -j 1 -n 1 -f md
warpscape want tile-gpu 'max tile.hit_rate with total.bits <= 100000' --depth functional --over tile.size,tile.banks --no-cache -j 1 -n 9 -f json
warpscape want gtx480 -w ATAX:n=96 'min l1d.misses' --depth reuse --over l1d.size,l1d.ways=2,4,8 --no-cache -j 1 -f csv
warpscape want gtx480 -w GEMM:n=16 'core.ipc >= 8 min total.area' --over l1d.mshr.merge=1,8 --no-cache -j 1
warpscape want gtx480 -w GEMM:n=16 'core.ipc >= 0.58 min total.area' --over l1d.mshr.merge=1,2,4,8,l1d.mshr.entries=8,16,32,64,l1d.size=8KiB,16KiB,l1d.ways=2,4 --no-cache -j 1 --points 16 -n 1
warpscape want gtx480 -w GEMM:n=16 -w ATAX:n=64 --depth functional 'l1d.miss_rate <= 50% min total.area' --over l1d.size=4KiB..32KiB,l1d.ways=2,4 --no-cache -j 1
