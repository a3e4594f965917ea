# The ladder: rungs add up to the bound, and a limit alone is what run --ideal says.
warpscape explain gtx480 -w GEMM:n=16 -s gpu.sms=4 --what ladder --no-cache
warpscape explain gtx480 -w GEMM:n=16 -s gpu.sms=4 --what ladder --no-cache -f csv | grep limit,l2.latency
warpscape run gtx480 -w GEMM:n=16 -s gpu.sms=4 --depth timing --ideal l2.latency -f csv | grep core.time
