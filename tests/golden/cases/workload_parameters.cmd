warpscape run -w 2DCONV:n=12,m=4
warpscape run -w 2DCNV
