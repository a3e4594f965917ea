warpscape machines --help
