# A sweep that a search left at a few points: shares are estimates, and what the points do not tell is not told; areas are known of all points.
cat > "$WORK/s.yaml" <<'YAML'
machine: gtx480
set: {l1d.index: linear}
workloads: ['ATAX:n=96']
axes:
  l1d.size: [4KiB, 8KiB, 16KiB, 32KiB]
  l1d.ways: [1, 2, 4, 8]
  l1d.index: [linear, xor]
  tlb.entries: [64, 128, 256]
objectives: [l1d.misses, total.area]
YAML
warpscape sweep "$WORK/s.yaml" --search random --points 24 --store "$WORK/s.db" >/dev/null 2>&1
warpscape importance "$WORK/s.db" | sed 's/[0-9.]*% *+- *[0-9.]*%/SHARE/; s/ [ 0-9.]*%//; s/  *[0-9.]*mm2//g'
warpscape importance "$WORK/s.db" --where "l1d.ways = 2" --metric l1d.misses -f csv | sed 's/,.*//' | sort | uniq -c
warpscape report "$WORK/s.db" -f md | sed -n '/^| l1d.index/p; /^The share of/p; /^It depends/p; /is that of all/p'
