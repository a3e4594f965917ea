# What an array and an instruction gain if they always hit; page walks that read through the L2; halves.
warpscape explain gtx480 -w ATAX:n=32 -s gpu.sms=2 --what blame --depth functional --no-cache -n 3
warpscape explain gtx480 -w ATAX:n=32 -s gpu.sms=2 -s walker.l2=yes --what blame --depth functional --no-cache -f csv | grep 'instruction,page'
warpscape explain a100 -w ATAX:n=32 --what blame --depth functional --no-cache -f csv | grep '^l2,array'
