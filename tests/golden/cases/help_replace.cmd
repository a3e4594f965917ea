warpscape replace --help
