warpscape compare --help
