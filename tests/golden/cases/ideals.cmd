warpscape ideals walker
warpscape ideals MSHR -f csv
warpscape ideals l1d.hots
warpscape run gtx480 -w 2DCONV:n=32 --depth timing --ideal translation,launch | head -3
warpscape run gtx480 -w 2DCONV:n=32 --depth timing --ideal translation,launch -f csv | grep core.cycles
warpscape run gtx480 -w 2DCONV:n=32 --depth timing --ideal translation,launch -f json | tail -8
warpscape run gtx480 -w 2DCONV:n=32 --ideal launch
warpscape run gtx480 -w 2DCONV:n=32 --depth timing --ideal translatoin
