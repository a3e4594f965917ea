warpscape params l1d.mshr
