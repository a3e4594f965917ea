warpscape metrics walk
