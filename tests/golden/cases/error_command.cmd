warpscape rum
