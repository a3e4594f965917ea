warpscape machine --help
