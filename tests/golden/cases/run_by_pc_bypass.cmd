# Which loads go past, on what evidence, since when and in how many L1Ds.
warpscape run bypass-gtx480 --depth timing -w 2DCONV:ni=18,nj=1024,registers=20,ptx=1 -s l1d.bypass.policy=sampled -s scheduler.policy=tb_priority --by-pc
warpscape run bypass-gtx480 --depth timing -w 2DCONV:ni=18,nj=1024,registers=20,ptx=1 -s l1d.bypass.policy=sampled -s l1d.bypass.shared=yes --by-pc -f csv
