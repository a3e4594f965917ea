# A chain of loads, in which runs without a limit save what the path says.
warpscape causes gtx480 -w CHASE:steps=200 -s tlb.enabled=no --limits -n 4
# An event and its cone, and one launch of several.
warpscape causes gtx480 -w GEMM:n=16 --event loaded*5 --from 1000 --sm 0 -n 5
warpscape causes gtx480 -w ATAX:nx=32,ny=32 --launch 1 -f csv
