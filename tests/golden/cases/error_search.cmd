cat > "$WORK/s.yaml" <<'YAML'
machine: gtx480
workloads: ['ATAX:n=96']
axes:
  l1d.ways: [2, 4]
objectives: [l1d.misses]
search: {nsga2: {populaton: 20, evaluations: none}}
YAML
warpscape sweep "$WORK/s.yaml" --store "$WORK/s.db"
sed -i 's/^search.*//' "$WORK/s.yaml"
warpscape sweep "$WORK/s.yaml" --store "$WORK/s.db" --search nsga3
warpscape sweep "$WORK/s.yaml" --store "$WORK/s.db" --points 20
warpscape sweep "$WORK/s.yaml" --store "$WORK/s.db" --search random --prune
