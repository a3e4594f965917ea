warpscape show --help
