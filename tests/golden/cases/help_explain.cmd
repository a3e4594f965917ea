warpscape explain --help
