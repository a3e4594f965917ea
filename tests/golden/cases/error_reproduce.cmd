warpscape reproduce reus
warpscape reproduce reuse -t run
warpscape reproduce reuse -w gemn
warpscape reproduce cpwc -t bit
warpscape reproduce cpwc --only gemm
warpscape reproduce accelsim --full
WARPSCAPE_SHARED=/nowhere warpscape reproduce accelsim
printf 'run,family\n' >"$WORK/runs.csv"
WARPSCAPE_SHARED="$WORK" warpscape reproduce accelsim --runs "$WORK/runs.csv"
warpscape reproduce accelsm
