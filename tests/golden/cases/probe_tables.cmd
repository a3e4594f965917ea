warpscape probe --format csv -s l1d.mshr.per_warp=3 -s l1d.ways=8 -s l1d.index=xor
warpscape probe --table index --format json
warpscape probe --table stride --format csv | grep -E '^(log2|12|20),'
