# Forwards, backwards, the same again.
warpscape step gtx480 -w GEMM:n=32 --at 5000,previous:l1d_hit --cache-set l1d:1:3 -n 3
warpscape step gtx480 -w GEMM:n=32 --at 5000,previous:l1d_hit >"$WORK/once"
warpscape step gtx480 -w GEMM:n=32 --at end,12000,next:miss,100,5000,previous:l1d_hit --memory 1B >"$WORK/again"
cmp "$WORK/once" "$WORK/again" && echo equal
warpscape step gtx480 -w GEMM:n=32 --at end,previous:block_end*2 -f csv
# A line's life: from the first request of it to the fill that brings it.
warpscape step gtx480 -w GEMM:n=32 --address 0x80001480 --at next:request,next:l1d_miss,next:l1d_fill -n 1 | sed -n '1p; /In cycle/,/^$/p'
# A barrier, and an L1D whose MSHRs are too few.
warpscape step gtx480 -w HOTSPOT:n=32 --at next:barrier*6 --sm 0 -n 4 | sed -n '/why/,/Queues/p'
warpscape step gtx480 -w ATAX:n=64 -s l1d.mshr.entries=2 --at next:refusal -n 6 | sed -n '/why/,/Queues/p'
# A warp's seventh instruction.
warpscape step gtx480 -w GEMM:n=32 --sm 1 --warp 3 --at instruction:6 -n 6 | sed -n '1p; /In cycle/,/^$/p'
# Whoever stops it sees how far it came.
timeout --preserve-status -s INT 2 warpscape step gtx480 -w GEMM:n=2048 --at end -f json >"$WORK/stopped"; echo "exit $?"
jq -c '[.ended, .cycle > 0, (.warps | length > 0)]' "$WORK/stopped"
# A scene: banks, their chains, what the rasteriser waits for; a bank's n-th refusal, and the pass after it.
warpscape step tile-gpu -w raster-shadow:width=96,height=64 --at next:refusal*400 -n 4
warpscape step tile-gpu -w raster-shadow:width=96,height=64 --at next:refusal*400 >"$WORK/once"
warpscape step tile-gpu -w raster-shadow:width=96,height=64 --at end,2000,next:miss,0,next:refusal*400 --memory 1B >"$WORK/again"
cmp "$WORK/once" "$WORK/again" && echo equal
warpscape step tile-gpu -w raster-shadow:width=96,height=64 --bank 2 --at pass:1,next:tile_eviction -n 3 | sed -n '1p; /In cycle/,/^$/p; /Chains/,$p'
warpscape step tile-gpu -w raster-shadow:width=96,height=64 --at end,previous:tile_write -f csv
# Sets of an L1I, and of a bank of a tile cache.
warpscape step simt-processor --at 400 --cache-set l1i:0:0 -f json | sed -n '/"set"/,/}/p'
warpscape step tile-gpu --at 200000 --cache-set tile:1:5 -n 2 | sed -n '/bank 1, set 5/,/^Chains/p'
