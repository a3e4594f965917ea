warpscape run --trace-steps=0
warpscape run --trace-steps --depth timing
warpscape run --trace-steps --set tlb.enabled=no
