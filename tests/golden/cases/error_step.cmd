warpscape step gtx480 -w GEMM:n=32 --at next:l1d_mis
warpscape step gtx480 -w GEMM:n=32 --at sideways
warpscape step gtx480 -w GEMM:n=32 --at next:mis
warpscape step gtx480 -w GEMM:n=32 --at prvious:miss
warpscape step gtx480 -w GEMM:n=32 --at 10,launch:1
warpscape step gtx480 -w GEMM:n=32 --at next:issue*0
warpscape step gtx480 -w GEMM:n=32 --at previous:issue
warpscape step gtx480 -w GEMM:n=32 --sm 15
warpscape step gtx480 -w GEMM:n=32 --cache-set l1d:0:999
warpscape step gtx480 -w GEMM:n=32 --cache-set l1i:0:0
warpscape step gtx480 -w GEMM:n=32 --address here
warpscape step gtx480 -w GEMM:n=32 --memory much
warpscape step gtx480 -w cpwc-example.addr
warpscape step gtx480 -w GEMM:n=32 --at instruction:6
warpscape step tile-gpu --at launch:0
warpscape step tile-gpu --at pass:7
warpscape step tile-gpu --at next:issue
warpscape step tile-gpu --sm 0
warpscape step tile-gpu --bank 4
warpscape step gtx480 -w GEMM:n=32 --bank 0
warpscape step gtx480 -w GEMM:n=32 --at pass:0
warpscape step tile-gpu -s tile.queue.kind=binned
