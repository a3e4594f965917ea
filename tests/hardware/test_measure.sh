#!/bin/sh
# The micro-benchmarks find what a GPU has: made_up_gpu.c stands in for the CUDA part. results.csv and
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
    'read,l1_bandwidth,64,B/cycle' 'read,l2_bandwidth,2e+12,B/s' 'read,dram_bandwidth,9e+11,B/s' \
    'coalesce,cycles_a_load,2,cycles,"lanes 1 words apart"' \
    'coalesce,cycles_a_load,5,cycles,"lanes 5 words apart"' \
    'coalesce,cycles_a_load,2,cycles,"neighbours from word 1 on"' \
    'coalesce,cycles_a_load,2,cycles,"neighbours from word 32 on"' \
    'coalesce,cycles_a_load,32,cycles,"lanes 32 words apart"'

"$WARPSCAPE" check "$work/machine.yaml"
sed -n '/^l1d:/,/^[a-z]/p' "$work/machine.yaml" >"$work/l1d"
for line in 'size: 16KiB' 'line: 128B' 'sector: 32B' 'ways: 4' 'index: linear' 'latency: 32' 'load_cycles: 2'; do
    grep -qE "^ +$line( |\$)" "$work/l1d" || { cat "$work/l1d"; echo "no '$line'"; exit 1; }
done
grep -qE '^# made up, as tests/hardware measured it' "$work/machine.yaml"
"$WARPSCAPE" run "$work/machine.yaml" -w 2DCONV:n=64 -f csv | grep -q '^l1d.miss_rate,'
# What run.sh has ncu count of the chase, as ncu prints it, loads in silicon beside that machine: the chase goes
# around 512 lines that the L1 holds, 16384 loads of one sector.
chase=$(sed -n 's/^chase="\(.*\)"$/\1/p' "$(dirname "$0")/run.sh")
{
    echo '==PROF== Connected to process 4711 (measure)'
    # shellcheck disable=SC2016 # as it stands in run.sh
    sed -n 's/^counters=//p' "$(dirname "$0")/run.sh" | sed 's/^$counters,//' | tr , '\n' | awk '
        { unit = "inst"; value = "\"65,542\"" }
        /cycles/ { unit = "cycle"; value = 600000 }
        /duration/ { unit = "us"; value = 412.5 }
        /bytes/ { unit = "Kbyte"; value = 65.54 }
        /sectors/ { unit = "sector"; value = /hit/ ? "\"15,872\"" : /ld/ ? "\"16,384\"" : 512 }
        /pct/ { unit = "%"; value = 96.88 }
        { names = names ",\"" $0 "\""; units = units ",\"" unit "\""; values = values "," value }
        END {
            print "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\"" names
            print "\"\",\"\",\"\",\"\"" units
            print "\"0\",\"chase_kernel(const unsigned int *)\",\"(1, 1, 1)\",\"(1, 1, 1)\"" values
        }'
} >"$work/PROFILE.csv"
# shellcheck disable=SC2086 # three words
set -- $chase
"$WARPSCAPE" silicon "$work/PROFILE.csv" "$work/machine.yaml" -w "CHASE:bytes=$1,stride=$2,steps=$3" \
    -f csv >"$work/compared"
for line in '^l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,16384,16384,0,' '^l1tex__t_sector_hit_rate.pct,0.9688,0.968' \
    '^dram__bytes_read.sum,65540,'; do
    grep -q "$line" "$work/compared" || { cat "$work/PROFILE.csv" "$work/compared"; echo "no $line"; exit 1; }
done
# A folder that cannot be written, and options that do not exist.
if "$measure" "$work/no/results.csv" "$work/machine.yaml" 2>/dev/null; then exit 1; fi
if "$measure" --colour red "$work/results.csv" "$work/machine.yaml" 2>/dev/null; then exit 1; fi
