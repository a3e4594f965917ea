warpscape want gtx480; echo $?
warpscape want gtx480 'core.ipc >= 8'
warpscape want gtx480 'core.icp >= 8, l1d.wys = 3 min total.aera'
warpscape want gtx480 'min l1d.size'
warpscape want gtx480 'min total.area core.ipc > 1'
warpscape want gtx480 'min total.area max core.ipc'
warpscape want gtx480 'core.ipc >= 1 min total.area' --depth functional
warpscape want gtx480 'min total.area' --over l1d.sze
warpscape want gtx480 -w GEMM:n=16 'l1d.ways = 3 min total.area' --over l1d.ways=2,4 --no-cache
warpscape want gtx480 -w GEMM:n=512 'core.ipc >= 1 min total.area' --time-limit 1s --no-cache; echo $?
