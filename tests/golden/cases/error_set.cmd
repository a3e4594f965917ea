# Every mistake is reported, not the first only.
warpscape run --set l1d.sise=16KiB --set l1d.ways=0 --set l1d.index=fermy --set l1d.line --workload NO_SUCH
