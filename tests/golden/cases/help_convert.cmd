warpscape convert --help
