# A machine that never ends takes its own values away, not the sweep.
cat > $WORK/s.yaml <<'YAML'
machine: gtx480
workloads: [GEMM:n=64]
depth: timing
set: {l1d.size: 8KiB, l1d.ways: 1, l1d.write: write_back}
axes:
  l1d.write_allocate: [none, fetch_on_write]
metrics: [core.cycles, l1d.misses]
YAML
warpscape sweep $WORK/s.yaml --store $WORK/s.db --no-cache 2>/dev/null | sed -e 's/ new in .*/ new/' -e 's/, predicted .*//'
warpscape show $WORK/s.db
warpscape sweep $WORK/s.yaml --store $WORK/s.db --no-cache 2>/dev/null | sed -e 's/ new in .*/ new/' -e 's/, predicted .*//'
warpscape run gtx480 -w GEMM:n=64 --depth timing -s l1d.size=8KiB -s l1d.ways=1 -s l1d.write=write_back \
  --curve l1d.write_allocate
