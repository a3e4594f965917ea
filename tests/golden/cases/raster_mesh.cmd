# A mesh of one's own as a workload, and meshes that are wrong.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$WORK/pyramid.obj"
warpscape raster "$WORK/pyramid.obj:scene=shadow,width=80,height=60"
warpscape trace stats "$WORK/pyramid.obj:width=80,height=60" | grep tile
printf 'v 0 0 0\nv 1 zero 0\nv 0 1 0\nf 1 2 9\n' >"$WORK/wrong.obj"
warpscape raster "$WORK/wrong.obj"
printf 'MMxx' >"$WORK/wrong.3ds"
warpscape raster "$WORK/wrong.3ds"
XDG_DATA_DIRS=$WORK warpscape raster refract:mesh=bunny
# Normals that are not there, any unit of length, nothing to draw, comments behind numbers.
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0 # the third\nv 0 1 0\nf 1//1 2//2 3//3 4//4\n' >"$WORK/quad.obj"
warpscape raster "$WORK/quad.obj:width=64,height=64"
for unit in 1e-15 1e-5 1e3 1e20; do
    printf "v 0 0 0\nv $unit 0 0\nv $unit $unit 0\nv 0 $unit 0\nf 1 2 3 4\n" >"$WORK/unit.obj"
    warpscape raster "$WORK/unit.obj:width=64,height=64" -f csv | tail -n +2
done
printf 'v 1 2 3\nv 2 4 6\nv 3 6 9\nf 1 2 3\n' >"$WORK/line.obj"
warpscape raster "$WORK/line.obj"
