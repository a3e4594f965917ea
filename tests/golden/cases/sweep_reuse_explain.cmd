cat >"$WORK/reuse.yaml" <<'END'
machine: gtx480
workloads: [ATAX:n=64]
axes:
  l1d.mshr.entries: [8, 64]
  l1d.reuse.latency: [0, 100]
objectives: [l1d.miss_rate, l1d.reuse.ticks]
END
cd "$WORK"
warpscape sweep reuse.yaml --no-cache --plain | grep -v "predicted\|points in\|hypervolume\|^warpscape"
warpscape show reuse.db
warpscape sweep reuse.yaml --no-cache --search halving
