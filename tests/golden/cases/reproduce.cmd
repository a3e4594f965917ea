warpscape reproduce
warpscape reproduce reuse --workload 3dconv -j 1 >"$WORK/one"
XDG_CACHE_HOME="$WORK/cache" warpscape reproduce reuse --workload 3dconv -j 2 | cmp - "$WORK/one" && cat "$WORK/one"
