warpscape reproduce bypass -t loads -w 2DCONV -j 1 >"$WORK/one"
XDG_CACHE_HOME="$WORK/cache" warpscape reproduce bypass -t loads -w 2DCONV -j 2 | cmp - "$WORK/one" && cat "$WORK/one"
warpscape reproduce bypass -t size -w 2DCONV
warpscape reproduce bypass -t pcs -w 2DCONV -f csv
warpscape reproduce bypass -t all -w spmv -f csv | grep -E '^(program|spmv,gto,(never|sampled),)'
warpscape reproduce bypass -t bounds -w spmv -f csv
warpscape reproduce bypass -t stall
warpscape reproduce bypass -w GEM
