warpscape run --timeline
