warpscape importance --help
