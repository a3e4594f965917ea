warpscape probe gtx480 --table levels -s gpu.sms=1 -s l1d.size=1KiB -s l1d.index=linear -s l2.slices=2 -s l2.size=16KiB -s l2.ways=8 -s tlb.entries=6 -s page.size=64KiB
