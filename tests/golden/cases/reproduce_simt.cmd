warpscape reproduce simt -w matmul -j 1 >"$WORK/one"
warpscape reproduce simt -w matmul -j 2 | cmp - "$WORK/one" && cat "$WORK/one"
warpscape reproduce simt -w fft -t small -f csv
warpscape reproduce simt -w loop -t fpga -f md
warpscape reproduce simt -w loop -t numbers -f json | tr ',' '\n' | grep -c '"verdict":"agrees"'
warpscape reproduce simt -w matmull
