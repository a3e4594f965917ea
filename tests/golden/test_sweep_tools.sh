#!/bin/sh
# compare, merge, groups and fronts as their users meet them. $WARPSCAPE is the program.
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"

cat >a.yaml <<'YAML'
machine: gtx480
set: {tlb.ways: 16}
workloads: ['ATAX:n=128', 'GEMM:n=32']
axes:
  l1d.size: [16KiB, 32KiB, 48KiB]
  l1d.index: [fermi, linear]
  tlb.entries: [16, 64]
objectives: [l1d.misses, walk.memory_accesses, total.area]
metrics: [l2.misses]
YAML
sed 's/tlb.ways: 16/tlb.ways: 16, l2.ways: 16/; s/, 48KiB/, 64KiB/' a.yaml >b.yaml
expect 0 '20 points in a.db' sweep a.yaml
expect 0 '20 points in b.db' sweep b.yaml

expect 0 'machine  l2.ways     8' compare a.db b.db
grep -q '^axis  *l1d.size  *16KiB, 32KiB, 48KiB  *16KiB, 32KiB, 64KiB' out || fail 'axis'
grep -q '16 points in both, 16 of them with other values; 4 only in A, 4 only in B' out || fail 'counts'
expect 0 '20 points in both, 0 of them with other values; 0 only in A, 0 only in B' compare a.db a.db
expect 0 '"name": "l2.ways"' compare a.db b.db --format json
expect 2 'expected two stores' compare a.db

# Values of two depths are of two models: said, and such stores are never one.
cat >shallow.yaml <<'YAML'
machine: gtx480
set: {l1d.index: linear}
workloads: ['GEMM:n=32']
axes:
  l1d.size: [16KiB, 32KiB]
objectives: [l1d.miss_rate, l1d.area]
YAML
sed "1i depth: reuse" shallow.yaml >deep.yaml
expect 0 '2 points in shallow.db' sweep shallow.yaml
expect 0 '2 points in deep.db' sweep deep.yaml
expect 0 'A is of depth functional, B of depth reuse: their values come from different models' \
    compare shallow.db deep.db
grep -q '^study  *depth  *functional  *reuse' out || fail 'the depths of two stores'
expect 1 'of depth functional there and reuse here' merge both.db deep.db shallow.db
[ ! -e both.db ] || fail 'two depths in one store'
expect 1 'of depth functional there and reuse here' sweep deep.yaml --store shallow.db

expect 0 'ATAX:n=128,16384,4,2680' show a.db --group-by l1d.size --aggregate min --format csv
expect 1 "no axis over 'tlb.ways'" show a.db --group-by tlb.ways
expect 1 'differ in l1d.index' show a.db --group-by l1d.size --columns l1d.index
expect 2 '--front and --pareto show points' show a.db --group-by l1d.size --front
expect 1 'neither better low nor high' show a.db --pareto l1d.accesses
expect 1 'expected l2.misses:min or l2.misses:max' show a.db --pareto l2.misses:most
[ "$("$program" show a.db --pareto l1d.misses,walk.memory_accesses,total.area --format csv)" = \
    "$("$program" show a.db --front --format csv)" ] || fail 'the front of the objectives by name'
[ "$("$program" show a.db --pareto total.area --format csv --columns id)" = "$(printf 'id\n0\n12')" ] ||
    fail 'the front of one metric is its best point, for each workload'

expect 1 'cannot be chosen by the workload' show a.db --across mean --where "workload = 'GEMM:n=32'"
expect 2 'expected mean, geomean, min or max' show a.db --across median
expect 2 '--across chooses the --best' export a.db --across mean --point 3
expect 0 'by geomean over all 2 workloads the machine of point 5,' \
    export a.db --best l1d.misses --across geomean -o over.yaml
expect 0 'over.yaml' check over.yaml
grep -q '^# geomean over all 2 workloads:' over.yaml || fail 'the title of the best over all'

expect 1 'value 3 of l1d.size is 64KiB there and 48KiB here' merge out.db a.db b.db
[ ! -e out.db ] || fail 'a refused merge made a store'
expect 0 'out.db: 20 points, 20 new' merge out.db a.db
grep -q 'the study is complete' out || fail 'complete'
expect 0 '0 new, 40 were there with the same values' merge out.db a.db a.db
expect 0 '0 of them with other values; 0 only in A, 0 only in B' compare out.db a.db
# A store that no sweep has written says nothing of how many points it is to have.
expect 0 '100.0 %  20 / 20 points  0/s  ETA 0.0 s  without 1 store of unknown size' \
    watch --once a.db out.db
grep -qx '    -    no status file  20 points  out.db' out || fail 'watch of a merged store'
expect 1 'is the target and an input too' merge a.db a.db
expect 1 'not a Warpscape store' merge out.db a.yaml
expect 0 'report: a.html' sweep a.yaml --report a.html
"$program" report a.db -o a.md >out 2>&1 || fail 'a report as Markdown'
expect 0 '# Warpscape: a' report a.db --format md
for text in '## Pareto front' '## Best points and the baseline' 'It is a point of the study.' \
    'the study'"'"'s machine before any axis: gtx480 with what the study sets' \
    '**mean walk.memory_accesses over tlb.entries**' \
    '## Sensitivities' '## Distributions' 'digest of GEMM:n=32' 'evaluator_version'; do
    grep -qF -- "$text" a.md || fail "no '$text' in the report"
done
grep -qE '^\| l1d.misses +\| ATAX:n=128 +\| +2056 ' a.md || fail 'the best point in the report'
grep -q '<svg role="img"' a.html || fail 'no picture in the report'
# Nothing is fetched from anywhere, and each picture says what it shows.
grep -qE 'https?:|<script|<link|src=|url\(' a.html && fail 'the report needs something else'
[ "$(grep -c '<svg' a.html)" -eq "$(grep -c '^<title>.*\(Scatter\|Lines\|Histogram\)' a.html)" ] ||
    fail 'a picture without a text'
if command -v python3 >/dev/null; then
    python3 - a.html >out 2>&1 <<'PYTHON' || fail 'the HTML is not well-formed'
import html.parser, sys
class Check(html.parser.HTMLParser):
    stack, void = [], {'meta', 'path', 'circle', 'rect'}
    def handle_starttag(self, tag, attributes):
        if tag not in self.void: self.stack.append(tag)
    def handle_startendtag(self, tag, attributes): pass
    def handle_endtag(self, tag):
        if self.stack.pop() != tag: raise SystemExit('unbalanced ' + tag + str(self.getpos()))
check = Check()
check.feed(open(sys.argv[1]).read())
if check.stack: raise SystemExit('left open ' + str(check.stack))
PYTHON
fi
# A summary has the rows of the front, and the effects of all points, but no Shapley shares.
means() {
    "$program" report "$1" --format md | sed -n '/^## Sens/,/^## Dist/p' |
        awk -F '|' '/^\|/ { print $2, $4, $5, $6, $7 }' | sort
}
expect 0 '20 points in brief.db' sweep a.yaml --summary --store brief.db
expect 0 '0 new' sweep a.yaml --summary --store brief.db
expect 1 'brief.db is a summary; this run makes a store with a row for every point' sweep a.yaml --store brief.db
grep -q 'to go' out && fail 'planned for a summary that is refused'
expect 1 'a.db is a store with a row for every point; this run makes a summary' sweep a.yaml --summary --store a.db
expect 0 'brief.db is a summary of 20 points' show brief.db
expect 1 'not the same machines for every workload' show brief.db --across mean
[ "$("$program" show brief.db --front --format csv)" = "$("$program" show a.db --front --format csv)" ] ||
    fail 'the front of a summary'
means brief.db >brief.md
[ -s brief.md ] || fail 'a summary without effects'
means a.db | cmp - brief.md || fail 'the effects of a summary'
# What a summary has done is not missing there; what both have a row of is compared.
cat >one.yaml <<'YAML'
machine: gtx480
workloads: ['GEMM:n=32']
axes:
  l1d.size: [16KiB, 32KiB]
  l1d.ways: [1, 2, 4, 8]
  l1d.index: linear
  l1d.mshr.entries: [16, 32, 64]
  tlb.entries: [16, 64]
  tech.node: [20nm, 40nm]
  pwc.organization: [none, tpc, cpwc]
objectives: [total.area]
YAML
expect 0 '288 points in all.db' sweep one.yaml --store all.db
expect 0 '288 points in few.db' sweep one.yaml --summary --store few.db
rows=$("$program" show few.db --format csv --limit 0 | sed 1d | wc -l)
[ "$rows" -lt 288 ] || fail 'a summary with every row tests nothing'
for stores in 'few.db all.db' 'all.db few.db'; do
    # shellcheck disable=SC2086 # two files
    expect 0 "$rows points in both, 0 of them with other values; 0 only in A, 0 only in B" compare $stores
    grep -q "^$((288 - rows)) points not compared: done in both" out || fail 'points of a summary'
done
expect 1 'brief.db is a summary: it has no row for each point' merge out.db brief.db
# Shards that are summaries make up the whole: front, best points, effects.
for shard in 1 2 3; do
    expect 0 'points in part' sweep a.yaml --summary --shard $shard/3 --store part$shard.db
done
expect 0 'brief-merged.db: 20 points, 20 new' merge brief-merged.db part2.db part3.db part1.db
grep -q 'the study is complete' out || fail 'complete summary'
expect 0 '0 new, 20 were there' merge brief-merged.db part1.db part2.db part3.db
[ "$("$program" show brief-merged.db --format csv)" = "$("$program" show brief.db --format csv)" ] ||
    fail 'the rows of a merged summary'
means brief-merged.db | cmp - brief.md ||
    fail 'the effects of a merged summary'
expect 0 '20 new' merge brief-again.db part1.db brief.db a.db part2.db
expect 0 '10 points in half.db' sweep a.yaml --summary --shard 1/2 --store half.db
expect 1 'of its 7 points are in the inputs before too, the others are not' merge cut.db part2.db half.db
expect 1 'No such file' report nothing.db
echo 'compare, merge, groups and fronts agree'
