#!/bin/sh
# sweep, show and export as their users meet them: what an export says of its point is what the
# exported file evaluates to, and wrong input is refused with a sentence and the right exit status.
# $WARPSCAPE is the program.
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"

cat >study.yaml <<'YAML'
machine: gtx480
set: {tlb.ways: 16}
workloads: ['ATAX:n=128', 'GEMM:n=32']
axes:
  l1d.size: [16KiB, 32KiB, 48KiB, 50KiB]
  l1d.index: [fermi, linear]
  tlb.entries: [16, 64]
  pwc.organization: [none, tpc, cpwc]
where:
  - l1d.size >= 32KiB or l1d.index = 'fermi'
filters:
  - tlb.entries > 16
objectives: [l1d.misses, walk.memory_accesses, total.area]
metrics: [l2.misses, pwc.l3.hit_rate]
YAML

expect 0 '48 machines x 2 workloads = 96 points' sweep study.yaml --dry-run
grep -q '12 machines removed by the rule l1d geometry' out || fail 'rule count'
grep -q '6 machines removed by where: l1d.size >= 32KiB' out || fail 'condition count'
[ ! -e study.db ] || fail 'a dry run made a store'
expect 0 '60 points in study.db, 60 new' sweep study.yaml --threads 2
expect 0 '60 points in study.db, 0 new' sweep study.yaml
[ "$(ls study.db?*)" = study.db.status ] || fail 'files are left beside the store'

# Each exported best point evaluates to the numbers of its row.
for workload in ATAX:n=128 GEMM:n=32; do
    for metric in l1d.misses walk.memory_accesses total.area; do
        expect 0 'point ' export study.db --best $metric --workload $workload --force -o best.yaml
        "$program" export study.db --best $metric --workload $workload --to json >best.json
        "$program" run best.yaml --workload $workload --needs fast --format csv >run.csv
        for name in l1d.misses walk.memory_accesses total.area l2.misses pwc.l3.hit_rate; do
            stored=$(sed -n "s/.*\"$name\": \\([^,}]*\\).*/\\1/p" best.json)
            again=$(awk -F, -v name=$name '$1 == name { print $2 }' run.csv)
            [ "$stored" = null ] && stored=
            awk -v a="$stored" -v b="$again" 'BEGIN { exit !(a == b || (a + 0 == b + 0)) }' ||
                fail "$metric on $workload: $name is $stored in the store, $again in the export"
        done
    done
done
expect 0 '-gpgpu_cache:dl1' export study.db --point 12 --to gpgpusim

expect 0 '48KiB' show study.db --where "l1d.size = 48KiB and workload like 'GEMM%'" --sort -total.area
expect 0 '"pwc.organization": "cpwc"' show study.db --format json --front
expect 0 'the first 40 rows; --limit 0 shows all' show study.db
[ "$("$program" show study.db --format csv | wc -l)" -eq 61 ] || fail 'rows of csv'
[ "$("$program" show study.db --format csv --limit 0 --where 'id < 0' | wc -l)" -eq 1 ] ||
    fail 'an empty csv has a header'
"$program" show study.db --front --format csv --columns tlb.entries | sort -u >out
[ "$(cat out)" = "$(printf '64\ntlb.entries')" ] || fail 'the front honours the filters'

# The stage cache: a second store from what the first one's passes found, with equal rows; damage
# is a warning; every value stands up to evaluation one by one, and a changed one does not.
expect 0 '"stage": "l1d", "settings": 5, "remembered": 5, "simulations": 0' sweep study.yaml --store again.db --explain --format json
expect 0 'results of stages remembered' sweep study.yaml --store again.db --verify 10%
grep -q '6 points evaluated alone, every value is the same' out || fail 'verification of 10 % of 60'
grep -q '^verifying 10% of the points one by one$' out || fail 'a verification begins in silence'
expect 0 'verification: predicted about' sweep study.yaml --verify 10% --dry-run
"$program" sweep study.yaml --dry-run | grep -q '^verif' && fail 'planned unasked'
expect 0 'points that share simulations take less' sweep study.yaml --search random --points 10 --dry-run
expect 0 '60 new' sweep study.yaml --store alone.db --no-cache
"$program" show study.db --format csv >study.csv
for store in again alone; do
    "$program" show $store.db --format csv | cmp -s - study.csv || fail "$store.db: other rows"
done
expect 0 'ATAX:n=128,l1d,5,0,5' sweep study.yaml --no-cache --store other.db --explain -f csv
sed 's/^  l1d.index:.*/  l1d.replacement: [rr, lru, fifo, nru]/' study.yaml >policies.yaml
sed -i '/^where/,/^filters/{/l1d/d;/^where/d}' policies.yaml
expect 0 'l1d.replacement: rr, fifo share the passes of fifo' sweep policies.yaml --explain
grep -q 'l1d.replacement: nru takes its own simulation' out || fail 'nru'
# An axis that nothing reads at the study's depth is said before the first point.
for depth in functional reuse; do
    cat >dead.yaml <<YAML
machine: gtx480
depth: $depth
set: {l1d.index: linear}
workloads: ['GEMM:n=32']
axes:
  scheduler.policy: [gto, lrr]
  l1d.size: [16KiB, 32KiB]
objectives: [l1d.miss_rate]
YAML
    expect 0 "axis scheduler.policy has no effect at the $depth depth" sweep dead.yaml --dry-run
    [ ! -e dead.db ] || fail 'a plan made a store'
    expect 0 "axis scheduler.policy has no effect at the $depth depth" sweep dead.yaml --store dead.db
    grep -n 'has no effect\|4 points in dead.db' out | sed 's/:.*//' >lines
    { [ "$(wc -l <lines)" -eq 2 ] && sort -nc lines; } || fail 'said after the sweep, or twice'
    grep -q 'l1d.size has no effect' out && fail 'an axis that matters'
    rm -f dead.db*
done
echo damage >damaged.db
expect 0 'damaged.db: the stage cache cannot be used' sweep study.yaml --store other.db --cache damaged.db
[ "$(grep -c 'cannot be used' out)" -eq 1 ] || fail 'one warning is enough'
[ "$(cat damaged.db)" = damage ] || fail 'a foreign file was touched'
expect 2 'either --cache or --no-cache' sweep study.yaml --cache a.db --no-cache
expect 2 '--verify: expected a share' sweep study.yaml --verify 0
if command -v sqlite3 >/dev/null; then
    sqlite3 other.db 'UPDATE result SET "l2.misses" = "l2.misses" + 1 WHERE id = 12'
    for command in 'show other.db' 'report other.db -o other.html' 'export other.db --best total.area' \
        'importance other.db' 'merge all.db other.db' 'sweep study.yaml --store other.db'; do
        # shellcheck disable=SC2086 # words
        expect 1 'other.db: the row of point 12 is damaged' $command
    done
    sqlite3 other.db 'ALTER TABLE result DROP COLUMN row_hash; PRAGMA user_version=1' # as old versions wrote it
    expect 1 'point 12: l2.misses is' sweep study.yaml --store other.db --verify 100%
fi

expect 1 "did you mean 'l1d.size'" show study.db --where 'l1d.sice = 4'
expect 1 'did not store l1d.accesses' show study.db --sort l1d.accesses
expect 1 "did you mean 'total.area'" show study.db --columns total.arae
expect 1 'No such file' show nothing.db
expect 1 '.: a directory, not a store' show .
expect 1 'not a Warpscape store' show study.yaml
expect 1 'no such point' export study.db --point 999999
# What is there stays: a file without --force, a device and a link always.
echo kept >kept
sed "s/'GEMM:n=32'/nope, 'GEMM:n=0'/" study.yaml >wrong.yaml
for command in check sweep; do
    expect 1 "wrong.yaml:3:1: 'nope' is no workload" $command wrong.yaml
    grep -q '^wrong.yaml:3:1: n of GEMM' out || fail "$command says nothing of the second workload"
done
expect 1 'best.yaml: no study' sweep best.yaml
expect 1 'exists already; --force' export study.db --point 1 -o kept
grep -q '^kept$' kept || fail 'export wrote over a file'
ln -s kept link
expect 0 'link: point 1' export study.db --point 1 --force -o link
{ [ -L link ] && grep -q '^l1d:' kept; } || fail 'export replaced a link'
mkfifo pipe
cat pipe >piped &
expect 0 'pipe: point 1' export study.db --point 1 -o pipe
wait
{ [ -p pipe ] && grep -q '^l1d:' piped; } || fail 'export replaced a pipe'
if [ -c /dev/full ]; then
    "$program" metrics >/dev/full 2>err && fail 'a full disk went unnoticed by metrics'
    "$program" check best.yaml >/dev/full 2>err && fail 'a full disk went unnoticed by check'
fi
expect 2 'either --best METRIC or --point ID' export study.db
expect 2 'expected a study' sweep
# A place where nothing can be written is refused before anything is planned.
for place in nowhere/study.db .; do
    expect 1 "$place" sweep study.yaml --store $place
    grep -q 'points' out && fail "planned for $place"
done
expect 1 'nowhere/r.html cannot be written' sweep study.yaml --report nowhere/r.html
grep -q 'points' out && fail 'planned for a report that cannot be written'
expect 0 'to go' sweep study.yaml --store nowhere/study.db --dry-run
expect 1 '--set l1d.size=16KiB: the study has an axis over it' sweep study.yaml --set l1d.size=16KiB
expect 1 'l2.ways is 8 there and 16 here' sweep study.yaml --set l2.ways=16
sed 's/l1d.size >= 32KiB or/l1d.size >= 32KaB or/' study.yaml >wrong.yaml
expect 1 'wrong.yaml:10' sweep wrong.yaml
echo 'notes' >notes.db
expect 1 'not a Warpscape store' sweep study.yaml --store notes.db
[ "$(cat notes.db)" = notes ] || fail 'a foreign file was touched'
sed 's/^where:/where:\n  - l1d.size < 1/' study.yaml >none.yaml
expect 1 'no machine of the space is legal: where: l1d.size < 1 removes' sweep none.yaml
[ ! -e none.db ] || fail 'a store of no points'
expect 0 'no machine of the space is legal' sweep none.yaml --dry-run
(export PATH=/nonexistent; "$program" submit study.yaml --shards 2 >out 2>&1) && fail 'submitted to no Slurm'
grep -q 'Slurm is not installed here' out || fail 'submit without Slurm'
[ ! -e study.shards ] || fail 'submit without Slurm left a folder'
echo "sweep, show and export agree"
