#!/bin/sh
# A sweep that is asked to stop, that reaches a limit, or whose disk fills up ends with a sentence and
# the right exit status, loses nothing that was committed, and is resumed by the same command to the
# rows of a sweep that was never stopped. $WARPSCAPE is the program.
#
# cost: 20
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
mounted=false
clean_up() {
    if $mounted; then umount "$work/small"; fi
}
# Remembered simulations would end sweeps before they can be stopped.
sweep() { "$program" sweep --no-cache "$@"; }

cat >study.yaml <<'YAML'
machine: gtx480
set: {l1d.index: linear, tlb.ways: 16}
workloads: ['GEMM:n=32', 'ATAX:n=96']
axes:
  tech.node: [22nm, 32nm, 40nm, 45nm, 65nm]
  l1d.size: [8KiB, 16KiB, 24KiB, 32KiB, 48KiB, 64KiB]
  tlb.entries: [16, 32, 64, 128]
  l1d.ways: [1, 2, 4, 8]
  l2.size: [192KiB, 384KiB, 768KiB]
  pwc.entries: [8, 16, 24]
objectives: [l1d.miss_rate, total.area]
metrics: [l2.misses, walk.memory_accesses]
YAML
# A night's work, for stops in the middle.
sed "s/workloads: .*/workloads: ['GEMM:n=512', 'ATAX:n=2048']/" study.yaml >long.yaml

says() {
    grep -q -e "$1" log || fail "no '$1'"
}

# status_is WORD STORE: what the status file says.
status_is() {
    grep -q "\"state\": \"$1\"" "$2.status" || { cat "$2.status"; fail "the status is not $1"; }
}

sweep study.yaml --store whole.db >log 2>&1 || fail 'the whole run'
status_is complete whole.db
"$program" show whole.db --format csv >whole.csv
rows=$(($(wc -l <whole.csv) - 1))

# resume_whole STORE: the same command goes on, to the same rows.
resume_whole() {
    sweep study.yaml --store "$1" >log 2>&1 || fail "resume of $1"
    "$program" show "$1" --format csv | cmp - whole.csv || fail "other rows in $1"
    status_is complete "$1"
}

# wait_for STORE: until its sweep makes points.
wait_for() {
    tries=0
    until grep -qs '"state": "running"' "$1.status" || [ $tries -gt 1200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

# A request to stop while the plan is made, which says first of what: the census of this space takes
# longer than the signal. Nothing is left behind.
{
    sed -n '1,/^axes:/p' study.yaml
    echo '  dram.latency: {from: 100, to: 400, step: 1}'
    echo '  l2.latency: {from: 100, to: 250, step: 1}'
    sed -n '/^  l1d.size/,$p' study.yaml
} >wide.yaml
"$program" sweep wide.yaml --search exhaustive --no-cache --store wide.db >log 2>&1 &
sweep=$!
tries=0
until grep -q 'machines x 2 workloads' log || [ $tries -gt 1200 ]; do
    sleep 0.01
    tries=$((tries + 1))
done
kill -INT $sweep
wait $sweep
status=$?
[ $status -eq 75 ] || { cat log; fail "exit status $status after a stop while planning, expected 75"; }
says 'stopped while planning: nothing was added to wide.db'
[ ! -e wide.db ] || fail 'a store of a plan'

# A request to stop, by each signal that a batch system sends, and by a connection that ends; twice,
# as timeout(1) does.
for signal in TERM USR1 HUP; do
    "$program" sweep long.yaml --no-cache --store asked.db --threads 2 >log 2>&1 &
    sweep=$!
    wait_for asked.db
    "$program" watch asked.db --once >watch.out || fail 'watch while it runs'
    grep -q 'running, long, process' watch.out || { cat watch.out; fail 'watch says running'; }
    kill -$signal $sweep
    kill -$signal $sweep 2>/dev/null # it may have ended
    wait $sweep
    status=$?
    [ $status -eq 75 ] || fail "exit status $status after SIG$signal, expected 75"
    says 'the same command goes on from there'
    status_is stopped asked.db
    "$program" watch asked.db | grep -q 'stop: interrupted' || fail 'watch says stopped'
    rm -f asked.db*
done

# A first pass that takes minutes says how long it will take, and is left when asked.
sed "s/workloads: .*/workloads: [CORR]/" study.yaml >minutes.yaml
"$program" sweep minutes.yaml --no-cache --store minutes.db --threads 1 >log 2>&1 &
sweep=$!
wait_for minutes.db
"$program" watch minutes.db --once >watch.out || fail 'watch during the first pass'
grep -q '^0 of [0-9]* passes done, [01] running' watch.out || { cat watch.out; fail 'passes in watch'; }
grep -q '"eta_seconds": [1-9]' minutes.db.status || { cat minutes.db.status; fail 'no time to go'; }
kill -TERM $sweep
wait $sweep
[ $? -eq 75 ] || fail 'a long first pass went on after SIGTERM'
status_is stopped minutes.db

# Limits.
sweep long.yaml --store limit.db --time-limit 1s --report limit.html >log 2>&1
[ $? -eq 75 ] || fail 'exit status after the time limit'
says 'stopped by --time-limit'
says 'report: limit.html'
grep -q '</html>' limit.html || fail 'the report after the time limit'
status_is stopped limit.db
sweep long.yaml --store limit.db --memory-limit 1MiB >log 2>&1
[ $? -eq 75 ] || fail 'exit status after the memory limit'
says 'stopped by --memory-limit'
sweep study.yaml --store far.db --time-limit 1h --memory-limit 8GiB >log 2>&1 ||
    fail 'limits that are not reached'

# A sweep that was killed is seen as such.
"$program" sweep long.yaml --no-cache --store dead.db >log 2>&1 &
sweep=$!
wait_for dead.db
kill -9 $sweep
wait $sweep 2>/dev/null
"$program" watch dead.db --once >log 2>&1
says ': killed'

# A file that may not grow.
(
    ulimit -f 256 # of 512 bytes
    TMPDIR=/nowhere # where ThreadSanitizer would map a file, cut short by the limit
    export TMPDIR
    sweep study.yaml --store bounded.db >log 2>&1
)
[ $? -eq 1 ] || fail 'exit status where the file may not grow'
says 'points that were committed to bounded.db are safe'
kept=$("$program" show bounded.db --format csv | wc -l)
{ [ "$kept" -gt 1 ] && [ "$kept" -le "$rows" ]; } || fail "$kept rows are left"
status_is failed bounded.db
resume_whole bounded.db

# A full disk, and one that cannot be written.
mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=400k tmpfs small 2>/dev/null; then
    mounted=true
    sweep study.yaml --store small/full.db >log 2>&1
    [ $? -eq 1 ] || fail 'exit status on a full disk'
    says 'database or disk is full'
    says 'the same command goes on from there'
    kept=$("$program" show small/full.db --format csv | wc -l)
    { [ "$kept" -gt 1 ] && [ "$kept" -le "$rows" ]; } || fail "$kept rows are left on the full disk"
    mount -o remount,size=64m small
    resume_whole small/full.db
    mount -o remount,ro small
    "$program" show small/full.db --format csv | cmp - whole.csv || fail 'a read-only disk'
    "$program" watch small/full.db --once >log 2>&1 || fail 'watch on a read-only disk'
    sweep study.yaml --store small/full.db >log 2>&1
    [ $? -eq 1 ] || fail 'exit status on a read-only disk'
    says 'Read-only file system'
    disk='full disk, read-only disk'
else
    disk='(no disk can be mounted here)'
fi

# A folder that turns read-only in the middle: the journal of the next commit cannot be made. Root may
# write anywhere, so another user sweeps; where that is not possible this part is left out.
sed "s/workloads: .*/workloads: ['GEMM:n=128', 'ATAX:n=384']/" study.yaml >medium.yaml
other="setpriv --reuid=65534 --regid=65534 --clear-groups"
mkdir shut
chmod 711 "$work"
if [ "$(id -u)" -eq 0 ] && chown 65534 shut && $other "$program" --version >log 2>&1; then
    $other "$program" sweep medium.yaml --no-cache --shard 1/1 --store shut/s.db --threads 1 >log 2>&1 &
    sweep=$!
    while kill -0 $sweep 2>/dev/null &&
        [ "$("$program" show shut/s.db --format csv --columns id 2>/dev/null | wc -l)" -le 1 ]; do
        sleep 0.02
    done
    chmod 555 shut
    wait $sweep
    [ $? -eq 1 ] || fail 'exit status where the folder turned read-only'
    says 'points that were committed to shut/s.db are safe'
    kept=$("$program" show shut/s.db --format csv | wc -l)
    [ "$kept" -gt 1 ] || fail 'no rows are left in the read-only folder'
    chmod 755 shut
    $other "$program" sweep medium.yaml --no-cache --shard 1/1 --store shut/s.db >log 2>&1 ||
        fail 'resume in the folder that was read-only'
    sweep medium.yaml --store medium.db >log 2>&1 || fail 'the whole medium run'
    "$program" show medium.db --format csv >medium.csv
    "$program" show shut/s.db --format csv | cmp - medium.csv || fail 'other rows after the read-only folder'
    disk="$disk, a folder that turned read-only"
fi

# Shares, taken over from attempt to attempt, make up the whole.
for shard in 1 2 3; do
    if [ $shard -eq 2 ]; then # as on a node that dies
        "$program" sweep --no-cache study.yaml --shard 2/3 --store first-2.db --threads 1 >log 2>&1 &
        node=$!
        until [ "$("$program" show first-2.db --format csv --columns id 2>/dev/null | wc -l)" -gt 1 ]; do
            kill -0 $node 2>/dev/null || break
        done
        kill -9 $node 2>/dev/null
        wait $node 2>/dev/null
    else
        sweep study.yaml --shard $shard/3 --store first-$shard.db --time-limit 1s >log 2>&1
    fi
    sweep study.yaml --shard $shard/3 --store second-$shard.db --take first-$shard.db \
        >log 2>&1 || fail "shard $shard"
done
[ "$("$program" show second-1.db --format csv | wc -l)" -eq $((rows / 3 + 1)) ] || fail 'a third'
"$program" merge merged.db first-?.db second-?.db >log 2>&1 || fail 'merge of the shards'
says 'the study is complete'
"$program" show merged.db --format csv | cmp - whole.csv || fail 'other rows after the merge'
sweep study.yaml --store first-1.db >log 2>&1 && fail 'a shard is no whole store'
says 'holds shard 1/3 of the study, not all of it'
echo "signals, limits, kill, $disk, shards: nothing lost"
