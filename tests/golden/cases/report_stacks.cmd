# The report of a sweep in time shows what cycles were for, before and at the best point.
cat >"$WORK/study.yaml" <<'END'
machine: gtx480-accelsim
depth: timing
workloads: ["2DCONV:n=64", "GEMM:n=32"]
axes: {l1d.mshr.merge: [2, 8]}
objectives: [core.cycles]
END
cd "$WORK" || exit
warpscape sweep study.yaml >/dev/null 2>&1
warpscape report study.db -f md -o report.md
sed -n '/What cycles/,/Pareto/p' report.md | grep -v '░\|▞\|▤' | sed 's/\( | *[0-9.]*%\)* |$//'
warpscape report study.db -o report.html && grep -o 'class="stack [a-z0-9]*"' report.html | sort | uniq -c
# The best machine of each objective beside the report.
warpscape report study.db -o night.html --machines && ls night* && warpscape check night-core.cycles.yaml
warpscape report study.db --machines 2>&1 | head -1
