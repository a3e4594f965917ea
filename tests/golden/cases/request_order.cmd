# A window of 8 lines of one set slides by 4 of them per load, in a cache of 512 B with 4 ways: the lines that the
# next load asks for again are the last of this one in rising order, and the first in falling order.
cat >"$WORK/gather.s" <<'S'
main:
    la   t0, table
    slli t1, a0, 7
    add  t0, t0, t1
    li   t2, 100
again:
    lw   t3, 0(t0)
    addi t0, t0, 512
    addi t2, t2, -1
    bnez t2, again
    ret
.bss
table: .space 65536
S
for depth in functional timing reuse; do
    for order in falling rising; do
        warpscape run simt-processor -w "$WORK/gather.s:warps=1" --depth $depth -f csv \
            -s l1d.size=512B -s l1d.replacement=lru -s coalescer.order=$order | grep -E '^l1d.(accesses|misses),'
    done
done
