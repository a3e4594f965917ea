warpscape trace --help
