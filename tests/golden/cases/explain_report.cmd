# An explanation as a document: headings, the memory chart with what its limits save, no overwriting.
warpscape explain gtx480 -w GEMM:n=16 -s gpu.sms=1 --what ladder --no-cache --report "$WORK/why.html"
grep -c '<svg' "$WORK/why.html"
grep -o '<h2>[^<]*' "$WORK/why.html"
grep -o '>saves [^<]*' "$WORK/why.html"
warpscape explain gtx480 -w GEMM:n=16 -s gpu.sms=1 --what ladder --no-cache --report "$WORK/why.html"
warpscape explain gtx480 -w GEMM:n=16 -s gpu.sms=1 --what ladder --no-cache -n 2 --report "$WORK/why.md"
sed -n 1,12p "$WORK/why.md"
grep -A 5 "^## Pairs" "$WORK/why.md"
warpscape explain gtx480 -w GEMM:n=16 --report "$WORK/why.md" -f csv
