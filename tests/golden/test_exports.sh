#!/bin/sh
# What `warpscape run --export` writes is what the formats say (docs/FORMATS.md, "Exports"), and holds as many
# events as the run counts; requests of caches are read back by the program itself.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${WARPSCAPE:=$here/../../build/release/warpscape}"
command -v python3 >/dev/null || { echo 'without python3 nothing is checked'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
cat >vcd.py <<'PYTHON'
import re


def changes(path):
    """Holds a Value Change Dump to its format; gives each change of a signal as time, name and value."""
    header, body = open(path).read().split('$enddefinitions $end\n')
    assert re.search(r'^\$timescale 1 ps \$end$', header, re.M)
    assert header.count('$scope') == header.count('$upscope') > 0
    signals = {}
    for size, name, label in re.findall(r'^\$var wire (\d+) (\S+) (\S+) \$end$', header, re.M):
        assert name not in signals
        signals[name] = int(size), label
    time = -1
    for line in body.splitlines():
        if line.startswith('#'):
            assert int(line[1:]) > time
            time = int(line[1:])
        elif not line.startswith('$'):
            bits, name = re.fullmatch(r'b([01]+) (\S+)', line).groups()
            size, label = signals[name]
            assert len(bits) <= size
            yield time, label, int(bits, 2)


def read(path):
    """The sums of its signals over time, by name."""
    counts = {}
    for _, label, value in changes(path):
        counts[label] = counts.get(label, 0) + value
    return counts
PYTHON
# check NAME MACHINE WORKLOAD LEVELS: of the caches that the machine has
check() {
    mkdir "$1"
    if ! "$WARPSCAPE" run "$2" -w "$3" --depth timing -f json --export "chrome=$1/chrome.json" \
        --export "vcd=$1/run.vcd" --export "ramulator=$1/ramulator" --export "dramsim3=$1/dramsim3" \
        --export "l1d.din=$1/l1d.din" --export "l2.din=$1/l2.din" --export "l1d.wtr=$1/l1d.wtr" \
        --export "l2.wtr=$1/l2.wtr" >"$1/metrics"; then
        failed=1
        return
    fi
    for level in $4; do
        "$WARPSCAPE" trace stats "$1/$level.din" -f json >"$1/$level.din.stats" 2>/dev/null || failed=1
        "$WARPSCAPE" trace stats "$1/$level.wtr" -f json >"$1/$level.wtr.stats" || failed=1
    done
    python3 - "$1" "$4" <<'PYTHON' || { echo "$1: not as docs/FORMATS.md says"; failed=1; }
import json, re, sys
sys.path.insert(0, '.')
import vcd
folder = sys.argv[1]
def text(name): return open(folder + '/' + name).read()
metrics = {path: metric['value'] for path, metric in json.loads(text('metrics'))['metrics'].items()}

trace = json.loads(text('chrome.json'))
open_spans, issued = set(), 0
for event in trace['traceEvents']:
    assert event['ph'] in 'MXbe' and isinstance(event['pid'], int)
    if event['ph'] == 'X':
        assert event['dur'] == 1 and event['ts'] >= 0 and isinstance(event['tid'], int)
        issued += event['name'] == 'issue'
    elif event['ph'] != 'M':
        span = event['cat'], event['id'], event['pid']
        assert (span in open_spans) == (event['ph'] == 'e')
        (open_spans.remove if event['ph'] == 'e' else open_spans.add)(span)
assert not open_spans and issued == metrics['stream.warp_instructions'] > 0

counts = vcd.read(folder + '/run.vcd')
assert counts['issue'] == issued
assert sum(counts.get('l1d_' + what, 0) for what in ('hit', 'pending', 'miss', 'sector_miss')) == metrics['l1d.accesses']

lines = [re.fullmatch(r'0x([0-9a-f]+) ([RW])', line).groups() for line in text('ramulator').splitlines()]
timed = [re.fullmatch(r'0x([0-9a-f]+) (READ|WRITE) (\d+)', line).groups() for line in text('dramsim3').splitlines()]
assert [(address, what[0]) for address, what, _ in timed] == lines
assert len(lines) == counts.get('dram_request', 0) and (lines or folder == 'simt') # whose DRAM is fixed
ticks = [int(tick) for _, _, tick in timed]
assert ticks == sorted(ticks)

for level in sys.argv[2].split():
    requests = [re.fullmatch(r'([rwi]) ([0-9a-f]+) ([0-9a-f]+)', line).groups()
                for line in text(level + '.din').splitlines()]
    assert len(requests) > 0
    if level == 'l1d':
        assert len(requests) == metrics['l1d.accesses']
    data = [request for request in requests if request[0] != 'i']
    wtr = json.loads(text(level + '.wtr.stats'))
    assert wtr['memory_instructions'] == len(data)
    assert json.loads(text(level + '.din.stats'))['memory_instructions'] == len(requests)
PYTHON
}
check gpu gtx480 GEMM:n=32 'l1d l2'
check simt simt-processor simt-convolution:n=16 l1d
# The banks of a tile cache, whose look-ups the run counts as well.
if "$WARPSCAPE" run tile-gpu -w raster-jellyfish:frames=1 --depth timing -f json --export vcd=tile.vcd >tile.json; then
    python3 - <<'PYTHON' || { echo 'tile: not as docs/FORMATS.md says'; failed=1; }
import json, sys
sys.path.insert(0, '.')
import vcd
metrics = {path: metric['value'] for path, metric in json.load(open('tile.json'))['metrics'].items()}
counts = vcd.read('tile.vcd')
looked = {name: counts.get('tile_' + name, 0) for name in ('cleared', 'hit', 'miss', 'join')}
assert sum(looked.values()) == metrics['tile.requests'] > 0
assert looked['cleared'] == metrics['tile.cleared'] and looked['join'] == metrics['tile.chained'] > 0
assert looked['miss'] + looked['join'] == metrics['tile.misses'] < metrics['tile.accesses'] == sum(looked.values()) - looked['cleared']
PYTHON
else
    failed=1
fi
# Figures 5 and 6 of the paper on the SIMT processor, its caches as 8 warps of 8 lanes multiply matrices: nothing is
# issued before the 128 words of a line have come, then an instruction per cycle; a miss of the data cache holds back all requests
# until its 8 words have come, and then requests to one line are served in a cycle each. Lines that leave a small one.
if "$WARPSCAPE" run simt-processor -w simt-matmul --depth timing --export vcd=waves.vcd >/dev/null &&
    "$WARPSCAPE" run simt-processor -w simt-matmul:n=8 -s l1d.size=128B --depth timing --export vcd=small.vcd >/dev/null; then
    python3 - <<'PYTHON' || { echo 'simt: other waveforms than those of the figures'; failed=1; }
import math, sys
sys.path.insert(0, '.')
import vcd
MEMORY, LINE = 40, 8 # cycles; words
def events(path):
    changes = list(vcd.changes(path))
    period = math.gcd(*(time for time, _, _ in changes))
    return period and [(time // period, label, value) for time, label, value in changes]
waves = events('waves.vcd')
decoded = sorted({cycle for cycle, label, value in waves if label == 'decode' and value})
assert decoded[0] > MEMORY + 128
assert any(decoded[i + 7] - decoded[i] == 7 for i in range(16)) # each of the warps in turn
lines = [(cycle, label[4:-8], address // (4 * LINE)) for cycle, label, address in waves
         if label in ('l1d_miss_address', 'l1d_hit_address', 'l1d_fill_address')]
assert lines[0][1] == 'miss' and sum(what == 'fill' for _, what, _ in lines) >= 2
for before, now in zip(lines, lines[1:]):
    if now[1] == 'fill': # the look-up before it was its miss: all others waited
        assert before[1:] == ('miss', now[2]) and now[0] - before[0] > MEMORY + LINE
assert any(a[1] == b[1] == 'hit' and a[2] == b[2] and b[0] == a[0] + 1 for a, b in zip(lines, lines[1:]))
small = vcd.read('small.vcd')
assert small['l1d_eviction'] > 0 and 'l1d_eviction' not in {label for _, label, value in waves if value}
PYTHON
else
    failed=1
fi
"$WARPSCAPE" run tile-gpu -w raster-jellyfish --depth timing --export ramulator=x >out 2>&1 &&
    { echo 'requests of a scene to DRAMs: accepted'; failed=1; }
grep -q 'ramulator is not made of a scene' out || { cat out; failed=1; }
refuse() {
    expected=$1
    shift
    "$WARPSCAPE" run gtx480 -w GEMM:n=16 "$@" >out 2>&1 && { echo "$*: accepted"; failed=1; }
    grep -q "$expected" out || { echo "$*: says"; cat out; failed=1; }
}
refuse "did you mean 'vcd'" --depth timing --export vdc=x
refuse 'expected FORMAT=FILE' --depth timing --export vcd
refuse 'expected FORMAT=FILE' --depth timing --export vcd=
refuse 'exists' --depth timing --export vcd=gpu/run.vcd
refuse 'depth timing' --export vcd=x
[ ! -e x ] || { echo 'a file was left'; failed=1; }
"$WARPSCAPE" run gtx480 -w GEMM:n=16 --depth timing --force --export vcd=gpu/run.vcd >out 2>&1 || { cat out; failed=1; }
exit $failed
