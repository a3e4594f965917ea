warpscape run --depth reuse --sample 5%
