warpscape run --depth reuse --workload ATAX:n=64 --set l1d.reuse.mode=published --histogram --format csv | tail -n 3
