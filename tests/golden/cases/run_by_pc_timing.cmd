warpscape run gtx480-accelsim --depth timing --workload 2DCONV:n=64 --by-pc
