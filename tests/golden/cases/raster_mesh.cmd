# A mesh of one's own as a workload, and meshes that are wrong.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$WORK/pyramid.obj"
warpscape raster "$WORK/pyramid.obj:scene=shadow,width=80,height=60"
warpscape trace stats "$WORK/pyramid.obj:width=80,height=60" | grep tile
printf 'v 0 0 0\nv 1 zero 0\nv 0 1 0\nf 1 2 9\n' >"$WORK/wrong.obj"
warpscape raster "$WORK/wrong.obj"
printf 'MMxx' >"$WORK/wrong.3ds"
warpscape raster "$WORK/wrong.3ds"
XDG_DATA_DIRS=$WORK warpscape raster refract:mesh=bunny
