warpscape run rtx2060 -w ATAX:nx=64,ny=64 --by-launch
warpscape run rtx2060 -w ATAX:nx=64,ny=64 --by-launch -f csv
warpscape run rtx2060 -w ATAX:nx=64,ny=64,kernel=atax_kernel2 --by-launch -f csv | cut -d, -f1-3
warpscape run rtx2060 -w ATAX:nx=64,ny=64 -f csv | grep -E '^(l1d|l2|tlb|l2tlb)[.](accesses|misses),'
warpscape run rtx2060 -w ATAX:nx=64,ny=64,kernel=atax_kernel1 -f csv | grep -E '^(l1d|l2|tlb|l2tlb)[.](accesses|misses),'
warpscape run rtx2060 -w ATAX --by-launch --depth reuse
warpscape run rtx2060 -w ATAX --by-warp
