warpscape diff --help
