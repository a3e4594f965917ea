warpscape silicon --kernel gemm; echo $?
warpscape silicon README.md; echo $?
warpscape silicon tests/profiles/2dconv.csv gtx480 more; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --fit l1d.way; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --fit l1d.ways,l1d.ways; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --fit l1d.size=3..; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 -o x.yaml; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --kernel gemm; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --fit gpu.shared_options; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --fit each --table fit; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --fit each --fit l1d.ways; echo $?
