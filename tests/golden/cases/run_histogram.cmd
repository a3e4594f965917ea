warpscape run --depth reuse --workload 2DCONV:n=64 --histogram
