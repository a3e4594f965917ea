warpscape tile --help
