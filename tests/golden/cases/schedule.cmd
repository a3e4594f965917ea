warpscape schedule
warpscape schedule gto -f json
warpscape schedule gto 0-3 0-3 1-3 1-3 0-3
warpscape schedule two_level --warps 6 --active 2 0-5 0-5 1-5,m0 2-5,m0,m1 0,b1,4-5 - -f csv
warpscape schedule rrr --warps 4 0-3 0,2-3 0,2-3,b1
warpscape schedule swl --active 2 0-6 2-7 2-7,b0
warpscape schedule lrr 0-3 - m1 -f json
warpscape schedule tb_first 0-7 4-7,x0-3 0-7,n0-3
warpscape schedule gtoo 0
warpscape schedule gto 0-8
warpscape schedule gto 0,m0
warpscape schedule gto x0 0
warpscape schedule gto n3
warpscape schedule gto 0-3/2
warpscape schedule gto --warps 65 0
