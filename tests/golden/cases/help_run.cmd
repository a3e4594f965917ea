warpscape run --help
