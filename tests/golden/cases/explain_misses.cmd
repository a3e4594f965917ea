# Without time there are misses, and Markdown is as good.
warpscape explain gtx480 -w ATAX:n=256 -s l2.size=96KiB --depth functional --what levers -n 4 -f md --no-cache
