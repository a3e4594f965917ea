warpscape causes --help
