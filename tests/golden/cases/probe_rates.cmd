# Bandwidths and what loads cost over the places of their lanes, of a small machine.
small="-s gpu.sms=2 -s l2.slices=2 -s l2.size=64KiB -s l2.ways=8 -s l2.port=4B"
warpscape probe -t rates gtx480 $small
warpscape probe -t rates gtx480 $small -s l1d.enabled=no -f csv
warpscape probe -t coalescing rtx3070 -s gpu.sms=1 -f md
warpscape probe -t bandwidth
