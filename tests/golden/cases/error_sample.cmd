warpscape run --sample 0%
