# Equal runs, also of machines whose difference nothing notices.
warpscape diff gtx480 gtx480 -w GEMM:n=32; echo "$?"
warpscape diff gtx480 -w GEMM:n=32 --change l1d.size=32KiB -f json | sed -n '/"cycles": \[/,$!p' | head -12
# One of 64 loads is to another address: it is named, and all that follows from it.
{
    echo op,pc,block,warp,address
    for i in $(seq 0 63); do
        echo "load,$((i * 16)),$((i % 8)),$((i % 2)),$((i * 4096))"
    done
} >"$WORK/a.csv"
sed 's/,163840$/,999424/' "$WORK/a.csv" >"$WORK/b.csv"
cd "$WORK" || exit
warpscape diff gtx480 -w a.csv --against b.csv --assume serial; echo "$?"
warpscape diff gtx480 -w a.csv --against b.csv --assume serial -f json |
    sed -n '/"first"/,/"a": /p'
# Two machines.
warpscape diff gtx480 titanv -w GEMM:n=32 -n 2; echo "$?"
warpscape diff gtx480 -w GEMM:n=32 --change l2.latency=130 -n 1 -f csv
# Scenes.
warpscape diff tile-gpu --change tile.l2.size=64KiB; echo "$?"
warpscape diff tile-gpu --change tile.pipelines=8 | sed -n '4,6p'
# Other kernels: what bears the same number is not the same.
warpscape diff gtx480 -w GEMM:n=32 --against ATAX:n=32 | sed -n '/^Cycles won/,$p'
warpscape diff gtx480 -w GEMM:n=32 --against GEMM:n=48 -f csv -n 0 | cut -d, -f1 | sort | uniq -c
