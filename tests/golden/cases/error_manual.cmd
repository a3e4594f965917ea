warpscape metrics l1d.mis_rate; warpscape params l1d.sise
warpscape metrics l1x; warpscape params l1x.size; warpscape ideals walkr
warpscape help l1d.sise; warpscape help l1d.mis_rate; warpscape help l1d.hit; warpscape help no.such
