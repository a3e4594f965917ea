# As many entries as fit into the bits of a TPC of 24 paths.
printf '%s\n' 'machine: cpwc-gtx480' 'workloads: [2DCONV:n=64]' \
    'axes: {pwc.organization: [tpc, stc, uptc, cpwc]}' \
    'equal: {metric: pwc.bits, at_most: 5280, solve: pwc.entries}' \
    'objectives: [walk.memory_accesses]' 'metrics: [pwc.bits, walk.reduction]' >"$WORK/equal.yaml"
warpscape check "$WORK/equal.yaml" configs/studies/equal-bits.yaml
warpscape sweep "$WORK/equal.yaml" --dry-run | grep removed
warpscape sweep "$WORK/equal.yaml" -o "$WORK/equal.db" --no-cache >"$WORK/out" || cat "$WORK/out"
warpscape show "$WORK/equal.db"
sed -e 's/pwc.bits/pwc.bit/' -e 's/solve: pwc.entries/sole: pwc.entries/' "$WORK/equal.yaml" >"$WORK/wrong.yaml"
warpscape sweep "$WORK/wrong.yaml"
sed -e 's/5280/100/' "$WORK/equal.yaml" >"$WORK/small.yaml"
warpscape sweep "$WORK/small.yaml"
