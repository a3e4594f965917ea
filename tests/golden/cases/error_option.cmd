warpscape run --formt=json
