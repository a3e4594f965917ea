warpscape reproduce tile --table silicon --format csv
warpscape reproduce tile -w effect2d -j 1 >"$WORK/one"
XDG_CACHE_HOME="$WORK/cache" warpscape reproduce tile -w effect2d -j 2 | cmp - "$WORK/one" && cat "$WORK/one"
# The user's own.
cat >"$WORK/own.yaml" <<'EOF'
paper: ours
machine: gtx480
subjects: {gather: {workload: "GATHER:n=4096"}}
variants: {base: {}, large: {set: {l1d.size: 48KiB, l1d.ways: 6, l1d.wais: 1}}}
claims:
- {what: misses, paper: fall, holds: l1d.misses@larg <= l1d.misses@base}
EOF
warpscape reproduce "$WORK/own.yaml"
sed -i 's/, l1d.wais: 1//' "$WORK/own.yaml"
warpscape reproduce "$WORK/own.yaml"
sed -i 's/larg /large /' "$WORK/own.yaml"
warpscape reproduce "$WORK/own.yaml"
