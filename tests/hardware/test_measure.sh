#!/bin/sh
# The micro-benchmarks find what a GPU has: gpu_made_up.c stands in for the CUDA part. results.csv and
# machine.yaml are what run.sh would write on a machine with a GPU.
set -eu
: "${WARPSCAPE:=build/release/warpscape}"
measure=$(dirname "$WARPSCAPE")/tests/measure_made_up
[ -x "$measure" ] || { echo "no $measure"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$measure" "$work/results.csv" "$work/machine.yaml" 2>"$work/left_out"
grep -q 'l2.size = 1048576 is left out: it breaks a rule of the machine' "$work/left_out"
[ "$(wc -l <"$work/left_out")" -eq 1 ] || { cat "$work/left_out"; exit 1; }

# expect LINE...: each stands in results.csv
expect() {
    for line; do
        grep -qF "$line" "$work/results.csv" && continue
        cat "$work/results.csv"
        echo "results.csv has no '$line'"
        exit 1
    done
}
expect 'device,sms,8,,"made up"' \
    'chase,level1_latency,32,cycles' 'chase,level1_capacity,16384,B' \
    'chase,level2_latency,210,cycles' 'chase,level2_capacity,105' \
    'chase,line,128,B' 'chase,fetch,32,B' \
    'chase,tlb_entries,16,' 'chase,page,65536,B' 'chase,translation,300,cycles' \
    'MB1,hit_time,32,cycles' 'MB1,miss_time,210,cycles' 'MB1,line,128,B' 'MB1,lines,128,' \
    'MB1,ways,4,' 'MB1,sets,32,' 'MB1,index,,,"linear' 'MB2,mshr_per_sm,48,' \
    'read,l1_bandwidth,128,B/cycle' 'read,l2_bandwidth,2e+12,B/s' 'read,dram_bandwidth,9e+11,B/s' \
    'coalesce,cycles_a_load,1,cycles,"lanes 1 words apart"' \
    'coalesce,cycles_a_load,32,cycles,"lanes 32 words apart"'

"$WARPSCAPE" check "$work/machine.yaml"
sed -n '/^l1d:/,/^[a-z]/p' "$work/machine.yaml" >"$work/l1d"
for line in 'size: 16KiB' 'line: 128B' 'sector: 32B' 'ways: 4' 'index: linear' 'latency: 32'; do
    grep -qE "^ +$line( |\$)" "$work/l1d" || { cat "$work/l1d"; echo "no '$line'"; exit 1; }
done
grep -qE '^# made up, as tests/hardware measured it' "$work/machine.yaml"
"$WARPSCAPE" run "$work/machine.yaml" -w 2DCONV:n=64 -f csv | grep -q '^l1d.miss_rate,'
# A folder that cannot be written, and options that do not exist.
if "$measure" "$work/no/results.csv" "$work/machine.yaml" 2>/dev/null; then exit 1; fi
if "$measure" --colour red "$work/results.csv" "$work/machine.yaml" 2>/dev/null; then exit 1; fi
