warpscape run gtx480-accelsim --depth timing --by-pc --timeline
