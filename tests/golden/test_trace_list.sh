#!/bin/sh
# What `warpscape trace list -f csv` prints is a trace, of the same records: listed again it is the
# same text, and a machine answers the same. Random traces, programs and lists of addresses.
set -u
: "${WARPSCAPE:=build/release/warpscape}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# random SEED: accesses of several launches, blocks and warps, with masks and flags.
random() {
    awk -v seed="$1" 'BEGIN {
        srand(seed)
        print "launch,block,warp,pc,gap,op,space,bytes,mask,addresses,flags"
        split("load store atomic", ops); split("global local texture constant", spaces)
        split(" past_l1", flags)
        for (i = 0; i < 400; i++) {
            lanes = 1 + int(rand() * 32); base = int(rand() * 1e6) * 4; text = ""
            for (k = 0; k < lanes; k++)
                text = text sprintf("%s0x%x", k ? " " : "", rand() < .5 ? base + 4 * k : int(rand() * 1e9))
            mask = lanes == 32 ? "0xffffffff" : sprintf("0x%08x", 2 ^ lanes - 1)
            printf "%d,%d,%d,0x%x,%d,%s,%s,%d,%s,%s,%s\n", rand() * 3, rand() * 4, rand() * 3,
                   int(rand() * 16) * 16, rand() < .7 ? 0 : rand() * 50, ops[1 + int(rand() * 3)],
                   spaces[1 + int(rand() * 4)], 2 ^ int(rand() * 4), mask, text,
                   rand() < .2 ? "past_l1" : ""
        }
    }' >"$2"
}

# again NAME TRACE: lists a trace, and the list.
again() {
    if ! { "$WARPSCAPE" trace list "$2" -f csv >"$scratch/first.csv" &&
        "$WARPSCAPE" trace list "$scratch/first.csv" -f csv >"$scratch/second.csv"; }; then
        echo "$1: cannot be listed"
        failed=1
        return
    fi
    cmp -s "$scratch/first.csv" "$scratch/second.csv" ||
        { echo "$1: the list of its list differs"; diff "$scratch/first.csv" "$scratch/second.csv" | head -4; failed=1; }
    [ "$(wc -l <"$scratch/first.csv")" -gt 5 ] || { echo "$1: nothing was listed"; failed=1; }
}

seed=1
while [ $seed -le 8 ]; do
    random $seed "$scratch/random.csv"
    again "random $seed" "$scratch/random.csv"
    seed=$((seed + 1))
done
printf '0 40\n1 80\n2 100\n0 82\n0 40\n' >"$scratch/few.din"
again din "$scratch/few.din"
again lackey traces/sort-lackey.wtr
again GEMM GEMM:n=32 # more than a table shows
again MVT MVT:n=32

for workload in "$scratch/random.csv" GEMM:n=16 "$scratch/few.din"; do
    "$WARPSCAPE" trace list "$workload" -f csv >"$scratch/list.csv"
    for source in "$workload" "$scratch/list.csv"; do
        "$WARPSCAPE" run rtx2060 -w "$source" -f csv | grep -E '^(l1d|l2|tlb)[.](accesses|misses),' >"$scratch/$(basename "$source").counts"
    done
    cmp -s "$scratch/$(basename "$workload").counts" "$scratch/list.csv.counts" ||
        { echo "$workload: a machine counts its list otherwise"; failed=1; }
done
exit $failed
