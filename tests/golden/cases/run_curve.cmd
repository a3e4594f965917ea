warpscape run --workload 2DCONV:n=128 --set l1d.index=linear --curve l1d.size=2KiB..128KiB
