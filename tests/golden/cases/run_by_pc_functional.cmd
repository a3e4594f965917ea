warpscape run --workload bfs-4096 --by-pc --format csv | head -n 4
