warpscape run --histogram
