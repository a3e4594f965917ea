warpscape explore --size 24by80
