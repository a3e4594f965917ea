warpscape run cpwc-example -w traces/cpwc-example.addr --set pwc.organization=uptc --trace-steps=2
warpscape run cpwc-example --workload traces/cpwc-example.addr --trace-steps=1
