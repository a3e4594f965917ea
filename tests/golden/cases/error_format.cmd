warpscape run --format=xml
