warpscape watch --help
