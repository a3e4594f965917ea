warpscape bench evalaute
