warpscape submit --help
