# A sweep that ends early, of an axis that another one confounds, and of whole workloads that are missing.
cat >"$WORK/c.yaml" <<END
machine: gtx480
set: {l1d.index: linear}
workloads: ["GEMM:n=32", "ATAX:n=64"]
axes:
  l1d.size: [8KiB, 16KiB]
  l1d.ways: [4, 8]
where: ["(l1d.size = 8KiB) = (l1d.ways = 4)"]
objectives: [l1d.misses, total.area]
END
warpscape sweep "$WORK/c.yaml" --no-cache -o "$WORK/c.db" 2>/dev/null | sed -n '/^best/p; /^front/p'
warpscape importance "$WORK/c.db" --within
warpscape report "$WORK/c.db" -f md | sed -n '/^Coverage/p; /^## Sens/,/^## Dist/p'
warpscape export "$WORK/c.db" --best l1d.misses | sed -n '1,3p'
