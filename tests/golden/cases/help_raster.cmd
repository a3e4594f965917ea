warpscape raster --help
