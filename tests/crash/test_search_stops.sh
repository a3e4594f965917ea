#!/bin/sh
# Searches that are stopped by limits, by a full disk or by a signal, that take over what others found,
# or that are asked for what a search cannot do. $WARPSCAPE is the program.
#
# cost: 15
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"

cat >study.yaml <<'YAML'
machine: gtx480
set: {l1d.index: linear, tlb.ways: 16, gpu.sms: 2}
workloads: ['GEMM:n=64', 'ATAX:n=128']
axes:
  l1d.size: [8KiB, 16KiB, 24KiB, 32KiB, 48KiB, 64KiB]
  tech.node: [22nm, 32nm, 40nm, 45nm, 65nm]
  tlb.entries: [16, 32, 64, 128]
  l1d.ways: [1, 2, 3, 4, 6, 8]
  l2.size: [192KiB, 384KiB, 768KiB]
objectives: [l1d.misses, total.area]
metrics: [l2.misses, tlb.misses, walk.memory_accesses]
YAML
sed "s/workloads: .*/workloads: ['GEMM:n=512']/" study.yaml >long.yaml
nsga2=nsga2:population=20,evaluations=400

rows() {
    "$program" show "$1" --format csv
}
# same STORE: the rows of the search that was never stopped.
same() {
    rows "$1" | cmp - whole.csv || fail "other rows in $1"
}
has_status() {
    grep -q "\"state\": \"$1\"" "$2.status" || { cat "$2.status"; fail "the status is not $1"; }
}

expect 0 'points in whole.db' sweep study.yaml --no-cache --search $nsga2 --store whole.db
rows whole.db >whole.csv

# Limits, and a signal in the first pass.
for search in random:points=200 halving:share=20%; do
    expect 75 'stopped by --time-limit' sweep long.yaml --no-cache --search "$search" \
        --store limit.db --time-limit 1s --threads 1
    has_status stopped limit.db
    rm -f limit.db*
done
expect 75 'stopped by --memory-limit' sweep long.yaml --no-cache --prune --store limit.db --memory-limit 1MiB
expect 0 'points in far.db' sweep study.yaml --no-cache --search $nsga2 --store far.db --time-limit 1h --memory-limit 8GiB
same far.db
"$program" sweep long.yaml --no-cache --search $nsga2 --store asked.db --threads 1 >log 2>&1 &
sweep=$!
until grep -qs '"state": "running"' asked.db.status; do sleep 0.05; done
kill -TERM $sweep
wait $sweep
[ $? -eq 75 ] || fail 'exit status after SIGTERM'
has_status stopped asked.db

# A file that may not grow: what was committed stays, and the search goes on from it.
(
    ulimit -f 280 # of 512 bytes: more than one commit, less than the whole
    TMPDIR=/nowhere # where ThreadSanitizer would map a file, cut short by the limit
    export TMPDIR
    "$program" sweep study.yaml --no-cache --search $nsga2 --store full.db >log 2>&1
)
[ $? -eq 1 ] || fail 'exit status where the file may not grow'
grep -q 'points that were committed to full.db are safe' log || fail 'no word on what is safe'
has_status failed full.db
kept=$(rows full.db | wc -l)
{ [ "$kept" -gt 1 ] && [ "$kept" -lt "$(wc -l <whole.csv)" ]; } || fail "$kept rows are left"
expect 0 'points in full.db' sweep study.yaml --no-cache --search $nsga2 --store full.db
same full.db

# The points of another search are taken over: they count where they are asked for, and stay.
expect 0 '200 new' sweep study.yaml --no-cache --search random:points=200 --store random.db
expect 0 'points in taken.db' sweep study.yaml --no-cache --search $nsga2 --store taken.db --take random.db
grep -q 'points in taken.db, 400 new' out && fail 'nothing was taken over'
rows random.db | sort >random.rows
rows taken.db | sort >taken.rows
sort whole.csv >whole.rows
sort -u random.rows whole.rows | cmp - taken.rows || fail 'rows of a search that took over others'

# What a sweep left in the stage cache serves a search, which then simulates nothing: it leaves nothing.
count_stages() {
    sqlite3 stages.db 'SELECT count(*) FROM stage'
}
expect 0 'points in all.db' sweep study.yaml --cache stages.db --store all.db
command -v sqlite3 >/dev/null && before=$(count_stages)
for search in $nsga2 random:points=200 halving:share=20%; do
    expect 0 'points in cached.db' sweep study.yaml --cache stages.db --search "$search" --store cached.db
    [ "$search" != $nsga2 ] || same cached.db
    rm -f cached.db*
done
if command -v sqlite3 >/dev/null; then
    [ "$(count_stages)" -eq "$before" ] || fail "$before results were remembered, now $(count_stages)"
fi

# A search is of all its points.
for search in $nsga2 random:points=20 halving; do
    expect 1 'cannot be cut into shares' sweep study.yaml --no-cache --search "$search" --shard 1/2 --store no.db
    expect 1 'needs a store with rows' sweep study.yaml --no-cache --search "$search" --summary --store no.db
done
expect 1 'exhaustive with pruning cannot be cut into shares' sweep study.yaml --no-cache --prune --shard 1/2 --store no.db
[ ! -e no.db ] || fail 'a refused search made a store'
expect 0 'points in brief.db' sweep study.yaml --no-cache --summary --store brief.db
expect 1 'brief.db is a summary; this run makes a store with a row for every point' sweep study.yaml --no-cache --search $nsga2 --store brief.db
expect 0 'points in part.db' sweep study.yaml --no-cache --shard 1/3 --store part.db
expect 1 'part.db holds shard 1/3 of the study, not all of it' sweep study.yaml --no-cache --search $nsga2 --store part.db
echo 'searches: limits, signals, a full disk, taken points, the stage cache'
