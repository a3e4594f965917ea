warpscape reproduce reus
warpscape reproduce reuse -t run
warpscape reproduce reuse -w gemn
warpscape reproduce cpwc -t bit
