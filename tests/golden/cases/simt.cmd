warpscape simt run simt/matmul.s:warps=4,lanes=4 --print result:16
warpscape simt run simt/line.s:warps=1,lanes=4,N=4 --profile
warpscape simt disasm simt/loop.s
warpscape run gtx480 -w simt-matmul -f csv | head -4
