#!/bin/sh
# Runs of Accel-Sim again, by `warpscape reproduce accelsim`: one or more of each kind of kernel on
# each of the three GPUs. The cycles and all counters of every launch are Accel-Sim's own. Skipped
# without the reference data ($WARPSCAPE_SHARED or ../shared) or without python3, which makes the
# traces.
set -u
shared=${WARPSCAPE_SHARED:-$(pwd)/../shared}
[ -r "$shared/reference/accelsim/runs.csv" ] || { echo "no runs of Accel-Sim in $shared: skipped"; exit 77; }
command -v python3 >/dev/null || { echo 'without python3 there are no traces: skipped'; exit 77; }
WARPSCAPE_SHARED=$(cd "$shared" && pwd)
export WARPSCAPE_SHARED
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"

# equal ROWS WORDS: at least so many rows have these words, and ours equal theirs in each of them.
equal() {
    "$program" reproduce accelsim --only "$2" -t rows -f csv >out 2>log || fail "$2"
    python3 - "$1" "$2" <<'EOF' || fail "$2: not equal"
import csv, sys
rows = list(csv.DictReader(open('out')))
assert len(rows) >= int(sys.argv[1]), (len(rows), 'rows')
for row in rows:
    assert not row['remark'], row['remark']
    for name, theirs in row.items():
        if name.startswith('theirs.'):
            ours = row[name[len('theirs.'):]]
            assert ours == theirs, (row['run'], row['kernel'], name, ours, theirs)
EOF
}

equal 48 'real_bfs rtx3070'
equal 2 'vectoradd'
equal 7 'barrier gtx480'
equal 15 'chase rtx3070'
equal 3 'tgemm gtx480 n=32'
equal 5 'smem qv100'
equal 3 'sfu qv100'
equal 2 'reduce gtx480'
equal 6 'hist'
equal 8 'real_bfs unified_l1d_size 8'
equal 3 'stencil gtx480 n_clusters'
equal 10 'atax qv100 S:4:128:64'
exit 0
