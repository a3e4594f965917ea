warpscape run --depth reuse --workload 2DCONV:n=64 --format csv | grep -E 'l1d[.](accesses|miss|reuse)'
