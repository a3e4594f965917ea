warpscape simt run simt/matmul.s:warps=4,lanes=4 --print result:16
warpscape simt run simt/line.s:warps=1,lanes=4,N=4 --profile
warpscape simt run simt/line.s:warps=1,stack=64KiB | head -3
warpscape simt run simt/line.s:warps=1,stack=64kib
warpscape simt disasm simt/loop.s
warpscape run gtx480 -w simt-matmul -f csv | head -4
printf 'main: li a0, 1\n la t0, w\n amoadd.w a1, a0, (t0)\n fsflags a1, x0\n ret\n.data\nw: .word 3\nhalf: .float 0.5\n' >"$WORK/atomic.s"
warpscape simt run "$WORK/atomic.s" --print w:1 -f json
warpscape simt run "$WORK/atomic.s:warps=1" --print half --floats -f csv | tail -2
warpscape simt run "$WORK/atomic.s" --print w --profile -f json
