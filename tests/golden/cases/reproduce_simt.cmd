warpscape reproduce simt -w matmul -j 1 >"$WORK/one"
XDG_CACHE_HOME="$WORK/cache" warpscape reproduce simt -w matmul -j 2 | cmp - "$WORK/one" && cat "$WORK/one"
warpscape reproduce simt -w fft -t small -f csv
warpscape reproduce simt -w loop -t fpga -f md
warpscape reproduce simt -w loop -t numbers -f csv | grep -c ',agrees'
warpscape reproduce simt -w matmull
