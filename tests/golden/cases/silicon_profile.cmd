warpscape silicon tests/profiles/2dconv.csv gtx480 -w 2DCONV:n=128
warpscape silicon tests/profiles/nvprof.txt gtx480 -w 2DCONV:n=128 --kernel other -f csv
warpscape silicon tests/profiles/ncu-details.txt gtx480 -w 2DCONV:n=128 --table others -f md
warpscape silicon tests/profiles/ncu-2020.txt gtx480 -w 2DCONV:n=128 | sed -n 1,12p
