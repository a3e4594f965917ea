warpscape run gtx480-accelsim --depth timing --workload BACKPROP:n=1024 --timeline=12
warpscape run gtx480-accelsim --depth timing --workload BACKPROP:n=1024 --timeline=3 --format md
