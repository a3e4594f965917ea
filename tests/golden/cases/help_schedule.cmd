warpscape schedule --help
