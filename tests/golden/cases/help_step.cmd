warpscape step --help
