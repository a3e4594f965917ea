warpscape trace stats traces/sort-lackey.wtr --format json
