# The nearest of all machines of a grid, and what explains the profile with each parameter alone. How many there are is no matter.
warpscape explain --profile tests/profiles/2dconv.csv gtx480 -w 2DCONV:n=128 --depth functional --fit l1d.size=8KiB,16KiB,32KiB,l1d.index=all --fit l1d.mshr.entries=32,64 -o "$WORK/fitted.yaml" -j 2
sed -n '1p;/^l1d:/,/size/p' "$WORK/fitted.yaml"
warpscape explain --profile tests/profiles/2dconv.csv gtx480 -w 2DCONV:n=128 --depth functional --fit l1d.size=8KiB,32KiB -f json
warpscape explain --profile tests/profiles/2dconv.csv gtx480 -w 2DCONV:n=128 --depth functional -j 2 | sed -n '/^Values/,$p' | sed 's/[0-9]* knobs/N knobs/; s/[0-9]* machines/M machines/'
