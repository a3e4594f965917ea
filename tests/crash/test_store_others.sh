#!/bin/sh
# What other programs do to the store of a running sweep: one that locks it for a while is waited for,
# one that changes or replaces it is noticed, and a damaged store is an error of one sentence.
# $WARPSCAPE is the program.
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
sweep() { "$program" sweep --no-cache --plain "$@"; }

# Long enough to be met in the middle.
cat >study.yaml <<'YAML'
machine: gtx480
set: {l1d.index: linear, tlb.ways: 16}
workloads: ['GEMM:n=128', 'ATAX:n=512']
axes:
  l1d.size: [8KiB, 16KiB, 24KiB, 32KiB, 48KiB, 64KiB]
  l1d.replacement: [lru, fifo, plru, random]
  tlb.entries: [16, 32, 64, 128]
  l1d.ways: [1, 2, 4, 8]
  l2.size: [192KiB, 384KiB, 768KiB]
objectives: [l1d.miss_rate, total.area]
metrics: [l2.misses]
YAML

# begun STORE: waits until the sweep has made points and still runs.
begun() {
    until grep -qs '"done": [1-9]' "$1.status"; do
        kill -0 $sweep 2>/dev/null || fail "the sweep of $1 ended before it could be met"
        sleep 0.02
    done
}

# A process that takes the store's lock in the middle of a sweep: the sweep stands still meanwhile, or
# it might end before the other gets its turn.
cat >hold.py <<'PYTHON'
import os, signal, sqlite3, time
def hold(store, sweep):
    base = sqlite3.connect(store, timeout=0.05, isolation_level=None)
    while True:
        os.kill(sweep, signal.SIGSTOP)
        try:
            base.execute("BEGIN IMMEDIATE")
            return base
        except sqlite3.OperationalError:
            pass
        finally:
            os.kill(sweep, signal.SIGCONT)
        time.sleep(0.005)

def await_word(log):
    for _ in range(1200):
        if "waiting" in open(log).read():
            return
        time.sleep(0.1)
PYTHON

# Locked for longer than any time-out.
sweep study.yaml --store locked.db --threads 1 >log 2>&1 &
sweep=$!
begun locked.db
python3 - $sweep <<'PYTHON'
import sys, time
sys.path.append(".")
from hold import await_word, hold
base = hold("locked.db", int(sys.argv[1]))
await_word("log")
time.sleep(6)
base.execute("ROLLBACK")
PYTHON
wait $sweep || fail 'a store that was locked for 6 s ended the sweep'
grep -q 'locked.db is locked by another process; waiting' log || fail 'it did not say that it waits'
grep -q 'locked.db is free again after' log || fail 'it did not say that it goes on'
sweep study.yaml --store alone.db >log 2>&1 || fail 'the sweep without others'
"$program" show alone.db --format csv >alone.csv
"$program" show locked.db --format csv | cmp - alone.csv || fail 'other rows after waiting'

# Whoever waits can be stopped.
sweep study.yaml --store stopped.db --threads 1 >log 2>&1 &
sweep=$!
begun stopped.db
python3 - $sweep <<'PYTHON' || fail 'SIGTERM while it waits'
import os, signal, sys, time
sys.path.append(".")
from hold import await_word, hold
base = hold("stopped.db", int(sys.argv[1]))
await_word("log")
os.kill(int(sys.argv[1]), signal.SIGTERM)
for _ in range(100):
    time.sleep(0.1)
    try:
        ended = open(f"/proc/{sys.argv[1]}/stat").read().split()[2] == "Z"
    except FileNotFoundError:
        ended = True
    if ended:
        break
else:
    sys.exit("it goes on waiting")
base.execute("ROLLBACK")
PYTHON
wait $sweep && fail 'a sweep that was stopped succeeded'

# Replaced by a copy of another store, in place and by name, and changed with SQLite: never a success.
for kind in '' --summary; do
    "$program" sweep study.yaml $kind --no-cache --store other.db -w ATAX:n=64 >log 2>&1 || fail 'other'
    for way in 'cp other.db hurt.db' 'cp other.db new.db; mv new.db hurt.db' \
        "sqlite3 hurt.db '.timeout 9000' 'DELETE FROM result'"; do
        # shellcheck disable=SC2086 # none or one word
        sweep study.yaml $kind --store hurt.db --threads 1 >log 2>&1 &
        sweep=$!
        begun hurt.db
        eval "$way"
        wait $sweep
        status=$?
        [ $status -eq 1 ] || fail "exit $status after: $way ($kind)"
        grep -q 'hurt.db: another program \(changed\|replaced\) it while this sweep was' log ||
            fail "no word of: $way ($kind)"
        case $way in
        cp*) cmp hurt.db other.db || fail "the other program's file was written to: $way" ;;
        esac
        rm -f hurt.db*
    done
    rm -f other.db*
done

# Who quits the explorer while it sweeps has a store that can be copied as one file.
sed "s/workloads: .*/workloads: ['GEMM:n=192']/" study.yaml >long.yaml
mkfifo keys
HOME=$work/home XDG_STATE_HOME='' XDG_DATA_HOME='' "$program" explore --plain --study long.yaml <keys >log 2>&1 &
sweep=$!
exec 9>keys
echo 'view explore' >&9
echo sweep >&9
tries=0
until store=$(find "$work" -name '*.sqlite-wal') && [ -n "$store" ] &&
    [ "$("$program" show "${store%-wal}" --format csv --columns id 2>/dev/null | wc -l)" -gt 1 ]; do
    [ $((tries += 1)) -lt 600 ] || fail 'the explorer does not sweep'
    sleep 0.1
done
echo 'quit!' >&9
exec 9>&-
wait $sweep || fail 'quitting while a sweep runs'
points=$(sed -n 's/.*the sweep stopped at \([0-9]*\) of .*/\1/p' log)
[ -n "$points" ] || fail 'the sweep was over before it was left'
cp "${store%-wal}" copy.db
rows=$("$program" show copy.db --format csv --columns id | tail -n +2 | wc -l)
[ "$rows" -ge "$points" ] || fail "$rows rows in the copy, $points points were there"
[ ! -e "$store" ] || [ ! -s "$store" ] || fail 'rows are left in the log'

# Without a metric there is nothing to report.
sqlite3 alone.db 'DELETE FROM metric'
expect 1 'alone.db: no metric is stored' report alone.db -o report.md
echo 'locks are waited for, changes by others noticed'
