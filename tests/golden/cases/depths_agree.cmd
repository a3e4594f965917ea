# What passes the L1D by, and textures, count alike at both depths that count them.
cat >"$WORK/skip.yaml" <<'END'
gpu: {sms: 4}
coalescer: {arch: 60}
l1i: {enabled: no}
l1d: {size: 32KiB, ways: 64, line: 128B, sector: 32B, index: linear, skip: yes}
END
for depth in functional timing; do
    warpscape run "$WORK/skip.yaml" -w GEMM:n=32 --depth $depth -f csv |
        grep -E '^(l1d|l2).(accesses|misses),'
    warpscape run p40 -w AES --depth $depth -f csv |
        grep -E '^(stream.records.texture|stream.transactions|l1d.accesses),'
    warpscape run gtx480 -w AES --depth $depth | grep 'note: .* texture'
done
# An L1I fetches through the L2 where time passes: 4 SMs miss 12 lines of 128 B, in sectors of 32 B.
warpscape run "$WORK/skip.yaml" -w GEMM:n=32 --depth timing -s l1i.enabled=yes |
    grep -E '^  (accesses|misses) .*exact|note: l2'
