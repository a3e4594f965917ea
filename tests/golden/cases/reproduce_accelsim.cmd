# Made-up rows: a trace that comes with the program, a command that is not run, an option without sense.
cp traces/gather.traceg.xz "$WORK"
columns=cycles,warp_insn,l1d_accesses,l1d_misses,l1d_pending_hits,l1d_LINE_ALLOC_FAIL,l1d_MISS_QUEUE_FULL,l1d_MSHR_ENRTY_FAIL,l1d_MSHR_MERGE_ENRTY_FAIL,l1d_MSHR_RW_PENDING,l1d_rd_hit,l1d_rd_miss,l1d_rd_sector_miss,l2_accesses,l2_misses,l2_pending_hits,dram_reads,dram_writes
counts=$(echo "$columns" | sed 's/[A-Za-z_0-9]*/1/g')
{
    echo "run,family,trace_cmd,gpu,options,kernel,kernel_name,$columns"
    echo "a,gather,shared/gather.traceg.xz,SM2_GTX480,-gpgpu_n_clusters 1,1,k,$counts"
    echo "b,gather,shared/gather.traceg.xz,SM2_GTX480,-gpgpu_n_clusters none,1,k,$counts"
    echo "c,gather,python3 gen_kernels.py OUT; rm x,SM7_QV100,,1,k,$counts"
    echo "d,gather,shared/none.traceg,SM0_NONE,\"-gpgpu_cache:dl1 S:4:128:64,L\",1,k,$counts"
    echo "e,gather,shared/gather.traceg.xz,SM7_QV100,,2,k,$counts"
} >"$WORK/runs.csv"
export WARPSCAPE_SHARED="$WORK"
warpscape reproduce accelsim --runs "$WORK/runs.csv" -t summary -f csv | cut -d, -f1-4
warpscape reproduce accelsim --runs "$WORK/runs.csv" -t rows -f json | tr ',' '\n' |
    grep -E '"(run|remark)"'
warpscape reproduce accelsim --runs "$WORK/runs.csv" --only 'gtx480 clusters' -t pairs
warpscape reproduce accelsim --runs "$WORK/runs.csv" -j 1 >"$WORK/one"
warpscape reproduce accelsim --runs "$WORK/runs.csv" -j 2 | cmp - "$WORK/one" && grep '^note: no' "$WORK/one"
warpscape reproduce accelsim --runs "$WORK/runs.csv" --only 'nothing'
