warpscape export --help
