warpscape reproduce reuse -w corr -t workloads -f md
warpscape reproduce reuse -w corr -t mshrs_published -f csv
