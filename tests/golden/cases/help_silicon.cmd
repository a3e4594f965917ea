warpscape silicon --help
