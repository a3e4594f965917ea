cat > "$WORK/a.yaml" <<'YAML'
machine: gtx480
set: {l1d.index: linear, tlb.ways: 16}
workloads: ['ATAX:n=96', 'GEMM:n=32', 'BICG:n=64']
axes:
  l1d.size: [4KiB, 8KiB, 16KiB]
  tlb.entries: [16, 64]
objectives: [l1d.misses, total.area]
YAML
warpscape sweep "$WORK/a.yaml" --store "$WORK/a.db" >/dev/null
warpscape show "$WORK/a.db" --across geomean
warpscape show "$WORK/a.db" --across mean --front --where "l1d.size > 4KiB and l1d.misses < 4000"
warpscape show "$WORK/a.db" --across max --sort -l1d.misses --limit 2 --format csv
warpscape show "$WORK/a.db" --across geomean --group-by l1d.size --aggregate min
warpscape export "$WORK/a.db" --best l1d.misses --across geomean | head -4 | sed 's/(.*)/(...)/'
warpscape importance "$WORK/a.db" --within
warpscape importance "$WORK/a.db" --within --metric l1d.misses --values
warpscape report "$WORK/a.db" --format md | sed -n '/^## Best/,/^## Pareto/p; /^### /,/^```/p'
