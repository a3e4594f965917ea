#!/bin/sh
# Kills each search with SIGKILL whenever it has made new points and starts it again, with another
# number of threads: in the end the rows and the front must be those of a search that was never
# killed. Without the stage cache, or a second run would be too quick to be killed.
# $WARPSCAPE is the program.
#
# cost: 40
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"

cat >study.yaml <<'YAML'
machine: gtx480
set: {l1d.index: linear, tlb.ways: 16, gpu.sms: 2}
workloads: ['GEMM:n=128', 'ATAX:n=256']
axes:
  l1d.size: [8KiB, 16KiB, 24KiB, 32KiB, 48KiB, 64KiB]
  tlb.entries: [16, 32, 64, 128]
  l1d.ways: [1, 2, 3, 4, 6, 8]
  l2.size: [192KiB, 384KiB, 768KiB]
objectives: [l2.misses, total.area]
YAML

sweep() {
    "$program" sweep study.yaml --no-cache "$@" >log 2>&1
}
rows() {
    "$program" show killed.db --format csv --columns id 2>/dev/null | wc -l
}
front() {
    "$program" show "$1" --front --format csv
}

kills=0
# search ARGUMENT...: the rows of a whole run, then those of one that is killed three times.
search() {
    sweep "$@" --store whole.db --threads 2 || fail "$*: whole run"
    "$program" show whole.db --format csv >whole.csv
    killed=0
    for threads in 2 1 2; do
        before=$(rows)
        "$program" sweep study.yaml --no-cache "$@" --store killed.db --threads $threads >log 2>&1 &
        sweep=$!
        while kill -0 $sweep 2>/dev/null && [ "$(rows)" -le "$before" ]; do :; done
        kill -9 $sweep 2>/dev/null
        wait $sweep 2>/dev/null
        [ $? -ne 137 ] || killed=$((killed + 1))
    done
    [ $killed -gt 0 ] || fail "$*: every run ended before it could be killed"
    kills=$((kills + killed))
    sweep "$@" --store killed.db --threads 1 || fail "$*: resume"
    "$program" show killed.db --format csv | cmp - whole.csv || fail "$*: other rows"
    front whole.db >whole.front
    front killed.db | cmp - whole.front || fail "$*: another front"
    rm -f whole.db* killed.db*
}

search --search nsga2:population=20,evaluations=300
search --search random --points 200
search --search latin_hypercube:points=200
search --search walk:points=200
search --search halving:share=40%
search --prune
echo "$kills kills, the same rows and fronts"
