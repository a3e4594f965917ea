# A metric without a value anywhere on the curve is an error and no empty chart.
warpscape run -w 2DCONV:n=16 --depth reuse --curve l1d.size --metric tlb.hit_rate
warpscape run -w 2DCONV:n=16 --curve tlb.entries --metric l2tlb.hit_rate
warpscape run -w 2DCONV:n=16 --curve l2tlb.entries -f csv
