warpscape sweep --help
