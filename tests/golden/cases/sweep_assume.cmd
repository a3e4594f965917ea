# What is assumed of a trace without instructions is a key of studies.
cat >"$WORK/study.yaml" <<'END'
machine: gtx480-accelsim
depth: timing
assume: serial
workloads: [cpwc-example.addr]
axes: {scheduler.policy: [lrr, gto]}
objectives: [core.cycles]
END
cd "$WORK" || exit
warpscape sweep study.yaml --dry-run
warpscape sweep study.yaml --no-cache | sed 's/ in [0-9.]* s$//'
warpscape show study.db
sed 's/assume: serial/assume: independent/' study.yaml >other.yaml
warpscape sweep other.yaml -o study.db
sed 's/assume: serial/assume: serail/' study.yaml >wrong.yaml
warpscape check wrong.yaml
sed 's/depth: timing/depth: reuse/; s/core.cycles/l1d.miss_rate/' study.yaml >shallow.yaml
warpscape check shallow.yaml
sed '/assume/d' study.yaml >none.yaml
warpscape sweep none.yaml
