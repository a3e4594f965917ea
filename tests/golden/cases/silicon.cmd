warpscape silicon --only 'v100 sum_reduction' -t rows --depth functional
warpscape silicon --only h060 -t summary -f csv
warpscape silicon --only 'h034' -t rows -f md
warpscape silicon --only 'matrix_add' -t order -f json
warpscape silicon --only h001 -t sources -f csv
warpscape silicon --only h060 -j 1 >"$WORK/one"
warpscape silicon --only h060 -j 2 | cmp - "$WORK/one" && cat "$WORK/one"
warpscape silicon --only 'no such gpu'
warpscape silicon -t nothing
warpscape silicon -t latencies --only 'a40 l1'
warpscape silicon -t bandwidths --only "titan v" -j 1
