# The misses of four sectors of 32 B in caches of 64 B lines, by every kernel.
for i in 1 2 3 4 5 6 7 8; do printf '0 0\n0 20\n1 40\n0 4000\n0 8000\n'; done >"$WORK/few.din"
for kernel in best plain; do
    warpscape bench lru-grid --workload "$WORK/few.din" --seconds 0s --grid 352 --kernel $kernel \
        --csv "$WORK/$kernel.csv" --format csv | cut -d, -f1-2
    grep -E '^policy|,(256|512),[123],' "$WORK/$kernel.csv"
done
cmp "$WORK/best.csv" "$WORK/plain.csv"
warpscape bench lru-grid --workload "$WORK/few.din" --seconds 0s --threads 1 --grid fifo112 \
    --csv "$WORK/fifo.csv" --format csv | cut -d, -f1-2
sed -n '1,5p' "$WORK/fifo.csv"
# Two sectors, though this GPU's request for them is a segment of four.
printf 'r 1038 a\n' >"$WORK/middle.din"
warpscape bench lru-grid --workload "$WORK/middle.din" --machine gtx480 --seconds 0s --threads 1 \
    --grid 1242 --csv "$WORK/middle.csv" --format csv | cut -d, -f1-2
sed -n '1,2p' "$WORK/middle.csv"
warpscape bench lru-grid --grid 353
