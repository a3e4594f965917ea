cd "$WORK"
cat > kernel-1.traceg <<END
-kernel name = copy
-grid dim = (1,1,1)
-block dim = (32,1,1)
-binary version = 80
#traces
#BEGIN_TB
thread block = 0,0,0
warp = 0
insts = 3
0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 4 0
0010 ffffffff 0 STG.E 2 R6 R2 4 1 0x7f0000002000 4 0
0020 ffffffff 0 EXIT 0 0 0
#END_TB
END
warpscape trace import kernel-1.traceg -o copy.wtr && warpscape trace info copy.wtr
warpscape trace info copy.wtr --format json | grep code
