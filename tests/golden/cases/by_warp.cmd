warpscape run simt-processor -w simt-matmul:warps=4,lanes=4 --depth timing --by-warp
warpscape run simt-processor -w simt-vertex:n=64,blocks=4 --depth timing --by-block -f csv
warpscape run gtx480-accelsim -w 2DCONV:n=64 --depth timing --by-block -f json | head -c 300
warpscape run gtx480 -w 2DCONV --by-warp
warpscape run gtx480 -w 2DCONV --depth timing --by-warp --by-block
warpscape run simt-processor -w 2DCONV:n=64 -s gpu.address_bits=20
warpscape run simt-processor -w 2DCONV:n=64 -s gpu.address_bits=20 --depth timing
warpscape run gtx480 -w 2DCONV:n=64 -s gpu.address_bits=20 --depth reuse
warpscape run simt-processor -w simt-loop:blocks=4 -s l1i.block_stride=1GiB -s gpu.address_bits=31
warpscape run simt-processor -w simt-loop:blocks=4 -s l1i.block_stride=1GiB -s gpu.address_bits=31 --depth timing
