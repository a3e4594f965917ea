warpscape want --help
