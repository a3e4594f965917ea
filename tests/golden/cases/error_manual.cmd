warpscape metrics l1d.mis_rate; warpscape params l1d.sise
