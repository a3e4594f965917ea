warpscape trace stats traces/gather.traceg.xz
