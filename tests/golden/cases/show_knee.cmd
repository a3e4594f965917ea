# The knee of each front, and of the front over all workloads; none where an end is nearest.
cat > $WORK/f.yaml <<'YAML'
machine: gtx480
workloads: [GEMM:n=32, ATAX:n=64]
axes:
  l1d.size: [4KiB, 8KiB, 16KiB, 32KiB]
  l1d.ways: [1, 2, 4, 8]
objectives: [l1d.miss_rate, total.area]
YAML
warpscape sweep $WORK/f.yaml --store $WORK/f.db >/dev/null 2>&1
warpscape show $WORK/f.db --front
warpscape show $WORK/f.db --front --across geomean
warpscape show $WORK/f.db --front -n 2
warpscape show $WORK/f.db --front -f csv | grep -c knee
