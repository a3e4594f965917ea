warpscape metrics --help
