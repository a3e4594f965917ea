warpscape bench --help
