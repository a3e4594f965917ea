# A profile of a fill and three rounds: what stands for the two launches of the workload.
warpscape silicon tests/profiles/ncu-rounds.csv rtx3070 -w ATAX:nx=192,ny=192 | sed -n 1,12p
warpscape silicon tests/profiles/ncu-rounds.csv rtx3070 -w ATAX:nx=192,ny=192 --launches mean -f csv
warpscape silicon tests/profiles/ncu-rounds.csv rtx3070 -w ATAX:nx=192,ny=192 --launches all --kernel atax_kernel1 | sed -n 4,5p
warpscape silicon tests/profiles/ncu-rounds.csv rtx3070 -w ATAX:nx=512,ny=192 --launches match; echo $?
warpscape silicon tests/profiles/nvprof-trace.csv gtx480 -w BICG:nx=512,ny=512 | sed -n 1,14p
