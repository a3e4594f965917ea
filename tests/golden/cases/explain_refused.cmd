warpscape explain gtx480 -w GEMM:n=16 --metric core.cicles
warpscape explain gtx480 -w GEMM:n=16 --metric l1d.accesses
warpscape explain gtx480 -w GEMM:n=16 --metric core.time --depth functional
warpscape explain gtx480 -w GEMM:n=16 -s gpu.max_threads=32 --no-cache
warpscape explain gtx480 -w GEMM:n=512 --time-limit 1s --no-cache
