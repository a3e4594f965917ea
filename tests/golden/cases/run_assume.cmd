printf '0 1000\n1 1004\n0 40\n0 1080\n' > "$WORK/small.din"
printf 'warp,address\n0,0x1000\n1,0x1080\n' > "$WORK/small.csv"
printf ' L 00001000,8\n S 00001008,8\n' > "$WORK/small.lackey"
printf '\0\20\0\0\0\0\0\0\200\20\0\0\0\0\0\0' > "$WORK/small.u64"
for trace in din csv lackey u64; do
    for how in serial independent; do
        warpscape run gtx480-accelsim --depth timing -w "$WORK/small.$trace" --assume $how |
            grep -e origin: -e ' cycles  ' -e 'note:.*assum'
    done
done
warpscape run gtx480-accelsim --depth timing -w ATAX:n=64 --assume serial | grep -c 'note:.*assum'
warpscape run gtx480-accelsim --depth timing -w "$WORK/small.din"
