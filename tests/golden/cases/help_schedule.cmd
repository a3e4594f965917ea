warpscape schedule --help
warpscape help schedule | head -2
