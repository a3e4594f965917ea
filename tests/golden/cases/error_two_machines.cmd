warpscape run gtx480 gtx480
