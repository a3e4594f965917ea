warpscape --help
