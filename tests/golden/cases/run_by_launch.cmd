warpscape run gtx480-accelsim --depth timing --workload BACKPROP:n=1024 --by-launch --format csv | cut -d, -f1-6,11-15,16-24
