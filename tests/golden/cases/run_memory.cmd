# The memory chart of a GPU and of a tile cache; it is a picture, so programs are sent elsewhere.
warpscape run gtx480 -w GEMM:n=16 -s gpu.sms=4 --depth timing --chart memory
warpscape run gtx480 -w GEMM:n=16 -s gpu.sms=1 --depth timing --chart gains
warpscape run gtx480 -w GEMM:n=16 --depth timing --chart gains --ideal l1d.hits
warpscape run gtx480 -w GEMM:n=16 --depth timing --chart gains --export chrome=x.json
warpscape run tile-gpu -w raster-shadow:width=64,height=64 --depth timing --chart memory
warpscape run gtx480 -w GEMM:n=16 --chart memory -f csv
warpscape run gtx480 -w GEMM:n=16 --chart memory --by-pc
# With an L2 beyond its tile cache.
warpscape run tile-gpu --depth timing -s tile.l2.size=256KiB --chart memory | head -4
