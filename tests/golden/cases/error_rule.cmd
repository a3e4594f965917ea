# Each value is in its range; together they make no cache.
warpscape run --set l1d.size=10KiB --set l1d.ways=3
