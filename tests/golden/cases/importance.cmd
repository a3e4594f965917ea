cat > "$WORK/s.yaml" <<'YAML'
machine: gtx480
set: {l1d.index: linear}
workloads: ['ATAX:n=96']
axes:
  l1d.size: [4KiB, 8KiB, 16KiB]
  l1d.ways: [2, 4]
  tlb.entries: [64, 128]
objectives: [l1d.misses, total.area]
YAML
warpscape sweep "$WORK/s.yaml" --store "$WORK/s.db" >/dev/null
warpscape importance "$WORK/s.db"
warpscape importance "$WORK/s.db" --metric l1d.misses --values
warpscape importance "$WORK/s.db" --metric l1d.misses --where "l1d.ways = 2 or l1d.size = 4KiB" --format csv
warpscape importance "$WORK/s.db" --metric l1d.mises
warpscape importance "$WORK/s.db" --metric l2.misses
