# The counts of a small scene, and that the picture is a PNG; as rows; and what is wrong.
warpscape raster shadow:width=160,height=120,frame=30 -o "$WORK/frame.png"
od -A n -t c -N 8 "$WORK/frame.png"
warpscape raster refract:width=80,height=60,samples=4,detail=8,fast_clear=off -f csv
warpscape raster effect2d:width=64,height=48 -o "$WORK/frame.png" --surface clor --force
warpscape raster refract:order=hilbrt,samples=3
warpscape raster GEMM
warpscape raster shadow --surface depth
