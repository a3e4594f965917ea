warpscape run cpwc-example -w traces/cpwc-example.addr --trace-steps
