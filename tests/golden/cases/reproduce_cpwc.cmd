warpscape reproduce cpwc -t example
warpscape reproduce cpwc -t bits -f md
warpscape reproduce cpwc -t entries
warpscape reproduce cpwc -t redundancy -f csv
warpscape reproduce cpwc -w hotspot -j 1 >"$WORK/one"
warpscape reproduce cpwc -w hotspot -j 2 | cmp - "$WORK/one"
warpscape reproduce cpwc -w hotspot -t indices
warpscape reproduce cpwc -w gramschmidt -t accesses -f json
