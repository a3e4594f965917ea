warpscape run cpwc-example -w traces/cpwc-example.addr --set pwc.organization=uptc --trace-steps=2
