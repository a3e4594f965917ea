warpscape params l1d.index --format csv
