warpscape reproduce cpwc -t bits -f md
warpscape reproduce cpwc -w hotspot -j 1 >"$WORK/one"
XDG_CACHE_HOME="$WORK/cache" warpscape reproduce cpwc -w hotspot -j 2 | cmp - "$WORK/one"
warpscape reproduce cpwc -w hotspot -t indices
warpscape reproduce cpwc -w RAY -t readings
warpscape reproduce cpwc -w gramschmidt -t accesses -f json
