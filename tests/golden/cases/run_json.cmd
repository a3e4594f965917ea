warpscape run --workload 2DCONV:n=64 --format json
