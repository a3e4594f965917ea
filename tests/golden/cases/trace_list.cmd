warpscape trace list traces/gather.traceg.xz --block 7 --warp 3 --limit 3
warpscape trace list traces/sort-lackey.wtr --limit 4 --format csv
