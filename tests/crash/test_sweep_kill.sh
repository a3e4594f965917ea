#!/bin/sh
# Kills a sweep with SIGKILL $KILLS times (20), by turns at a random moment and as soon as it has stored
# new points, and resumes it each time: no point that was in the store may be lost, and in the end the
# rows must be those of a sweep that was never killed.
# Without the stage cache, or a second run would be too quick to be killed. $WARPSCAPE is the
# program.
#
# cost: 30
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"

cat >study.yaml <<'YAML'
machine: gtx480
set: {l1d.index: linear, tlb.ways: 16}
workloads: ['GEMM:n=128', 'ATAX:n=384', 'GEMM:n=96', 'BICG:n=256', 'GEMM:n=112', 'MVT:n=256']
axes:
  l1d.size: [8KiB, 16KiB, 24KiB, 32KiB, 48KiB, 64KiB]
  tlb.entries: [16, 32, 64, 128]
  l1d.ways: [1, 2, 3, 4, 6, 8]
  l2.size: [192KiB, 384KiB, 768KiB]
  pwc.entries: [8, 16, 24]
objectives: [l1d.miss_rate, total.area]
metrics: [l2.misses, walk.memory_accesses]
YAML

# Rows in the store; 0 while there is none.
rows() {
    if [ -s killed.db ]; then
        "$program" show killed.db --format csv --columns id 2>err >ids || : >ids
        if [ -s ids ]; then
            echo $(($(wc -l <ids) - 1))
        elif grep -q 'empty' err; then
            echo 0
        else
            cat err >&2
            echo -1
        fi
    else
        echo 0
    fi
}

start=$(date +%s%N)
"$program" sweep study.yaml --no-cache --store whole.db --threads 2 >log 2>&1 || { cat log; fail "whole run"; }
whole_ms=$((($(date +%s%N) - start) / 1000000))
"$program" show whole.db --format csv >whole.csv

# A run is killed at any moment of what a whole one takes. One that ends before counts for nothing and
# says that the whole run was measured while the machine had other things to do.
kills=0
runs=0
middle=0
last=0
while [ $kills -lt "${KILLS:-20}" ]; do
    runs=$((runs + 1))
    [ $runs -le 100 ] || fail "only $kills of 100 runs lived long enough to be killed"
    "$program" sweep study.yaml --no-cache --store killed.db --threads 2 >log 2>&1 &
    sweep=$!
    if [ $((runs % 2)) -eq 0 ]; then
        while kill -0 $sweep 2>/dev/null && [ "$(rows)" -le "$last" ]; do :; done
    else
        sleep "$(awk -v seed=$runs -v ms=$whole_ms \
            'BEGIN { srand(seed); printf "%.3f", 0.02 + 0.0007 * ms * rand() }')"
    fi
    kill -9 $sweep 2>/dev/null
    wait $sweep 2>/dev/null
    killed=$(($? == 137))
    kills=$((kills + killed))
    [ $killed -eq 1 ] || whole_ms=$((whole_ms * 4 / 5 + 10))
    now=$(rows)
    [ "$now" -ge 0 ] || fail "the store cannot be read after a kill"
    [ "$now" -ge "$last" ] || fail "$last points were committed, $now are left"
    [ "$now" -gt "$last" ] && middle=$((middle + killed))
    last=$now
    if [ "$now" -eq $(($(wc -l <whole.csv) - 1)) ]; then
        "$program" show killed.db --format csv | cmp - whole.csv || fail "other rows (complete)"
        rm -f killed.db*
        last=0
    fi
done
"$program" sweep study.yaml --no-cache --store killed.db --threads 1 >log 2>&1 || { cat log; fail "resume"; }
"$program" show killed.db --format csv | cmp - whole.csv || fail "other rows after the resume"
[ $middle -gt 0 ] || fail "no kill came while points were made"

# A clean stop says so, and is resumed likewise.
rm -f killed.db*
"$program" sweep study.yaml --no-cache --store killed.db --threads 1 >log 2>&1 &
sweep=$!
while kill -0 $sweep 2>/dev/null && ! grep -qs '"state": "running"' killed.db.status; do sleep 0.05; done
kill -TERM $sweep 2>/dev/null
wait $sweep
status=$?
[ $status -eq 75 ] || [ $status -eq 0 ] || { cat log; fail "exit status $status after SIGTERM"; }
[ $status -eq 75 ] && { grep -q 'goes on from there' log || [ ! -e killed.db ] || fail "no word on resuming"; }
"$program" sweep study.yaml --no-cache --store killed.db >log 2>&1 || { cat log; fail "resume after SIGTERM"; }
"$program" show killed.db --format csv | cmp - whole.csv || fail "other rows after SIGTERM"
echo "$kills kills, $middle of them after new points; rows equal"
