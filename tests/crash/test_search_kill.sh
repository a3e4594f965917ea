#!/bin/sh
# Kills each search with SIGKILL whenever it has made new points and starts it again: in the end the
# rows must be those of a search that was never killed.
# $WARPSCAPE is the program.
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"

cat >study.yaml <<'YAML'
machine: gtx480
set: {l1d.index: linear, tlb.ways: 16, gpu.sms: 2}
workloads: ['GEMM:n=64', 'ATAX:n=128']
axes:
  l1d.size: [8KiB, 16KiB, 24KiB, 32KiB, 48KiB, 64KiB]
  tlb.entries: [16, 32, 64, 128]
  l1d.ways: [1, 2, 3, 4, 6, 8]
  l2.size: [192KiB, 384KiB, 768KiB]
objectives: [l2.misses, total.area]
YAML

rows() {
    "$program" show killed.db --format csv --columns id 2>/dev/null | wc -l
}

kills=0
for search in nsga2:population=20,evaluations=300 random:points=150 latin_hypercube:points=150; do
    rm -f killed.db*
    "$program" sweep study.yaml --search $search --store whole-$search.db --threads 2 >log 2>&1 ||
        { cat log; fail "$search: whole run"; }
    "$program" show whole-$search.db --format csv >whole.csv
    round=0
    while [ $round -lt 4 ]; do
        round=$((round + 1))
        before=$(rows)
        "$program" sweep study.yaml --search $search --store killed.db --threads $((1 + round % 2)) \
            >log 2>&1 &
        sweep=$!
        while kill -0 $sweep 2>/dev/null && [ "$(rows)" -le "$before" ]; do :; done
        kill -9 $sweep 2>/dev/null
        wait $sweep 2>/dev/null
        [ $? -eq 137 ] && kills=$((kills + 1))
    done
    "$program" sweep study.yaml --search $search --store killed.db --threads 1 >log 2>&1 ||
        { cat log; fail "$search: resume"; }
    "$program" show killed.db --format csv | cmp - whole.csv || fail "$search: other rows"
done
[ $kills -gt 0 ] || fail "every run ended before it could be killed"
echo "$kills kills, the same rows"
