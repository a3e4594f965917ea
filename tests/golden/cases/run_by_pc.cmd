warpscape run --depth reuse --workload 2DCONV:n=64 --by-pc
