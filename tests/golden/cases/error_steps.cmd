warpscape run --trace-steps=0
warpscape run --trace-steps --format json
warpscape run --trace-steps --set tlb.enabled=no
