warpscape run --workload 2DCONV:n=64 --curve pwc.entries=1..16 --metric walk.accesses_per_walk --set pwc.organization=tpc --format json
