warpscape report --help
