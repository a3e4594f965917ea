warpscape run --workload 2DCONV:n=64 --set l1d.size=32KiB --baseline gtx480
