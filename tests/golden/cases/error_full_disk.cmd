warpscape run -w 2DCONV:n=16 --format csv >/dev/full
