# Time of a scene: the load of the banks, as a chart and as rows.
export COLUMNS=80
warpscape run tile-gpu -w raster-shadow:width=160,height=120 --depth timing --timeline
warpscape run tile-gpu -w raster-shadow:width=160,height=120 --depth timing --timeline=4 -f csv
