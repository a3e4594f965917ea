# Searches on a table that a sweep has filled.
cat >"$WORK/s.yaml" <<END
machine: gtx480
set: {l1d.index: linear}
workloads: ["ATAX:n=64"]
axes:
  l1d.size: [4KiB, 8KiB, 16KiB, 32KiB]
  l1d.ways: [1, 2, 4, 8]
  l1d.replacement: [lru, fifo, random]
  l2.size: [192KiB, 384KiB, 768KiB]
  tlb.entries: [16, 32, 64]
objectives: [l1d.misses, total.area]
END
warpscape sweep "$WORK/s.yaml" --no-cache -o "$WORK/s.db" >/dev/null 2>&1
warpscape show "$WORK/s.db" -f csv -n 0 >"$WORK/s.csv"
warpscape bench search --table "$WORK/s.csv" --objectives min:l1d.misses,min:total.area --ignore id --points 20
warpscape bench search --table "$WORK/s.csv" --objectives min:l1d.misses,min:total.area --ignore id --seeds 1 -f csv
cd "$WORK"
warpscape bench search --table s.csv --objectives min:l1d.mises --ignore id
warpscape bench search --table s.csv --objectives l1d.misses
warpscape bench search --table s.csv --objectives min:l1d.misses --points 1000
warpscape bench search --table nosuch.csv --objectives min:l1d.misses
warpscape bench search --objectives min:l1d.misses; echo $?
warpscape bench --table s.csv
# The seed of a search, on the command line.
cd "$WORK"
warpscape sweep s.yaml --search random --points 5 --seed 3 --no-cache -o r3.db >/dev/null 2>&1; warpscape show r3.db -f csv -n 0 | cut -d, -f1
warpscape sweep s.yaml --search random --points 5 --seed x --no-cache -o r4.db
