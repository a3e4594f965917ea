warpscape reproduce reuse -w corr -t workloads -f md
warpscape reproduce reuse -w corr -t runs -f csv | grep -E '^(experiment|base)'
