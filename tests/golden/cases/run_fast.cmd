warpscape run --workload 2DCONV:n=64 --needs fast --set l2.enabled=off
