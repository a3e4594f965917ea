# Adding vectors hits in no L1D, however long stores wait on their way: a store that lacks its line misses as a whole.
for machine in a100 h100 titanv rtx3070; do
    warpscape run "$machine" -w VECTORS:n=33333 --depth timing -s tlb.enabled=no -f csv | grep l1d.hw_
done
