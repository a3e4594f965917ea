# What times cannot tell.
warpscape probe gtx480 -s l1d.reuse.latency=0 | sed -n '3,16p'
warpscape probe gtx480 -s l1d.reuse.latency_sigma=90 -s l1d.ways=1 -s l1d.index=linear | sed -n '3,16p'
warpscape probe a100 -s l1d.index=linear -s l1d.ways=64 -s gpu.shared_options=[0,8KiB,16KiB,32KiB,64KiB,164KiB] -s l1d.replacement=fifo | grep -E '^(capacity|ways|replacement|note)'
