warpscape area --help
