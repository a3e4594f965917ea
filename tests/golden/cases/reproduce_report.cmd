warpscape reproduce cpwc -w gramschmidt --report "$WORK/r.md"
sed -n '1,/^## The paper/p' "$WORK/r.md"
sed -n '/^## Figure/,$p' "$WORK/r.md"
warpscape reproduce cpwc -w gramschmidt --report "$WORK/r.html"
grep -c '<svg' "$WORK/r.html"
warpscape reproduce cpwc --report "$WORK/r.md"
warpscape reproduce cpwc --report "$WORK/x.md" -t hits
warpscape reproduce accelsim --time-limit 1h
