warpscape run --formt=json
for option in --workload -w --force=1 -q -jx --depth= --de; do
    warpscape run $option 2>&1 | head -1
done
warpscape machines gtx480 2>&1 | head -1
# Every command suggests one of its options.
for command in $(warpscape help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    warpscape "$command" --usagx 2>&1 | head -1 | grep -v "unknown option '--usagx'; did you mean '--usage'?"
done
