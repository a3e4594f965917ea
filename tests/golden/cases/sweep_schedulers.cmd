# The story of docs/VALIDATION.md, "A design lesson", on a smaller product; an axis that nothing reads is said.
warpscape sweep schedulers --dry-run --no-cache | grep -v predicted
sed -e 's/n=128,/n=96,/' -e 's/, "2DCONV:n=256"//' -e 's/\[lrr, gto, gty, two_level, old\]/[lrr, gto]/' \
    configs/studies/schedulers.yaml >"$WORK/small.yaml"
cd "$WORK"
warpscape sweep small.yaml -o small.db --no-cache >out 2>&1 || cat out
warpscape show small.db --sort core.cycles
printf '%s\n' 'machine: gtx480' 'depth: timing' 'workloads: ["GEMM:n=32"]' \
    'axes: {l1d.reuse.latency: [0, 100], scheduler.policy: [lrr, gto]}' 'objectives: [core.ipc]' >idle.yaml
warpscape sweep idle.yaml --dry-run --no-cache | grep -v predicted
warpscape sweep idle.yaml --no-cache 2>&1 | grep effect
warpscape run --depth timing --sample 5% gtx480-accelsim -w 2DCONV:n=512 | grep -E 'cycles|latency'
warpscape run --depth timing -w cpwc-example.addr
