warpscape trace stat traces/sort-lackey.wtr
