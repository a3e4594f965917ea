warpscape run --workload 2DCONV:n=2048 --needs fast --sample 5%
