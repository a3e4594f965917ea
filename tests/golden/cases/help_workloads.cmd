warpscape workloads --help
