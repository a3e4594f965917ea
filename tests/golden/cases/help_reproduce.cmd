warpscape reproduce --help
