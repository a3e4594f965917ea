warpscape --version && warpscape -V
