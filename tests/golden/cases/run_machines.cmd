# Several machines stand side by side, each with the settings; the best of each metric is named.
warpscape run gtx480 gtx480-48k cpwc-gtx480 -w GEMM:n=64 -s l1d.replacement=fifo | grep -E 'workload|with|metric|l1d.miss_rate|saved|total.area|note'
warpscape run gtx480 gtx480-48k -w GEMM:n=32 -f csv | grep -E 'metric|l1d.accesses|l1d.size|total.bits'
warpscape run gtx480 gtx480 -w GEMM:n=32
warpscape run gtx480 gtx480-48k -w GEMM:n=32 --by-pc
warpscape run gtx480 gtx480-48k -w GEMM:n=32 -s l1d.ways=2
warpscape run gtx480 nowhere gtx480-48 -w GEMM:n=32
warpscape run tile-gpu gtx480 -w GEMM:n=32
