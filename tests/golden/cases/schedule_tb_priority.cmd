# As figure 4 of Jia et al. (2023): 12 warps in blocks of four. Here the first block has ended, so the second
# has priority: while the next warp in turn is of it, while it is of another block, while none of its warps
# is ready, and until they have ended.
warpscape schedule tb_priority --warps 12 4-11,x0-3 4-11 5-11,m4 8-11,m4-7 8-11,m4-7 4-11 8-11,x4-7
