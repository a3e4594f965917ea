# A machine whose SMs are slow beside its DRAM takes long, and says so before; 100 MHz are not that slow.
for clock in 10MHz 100MHz; do
    warpscape run gtx480 -w GEMM:ni=16,nj=16,nk=16 --depth timing -s gpu.clock=$clock 2>&1 >/dev/null
done
