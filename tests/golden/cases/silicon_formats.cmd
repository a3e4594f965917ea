# What others print: rows of ncu that end behind the value, its summaries, counters and times of nvprof in one log,
# Nsight Systems, and loads that Pascal counts in pieces.
warpscape silicon tests/profiles/ncu-short-rows.csv rtx4090 -w VECTORS:n=65536 | sed -n '1p;/^counter/,/^mean/p'
warpscape silicon tests/profiles/ncu-summary.txt rtx4090 -w VECTORS:n=65536 | sed -n '1p;5,/^mean/p'
warpscape silicon tests/profiles/ncu-2025-summary.csv h100 -w VECTORS:n=65536 | sed -n '1p;5,/^mean/p'
warpscape silicon tests/profiles/nvprof-both.txt v100 -w VECTORS:n=65536 | sed -n '1p;/^counter/,/^mean/p'
warpscape silicon tests/profiles/nvprof-pascal.txt gtx1080 -w VECTORS:n=32768,operands=1,grid=32,block_x=1024 | sed -n '1p;/^counter/,$p'
warpscape explain --profile tests/profiles/nvprof-pascal.txt gtx1080 -w VECTORS:n=32768,operands=1,grid=32,block_x=1024 --depth functional --fit l1d.sector 2>&1; echo $?
warpscape silicon tests/profiles/nsys-kernels.csv rtx4090 -w VECTORS:n=1024 | sed -n '1p;5,$p'
printf 'NVR\0' >"$WORK/a.ncu-rep"; warpscape silicon "$WORK/a.ncu-rep" 2>&1 | sed 's/.*a.ncu-rep/a.ncu-rep/'
