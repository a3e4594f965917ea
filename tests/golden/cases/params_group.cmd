warpscape params l1d.mshr
warpscape params technology -f csv | head -4
