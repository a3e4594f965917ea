cd "$WORK"
launch='- nregs 16 - shmem 0 - cuda stream id 0'
{
    echo 'MEMTRACE: CTX 0x400000 - LAUNCH - Kernel pc 0x10 - Kernel name add(double*) - grid launch id 0 - grid size 1,1,1 - block size 32,1,1' "$launch"
    printf 'MEMTRACE: CTX 0x400000 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E.64 -'
    for lane in 0 1 2 3 4 5 6 7; do printf ' 0x7f000100000%x' $((lane * 8 % 16)); done
    echo
    echo 'MEMTRACE: CTX 0x400000 - LAUNCH - Kernel pc 0x10 - Kernel name void ns::scale<float, 4>(float*) - grid launch id 1 - grid size 2,1,1 - block size 64,1,1' "$launch"
    echo 'MEMTRACE: CTX 0x400000 - grid_launch_id 1 - CTA 1,0,0 - warp 7 - STG.E - 0x7f0001000100 0x7f0001000104'
} >mem.txt
warpscape trace info mem.txt
warpscape trace list mem.txt
warpscape run rtx2060 -w mem.txt:kernel=scale -f csv | grep -E '^(stream.transactions|l1d.accesses),'
warpscape run rtx2060 -w mem.txt:kernel=scal,7
warpscape trace import 'mem.txt:kernel=1' -o one.wtr && warpscape trace info one.wtr:kernel=1 | tail -1
warpscape run rtx2060 -w mem.txt --format-in lackey
