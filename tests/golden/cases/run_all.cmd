warpscape run --workload 2DCONV:n=64 --opt --set tlb.enabled=off
