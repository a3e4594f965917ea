warpscape params -f csv | cut -d, -f1
