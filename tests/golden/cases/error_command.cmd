warpscape silicon nosuch.csv
warpscape help scedule
warpscape rum
warpscape gtx48
