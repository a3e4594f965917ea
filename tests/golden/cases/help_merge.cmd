warpscape merge --help
