warpscape probe --help
