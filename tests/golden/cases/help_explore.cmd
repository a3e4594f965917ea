warpscape explore --help
