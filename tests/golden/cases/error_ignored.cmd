# An option that a command would ignore is refused.
warpscape machine new --card T4 -f json
warpscape machine cards T4 -o t4.yaml
warpscape trace import traces/sort.din -o sort.wtr -f json
warpscape trace info GEMM:n=32 --limit 3
warpscape trace list GEMM:n=32 --force
warpscape simt disasm simt/loop.s --profile
warpscape simt asm simt/loop.s -o loop.bin --print x
warpscape simt run simt/loop.s --force
warpscape tile -w refract --map overdraw -o map.png -f json
warpscape convert --options -o options.txt
