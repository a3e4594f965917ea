# A small study from the plan to a machine of its own; a second run finds everything done.
cat >"$WORK/small.yaml" <<'EOF'
machine: gtx480
workloads: [2DCONV:n=64]
axes:
  l1d.size: [16KiB, 32KiB]
  l1d.replacement: [lru, fifo]
objectives: [l1d.miss_rate, total.area]
EOF
cd "$WORK" || exit
warpscape sweep small.yaml --store small.db >/dev/null 2>&1 && echo swept
warpscape sweep small.yaml --store small.db >/dev/null 2>&1 && echo nothing left
warpscape show small.db
warpscape show small.db --front --format csv
warpscape export small.db --best l1d.miss_rate | grep -v '^#' | sed 's/ *#.*//' >best.yaml
warpscape run best.yaml -w 2DCONV:n=64 --format csv | grep -e metric, -e l1d.miss_rate
