warpscape simt --help
