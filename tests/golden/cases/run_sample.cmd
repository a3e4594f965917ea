warpscape run --workload 2DCONV:n=2048 --needs fast --sample 5%
warpscape run -w 2DCONV:n=256 --sample 5% | grep sample
warpscape run --depth timing -w GEMM:n=64 --sample 5% -f json | grep -o "[^\"]*to sample[^\"]*"
