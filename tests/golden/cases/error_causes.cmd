warpscape causes gtx480 -w GEMM:n=16 --event l1d_mis
warpscape causes gtx480 -w GEMM:n=16 --event 'issue*0'
warpscape causes gtx480 -w GEMM:n=16 --event barrier
warpscape causes gtx480 -w GEMM:n=16 --launch 1
warpscape causes gtx480 -w GEMM:n=16 --launch 0 --limits
warpscape causes gtx480 -w GEMM:n=16 --address here --event request
warpscape causes gtx480 -w GEMM:n=16 --memory 10KiB
warpscape causes tile-gpu
