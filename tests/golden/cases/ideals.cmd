warpscape ideals walker
warpscape ideals MSHR -f csv
warpscape ideals l1d.hots
warpscape run gtx480 -w 2DCONV:n=32 --depth timing --ideal translation,launch | head -3
warpscape run gtx480 -w 2DCONV:n=32 --depth timing --ideal translation,launch -f csv | grep core.cycles
warpscape run v100 -w GEMM:n=32 -s l1d.replacement=arc -s l1d.unified=256KiB -s l1d.size=32KiB --ideal l1d.assoc -f csv | grep l1d.misses
warpscape run gtx480 -w 2DCONV:n=32 --depth timing --ideal translation,launch -f json | tail -8
warpscape run gtx480 -w 2DCONV:n=32 --ideal launch
warpscape run gtx480 -w 2DCONV:n=32 --depth timing --ideal translatoin
