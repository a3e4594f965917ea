warpscape metrics walk
warpscape metrics stall
warpscape metrics STALL.mem -f csv
warpscape metrics no.such
