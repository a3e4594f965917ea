warpscape run -w 2DCONV:n=16 --curve l1d.sizes
warpscape run -w 2DCONV:n=16 --curve l1d.size --metric l1d.mis_rate
warpscape run -w 2DCONV:n=16 --curve l1d.size=4KiB
warpscape run -w 2DCONV:n=16 --curve l1d.size=4KiB..many
warpscape run -w 2DCONV:n=16 --curve gpu.shared_options
warpscape run -w 2DCONV:n=16 --curve l1d.size=17KiB..18KiB --set l1d.size=32KiB
warpscape run -w 2DCONV:n=16 --curve l1d.size --baseline gtx480
warpscape run -w 2DCONV:n=16 --metric l1d.miss_rate
