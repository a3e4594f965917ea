#!/bin/sh
# Everything that is printed as JSON: it parses strictly, its keys are metric paths or plain words, its
# numbers are numbers in base units and never texts with a unit, and there is no NaN in it; what does
# not exist is null. docs/FORMATS.md is the schema.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${WARPSCAPE:=$here/../../build/release/warpscape}"
command -v python3 >/dev/null || { echo 'without python3 nothing is checked'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >study.yaml <<'EOF'
machine: gtx480
set: {l1d.index: linear}
workloads: [ATAX:n=64, GEMM:n=32]
axes: {l1d.size: [8KiB, 16KiB], l1d.mshr.kind: all, l2.enabled: [no, yes]}
objectives: [l1d.miss_rate, total.area]
metrics: [l2.miss_rate]
EOF
failed=0

: >checked # the subcommands that were tried

# check NAME COMMAND...: runs it, which exits with ${exits:-0}, checks the rules, then the Python on standard
# input with `data`.
check() {
    name=$1
    shift
    echo "$1" >>checked
    "$WARPSCAPE" "$@" >"$work/$name.json" 2>"$work/errors"
    if [ $? -ne "${exits:-0}" ]; then
        echo "$*: fails"
        cat "$work/errors"
        failed=1
        return
    fi
    cat >"$work/extra.py"
    python3 - "$work/$name.json" "$work/extra.py" <<'EOF' || { echo "$*: not as docs/FORMATS.md says"; failed=1; }
import json, os, re, sys
texts = ['name', 'values', 'step', 'state', 'paper', 'ours', 'version', 'capability'] + os.environ.get('texts', '').split()
def refuse(text): raise ValueError(text)
def walk(data, key=''):
    if isinstance(data, dict):
        for name, value in data.items():
            assert re.fullmatch(r'[A-Za-z0-9_.]+', name), 'key ' + repr(name)
            assert name != 'pc' or value is None or re.fullmatch('0x[0-9a-f]+|others', value), (name, value)
            walk(value, name)
    elif isinstance(data, list):
        for value in data: walk(value, key)
    elif isinstance(data, str) and key not in texts:
        assert not re.fullmatch(r'[-+]?[0-9][0-9.,]* ?(KiB|MiB|GiB|B|MHz|GHz|nm|mm2|ns|us|ms|s|ps|pJ|mW|%)?', data), (key, data)
        assert data not in ('-', 'nan', 'inf'), (key, data)
data = json.load(open(sys.argv[1]), parse_constant=refuse)
walk(data)
exec(open(sys.argv[2]).read())
EOF
}

check run run gtx480 -w ATAX:n=64 -f json <<'EOF'
assert data['machine']['l1d.size'] == 16384 and data['machine']['gpu.clock'] == 700e6
assert data['machine']['l1d.enabled'] is True and data['machine']['gpu.shared_options'] == []
rate = data['metrics']['l1d.miss_rate']
assert 0 < rate['value'] < 1 and rate['unit'] == 'ratio' and rate['exact'] is True
assert rate['error'] is None and rate['baseline'] is None
assert any(metric['value'] is None for metric in data['metrics'].values())
EOF
check curve run -w ATAX:n=64 -s l1d.index=linear --curve l1d.size=4KiB..16KiB -f json <<'EOF'
assert [row['l1d.size'] for row in data] == [4096, 8192, 16384], data
EOF
check histogram run -w ATAX:n=64 --depth reuse --histogram -f json <<'EOF'
assert data[-1]['distance'] is None and data[0]['accesses'] > 0
EOF
check by_pc run -w ATAX:n=64 --by-pc -f json </dev/null
check by_pc_timing run gtx480-accelsim --depth timing -w ATAX:n=64 --by-pc -f json <<'EOF'
assert data[0]['share_of_stall'] >= data[-1]['share_of_stall'] and data[0]['latency'] > 0
assert abs(sum(row['share_of_stall'] for row in data) - 1) < 1e-9
EOF
check want want gtx480 -w GEMM:n=16 'l1d.miss_rate <= 0.9 min total.area' --over l1d.size --depth functional \
  --no-cache -f json <<'EOF'
assert data['goal'] == 'total.area' and data['machines'] >= data['legal'] >= data['tried'] > 0
assert data['found'] and data['proof'] in ('all', 'all better'), data
EOF
check by_launch run gtx480-accelsim --depth timing -w ATAX:n=64 --by-launch -f json <<'EOF'
assert [row['launch'] for row in data] == [0, 1] and data[0]['name'] and data[0]['blocks'] == 1
assert all(row['core.cycles'] > 0 and row['l1d.fails'] >= 0 for row in data)
EOF
check steps run cpwc-example -w ATAX:n=64 --trace-steps=2 -f json <<'PY'
assert [row['walk'] for row in data] == [1, 2] and data[0]['accesses'] == 4 and data[0]['contents']
PY
check check check gtx480 quick -f json <<'PY'
assert [row['severity'] for row in data] == ['ok', 'ok'] and data[0]['message'] == 'machine'
PY
check timeline run gtx480-accelsim --depth timing -w ATAX:n=64 --timeline=7 -f json <<'EOF'
assert len(data) == 7 and data[0]['begin'] == 0
assert all(a['end'] == b['begin'] for a, b in zip(data, data[1:]))
slots = [data[3][key] for key in data[3] if key == 'core.issued' or key.startswith('core.stall')]
assert len(slots) == 7 and abs(sum(slots) - 1) < 1e-9
EOF
check plan sweep study.yaml --dry-run -f json <<'EOF'
assert data["machines"] > 0
assert data['points'] == data['machines'] * data['workloads'] and data['stored'] == 0
assert data['missing'] == data['wanted'] and data['seconds'] > 0
EOF
check explain sweep study.yaml --explain -f json <<'EOF'
assert {row['workload'] for row in data} == {'ATAX:n=64', 'GEMM:n=32'}
EOF
check sweep sweep study.yaml --no-cache -f json <<'EOF'
assert data['points'] == 32 and len(data['best']) == 2
assert all(isinstance(row['l1d.size'], int) for row in data['best'])
EOF
check show show study.db -f json <<'EOF'
assert isinstance(data[0]['id'], int) and data[0]['l1d.size'] == 8192
assert data[0]['l2.enabled'] is False and data[0]['l2.miss_rate'] is None
EOF
check across show study.db --across geomean -f json <<'EOF'
assert all(row['workloads'] == 2 for row in data) and 'workload' not in data[0]
EOF
check export export study.db --best l1d.miss_rate --to json <<'EOF'
assert data[0]['l1d.line'] == 128 and data[0]['tlb.enabled'] in (True, False)
EOF
check best export study.db --best l1d.miss_rate --across mean --to json <<'EOF'
assert data[0]['workloads'] == 2
EOF
check ideals ideals -f json <<'EOF'
assert set(data[0]) == {'ideal', 'depth', 'level', 'shows_in', 'help'} and len(data) > 30
EOF
texts='set ideals ideal' check explain explain gtx480 -w GEMM:n=16 -s gpu.sms=2 --no-cache -f json <<'EOF'
run, levers = data['run'], data['levers']
assert run['metric'] == 'core.time' and run['cycles'] > 0 and data['complete'] is True
assert data['done'] == data['planned'] > len(levers) > 100 and data['noise'] >= 0
assert data['ladder'][-1]['cycles'] == data['bound'] < run['cycles']
assert abs(sum(rung['gain'] for rung in data['ladder']) - (1 - data['bound'] / run['cycles'])) < 1e-9
assert len(data['pairs']) == 6 and all(len(pair['ideals']) == 2 for pair in data['pairs'])
assert data['sentences'] and all(one['run'].startswith('-') for one in data['sentences'])
assert run['command'] == 'warpscape run gtx480 -s gpu.sms=2 -w GEMM:n=16 --depth timing'
alone = [limit['alone'] for limit in data['limits']]
assert alone == sorted(alone, reverse=True)
gains = [lever['gain'] for lever in levers]
assert gains == sorted(gains, reverse=True) and gains[0] > 0 > gains[-1]
for lever in levers + data['lever_pairs']:
    assert abs(1 - lever['value'] / run['value'] - lever['gain']) < 1e-12
    assert all('=' in text for text in lever['set'])
    assert lever['cost'] == ('not counted' if lever['area'] is None else 'area' if lever['area'] > 0 else 'none')
EOF
check equal diff gtx480 -w GEMM:n=16 --change l1d.size=32KiB -f json <<'EOF'
assert data['equal'] is True and data['first'] is None and data['cycles'] == []
assert data['a']['events'] == data['b']['events'] > 0 and not any(part['differ'] for part in data['parts'])
EOF
exits=1 check differ diff gtx480 -w GEMM:n=16 --change l2.latency=130 -f json <<'EOF'
first = data['first']
assert data['equal'] is False and first['cycle'] == min(part['from'] for part in data['parts'] if part['differ'])
assert first['address'] == '0xf0000000' and first['sm'] == 0 and first['event'] == 'l2_miss' and first['warp'] is None
assert first['a']['cycle'] + 10 == first['b']['cycle']
launch = [row for row in data['cycles'] if row['what'] == 'launch']
assert launch[0]['difference'] == launch[0]['b'] - launch[0]['a'] == data['b']['cycles'] - data['a']['cycles'] > 0
EOF
check causes causes gtx480 -w GEMM:n=16 -f json <<'EOF'
for rows in data['uses'], data['instructions']:
    assert sum(row['cycles'] for row in rows) == data['cycles'] > 0
assert all(sum(row['stack'].values()) == row['cycles'] for row in data['instructions'])
assert sum(step['after'] for step in data['steps']) == data['cycles'] and data['event'] is None and data['cone'] is None
assert data['steps'][-1]['event'] == 'launch_end' and all(row['saved'] is None for row in data['uses'])
EOF
check cone causes gtx480 -w GEMM:n=16 --event loaded*3 --sm 1 --limit 3 -f json <<'EOF'
event, cone = data['event'], data['cone']
assert event['event'] == 'loaded' and event['sm'] == 1 and event['cycle'] == data['cycles'] and len(data['steps']) == 3
assert 0 < cone['inside'] <= cone['events'] and sum(cone['parts'].values()) == cone['inside'] and cone['sms'] >= 1
EOF
check step step gtx480 -w GEMM:n=16 --at end,2000,next:l1d_miss --cache-set l1d:0:3 -f json <<'EOF'
last = [event for event in data['events'] if event['cycle'] == data['cycle'] - 1]
assert data['cycle'] > 2000 and any(event['event'] == 'l1d_miss' and event['sm'] == data['sm'] for event in last)
assert data['first'] == data['cycle'] - 64 and all(len(warp['marks']) == 64 for warp in data['warps'])
for warp in data['warps']:
    issued = {event['cycle'] for event in data['events'] if event['event'] == 'issue'
              and (event['sm'], event['warp']) == (data['sm'], warp['warp'])}
    assert issued == {data['first'] + i for i, mark in enumerate(warp['marks']) if mark == '#'}
assert len(data['set']) == 4 and data['copies'] > 0 and data['bytes'] > 0
EOF
check step_scene step tile-gpu -w raster-shadow:width=96,height=64 --at end,2000,next:tile_miss -f json <<'EOF'
last = [event for event in data['events'] if event['cycle'] == data['cycle'] - 1]
assert data['cycle'] > 2000 and any(event['event'] == 'tile_miss' and event['request'] >= 0 for event in last)
assert all(event['sm'] is None for event in data['events'])
holds = {row['place']: row['holds'] for row in data['queues'] if row['queue'] == 'miss queue'}
for bank in data['banks']:
    assert len(bank['marks']) == 64 == data['cycle'] - data['first']
    assert sum(len(chain['requests']) for chain in bank['chains']) == holds[bank['bank']]
assert data['rasteriser']['pass'] == 1 and data['rasteriser']['reads'] >= 0 and data['copies'] > 0
EOF
check blame explain gtx480 -w GEMM:n=16 --depth functional --metric l1d.misses --what blame --no-cache -f json <<'EOF'
for cache in ('l1d', 'l2'):
    rows = {by: [row for row in data['blame'] if (row['cache'], row['by']) == (cache, by)]
            for by in ('array', 'instruction', 'launch', 'set')}
    assert all(rows.values()) and len({sum(row['misses'] for row in many) for many in rows.values()}) == 1
    assert all(set(row['gain']) == {'hits', 'bypass', 'sector', 'line', 'page'} for row in rows['array'])
assert sum(row['misses'] for row in rows['array']) > 0 and data['run']['metric'] == 'l1d.misses'
assert sum(row['misses'] for row in data['blame'] if (row['cache'], row['by']) == ('l1d', 'set')) == data['run']['value']
assert all(set(one) == {'cache', 'by', 'of', 'lines'} for one in data['evictions'])
EOF
check importance importance study.db -f json <<'EOF'
assert set(data[0]) == {'metric', 'axis', 'share', 'alone', 'lowest_at', 'lowest_mean', 'highest_at', 'highest_mean'}
EOF
"$WARPSCAPE" sweep study.yaml --no-cache --set l1d.ways=8 --store other.db >sweep.log 2>&1 || { cat sweep.log; failed=1; }
check compare compare study.db other.db -f json <<'EOF'
assert any(isinstance(row['change'], (int, float)) for row in data)
EOF
check params params l1d -f json <<'EOF'
assert [row['default'] for row in data if row['path'] == 'l1d.size'] == [16384]
EOF
check metrics metrics -f json </dev/null
check workloads workloads -f json </dev/null
check machines machines -f json <<'EOF'
assert all(row['sizes'] != 'unsaid' for row in data)
assert all(row['kind'] == 'graphics' if row['sms'] is None else row['sms'] >= 1 for row in data)
EOF
check cards machine cards -f json </dev/null
check workload workloads GEMM -f json </dev/null
check info trace info ATAX:n=64 -f json </dev/null
check stats trace stats ATAX:n=64 -f json </dev/null
check list trace list ATAX:n=64 -n 3 -f json <<'EOF'
assert len(data) == 3
EOF
check papers reproduce -f json </dev/null
check area area -f json </dev/null
check probe probe -f json </dev/null
check silicon silicon "$here/../profiles/2dconv.csv" gtx480 -w 2DCONV:n=128 -f json </dev/null
check bench bench cache --seconds 0s -w ATAX:n=64 -f json <<'EOF'
assert data[0]['seconds'] >= 0 and data[0]['configuration_rate'] is None
EOF
printf 'main: la t0, x\n lw t1, 0(t0)\n addi t1, t1, -430\n sw t1, 0(t0)\n ret\n.data\nx: .word 429\n.float 0.5\n' >program.s
check simt simt run program.s:warps=1,lanes=1 --print x:1 -f json <<'EOF'
rows = {row['count']: row['value'] for row in data}
assert rows['loads'] == 1 and rows['SIMD efficiency'] == 1 and rows['x+0x0'] == 2**32 - 1
EOF
check simt_profile simt run program.s --profile -f json <<'EOF'
assert data[0]['line'] == 1 and data[0]['issued'] == 8 and data[0]['efficiency'] == 1
EOF
check simt_disasm simt disasm program.s -f json <<'EOF'
assert data[0]['label'] == 'main' and data[1]['label'] is None
EOF
check raster raster effect2d:width=64,height=64 -f json <<'EOF'
assert data[0]['lines'] == 256 and data[0]['overdraw'] > 0
EOF
check tile tile -w effect2d:width=64,height=64 --map misses -f json </dev/null
check tile_steps tile -w effect2d:width=64,height=64 --steps 5 -f json </dev/null
check replace replace -f json <<'EOF'
assert all(row['bits_of_16'] >= 0 for row in data)
EOF
check replace_words replace lru A B A C -f json <<'EOF'
assert data[2]['result'] == 'hit' and data[2]['way'] == 0
EOF
check schedule schedule -f json <<'EOF'
assert [row['reads'] for row in data if row['policy'] == 'swl'] == ['scheduler.active']
EOF
texts=warps check schedule_cycles schedule gto 6,7 - 5,m7 -f json <<'EOF'
assert [row['issues'] for row in data] == ['w7', None, 'w5'] and data[1]['cycle'] == 2
EOF
check replace_set replace -w ATAX:n=64 -n 3 -f json <<'EOF'
assert data[0]['step'] == 1 and data[0]['line'].startswith('0x')
EOF
# The options of another program, as it writes them.
texts='default as_modelled' check options convert --options -f json </dev/null
check paper reproduce cpwc -t bits -f json </dev/null

# Whoever has --format is checked above, but for documents, of which other formats are asked.
"$WARPSCAPE" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
[ "$(wc -l <commands)" -gt 20 ] || { echo 'no list of commands'; failed=1; }
while read -r command; do
    if "$WARPSCAPE" "$command" --help | grep -q -- '--format=' && [ "$command" != report ] &&
        ! grep -qx "$command" checked; then
        echo "$command: has --format, and no check"
        failed=1
    fi
done <commands

# CSV has the keys of JSON and a cell for each.
while read -r line; do
    # shellcheck disable=SC2086 # words of a command
    "$WARPSCAPE" $line -f csv >rows.csv 2>errors || { cat errors; failed=1; }
    # shellcheck disable=SC2086
    "$WARPSCAPE" $line -f json >rows.json 2>errors || { cat errors; failed=1; }
    python3 - <<'EOF' || { echo "$line: CSV is not as JSON"; failed=1; }
import csv, json
rows = list(csv.reader(open('rows.csv', newline='')))
data = json.load(open('rows.json'))
assert rows[0] == list(data[0]) and len(rows) == len(data) + 1
assert all(len(row) == len(rows[0]) for row in rows)
EOF
done <<'EOF'
simt run program.s --print x:2
simt run program.s --profile
simt disasm program.s
raster effect2d:width=64,height=64
tile -w effect2d:width=64,height=64 --map time
replace lru A B A C
schedule tb_priority 0-7 -
replace -w ATAX:n=64 -n 3
metrics l1d
params l1d
workloads GEMM
trace list ATAX:n=64 -n 3
area
show study.db
importance study.db
EOF
exit $failed
