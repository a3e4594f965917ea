warpscape help l2.latency -f json
warpscape silicon nosuch.csv
warpscape help scedule
warpscape rum
warpscape gtx48
warpscape help gtx480 -f json
