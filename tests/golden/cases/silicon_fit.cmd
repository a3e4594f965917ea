warpscape silicon tests/profiles/2dconv.csv gtx480 -w 2DCONV:n=128 --fit l1d.size=8KiB,16KiB,32KiB,l1d.index=all --fit l1d.mshr.entries=32,64 -o "$WORK/fitted.yaml" -j 2
sed -n '1p;/^l1d:/,/size/p' "$WORK/fitted.yaml"
warpscape silicon tests/profiles/2dconv.csv gtx480 -w 2DCONV:n=128 --fit l1d.size=8KiB,32KiB --table fit -f json
# Every knob alone. How many there are is no matter.
warpscape silicon tests/profiles/2dconv.csv gtx480 -w 2DCONV:n=128 --fit each -j 2 | sed -n '/^Values/,$p' | sed 's/[0-9]* knobs/N knobs/; s/[0-9]* machines/M machines/'
