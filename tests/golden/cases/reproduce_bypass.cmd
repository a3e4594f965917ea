warpscape reproduce bypass -t orders
warpscape reproduce bypass -t verdicts -w 2DCONV -j 1 >"$WORK/one"
warpscape reproduce bypass -t verdicts -w 2DCONV -j 2 | cmp - "$WORK/one" && cat "$WORK/one"
warpscape reproduce bypass -t size -w 2DCONV
warpscape reproduce bypass -t pcs -w 2DCONV -f csv
warpscape reproduce bypass -t all -w spmv -f csv | grep -E '^(program|spmv,gto,(never|sampled),)|best list|optimum'
warpscape reproduce bypass -t stall
warpscape reproduce bypass -w GEM
