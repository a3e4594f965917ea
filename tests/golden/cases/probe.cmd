warpscape probe reuse-gtx470-48k
