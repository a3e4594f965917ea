printf 'main: adi a0, a0, 1\n lw a1, 0(a8)\n j nowhere\n' >"$WORK/wrong.s"
warpscape simt disasm "$WORK/wrong.s"
warpscape simt run simt/loop.s:warp=4
warpscape simt run simt/loop.s:cores=4
warpscape simt run simt-fft:n=100
printf 'main: lw a1, 2(zero)\n' >"$WORK/fault.s"
warpscape simt run "$WORK/fault.s"
warpscape simt run simt/none.s
warpscape simt asm simt/loop.s
