cat >"$WORK/p.yaml" <<END
machine: gtx480
set: {l1d.index: linear}
workloads: ["GEMM:n=32", "ATAX:n=64"]
axes:
  l1d.size: [8KiB, 16KiB]
  l1d.ways: [4, 8]
  tlb.entries: [64, 128]
objectives: [l1d.misses, total.area]
END
warpscape sweep "$WORK/p.yaml" --no-cache -o "$WORK/p.db" >/dev/null 2>&1
warpscape compare "$WORK/p.db" --points 0,7
warpscape compare "$WORK/p.db" --points 7,4 --format csv
warpscape compare "$WORK/p.db" --points 0,8
warpscape compare "$WORK/p.db" --points 0,x
