# A scene on a tile cache: its picture and its maps in characters, banks and time; as rows.
export COLUMNS=80
scene=shadow:width=160,height=120,frame=30
for map in frame banks overdraw misses reads chains stalls time; do
    warpscape tile -w "$scene" --map $map
done
warpscape tile -w "$scene" --map chains --surface "shadow map"
warpscape tile -w "$scene" --map banks -s tile.partition=quadrant -s tile.banks=8 -f csv
warpscape tile -w "$scene" --map misses -f csv | sed -n '1,3p; 600,602p'
warpscape tile -w "$scene" --map time -f csv | sed -n '1,3p'
warpscape tile -w "$scene" --map reads -o "$WORK/reads.png"
od -A n -t c -N 8 "$WORK/reads.png"
# The miss queue, step by step: as text, from a step on, as rows.
warpscape tile -w shadow:width=160,height=120 --steps 14 --from 1360
warpscape tile -w shadow:width=160,height=120 --steps 4 --from 1362 -f csv
warpscape tile -w refract:width=64,height=64 --steps 6 -s tile.queue.kind=mshr
# What is wrong.
warpscape tile -w GEMM
warpscape tile -w "$scene" --map time -o "$WORK/time.png"
warpscape tile -w "$scene" --map reads -o "$WORK/reads.png"
warpscape tile gtx480 -w "$scene" --map misses
warpscape tile gtx480 -w "$scene" --steps 3
warpscape tile -w "$scene" --map mises
warpscape tile -w "$scene" --surface clor
warpscape tile -w "$scene" --steps 3 --bank 4
warpscape tile -w "$scene" --steps 3 --surface colour
