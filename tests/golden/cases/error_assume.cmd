warpscape run --assume serial
