warpscape params --help
