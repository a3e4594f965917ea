# A limit alone is what run --ideal says; the JSON and the property tests hold the rungs.
warpscape explain gtx480 -w GEMM:n=16 -s gpu.sms=4 --what ladder --no-cache -f csv | grep limit,l2.latency
warpscape run gtx480 -w GEMM:n=16 -s gpu.sms=4 --depth timing --ideal l2.latency -f csv | grep core.time
