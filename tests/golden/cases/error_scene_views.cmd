# A scene has no launches, warps and instructions to list.
for view in by-pc by-launch by-warp by-block; do
    warpscape run tile-gpu -w raster-effect2d --depth timing --$view
done
warpscape tile -w jellyfsh
warpscape tile -w jellyfish -w shadow
