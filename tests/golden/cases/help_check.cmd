warpscape check --help
