warpscape completion --help
