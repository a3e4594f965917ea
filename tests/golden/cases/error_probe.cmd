warpscape probe gtx480 -s l1d.enabled=off
warpscape probe -s l1d.ways=5
warpscape probe --table strides
