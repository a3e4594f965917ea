# The levers of a small run: the free ones first; the second command repeats a number of the first.
warpscape explain gtx480 -w GEMM:n=16 -s gpu.sms=4 -n 3 --what levers --no-cache
warpscape explain gtx480 -w GEMM:n=16 -s gpu.sms=4 --what levers -f csv --no-cache >"$WORK/levers.csv"
grep 'network.kind=crossbar,' "$WORK/levers.csv"
warpscape run gtx480 -w GEMM:n=16 -s gpu.sms=4 --depth timing -s network.kind=crossbar -f csv | grep core.time
