warpscape silicon --kernel gemm; echo $?
warpscape silicon README.md; echo $?
warpscape silicon tests/profiles/2dconv.csv gtx480 more; echo $?
warpscape explain --profile tests/profiles/2dconv.csv -w 2DCONV:n=128 --depth functional --fit l1d.way; echo $?
warpscape explain --profile tests/profiles/2dconv.csv -w 2DCONV:n=128 --depth functional --fit l1d.ways,l1d.ways; echo $?
warpscape explain --profile tests/profiles/2dconv.csv -w 2DCONV:n=128 --depth functional --fit l1d.size=3..; echo $?
warpscape explain --profile tests/profiles/2dconv.csv -w 2DCONV:n=128 -o x.yaml; echo $?
warpscape explain gtx480 -w 2DCONV:n=128 --fit l1d.ways; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --kernel gemm; echo $?
warpscape explain --profile tests/profiles/2dconv.csv -w 2DCONV:n=128 --depth functional --fit gpu.shared_options; echo $?
warpscape silicon tests/profiles/2dconv.csv -w 2DCONV:n=128 --fit l1d.ways; echo $?
