# Measured rows of the user's own: the example of docs/FORMATS.md, and one with mistakes.
awk '/^## Measured rows/ { inside = 1 } inside && /^```/ { code = !code; next } inside && code; /^## Machines/ { exit }' \
    docs/FORMATS.md >"$WORK/own.csv"
warpscape silicon "$WORK/own.csv"
warpscape silicon "$WORK/own.csv" -t list -f json
warpscape silicon "$WORK/own.csv" -t sources -f csv
warpscape silicon "$WORK/own.csv" -t strides
warpscape silicon "$WORK/own.csv" gtx480; echo $?
sed 's/machine/machin/; s/l2.hw_hit_rate/l2.hit_rate/' "$WORK/own.csv" >"$WORK/heads.csv"
warpscape silicon "$WORK/heads.csv"; echo $?
sed 's/21.5/21,5/; s/17.2/fast/' "$WORK/own.csv" >"$WORK/cells.csv"
warpscape silicon "$WORK/cells.csv"; echo $?
sed 's/v100/v10/; s/gpu.clock=1310MHz/l1d.way=3/' "$WORK/own.csv" >"$WORK/machines.csv"
warpscape silicon "$WORK/machines.csv"; echo $?
# What a row says of a change and of how far ours may be off.
cat >"$WORK/changes.csv" <<'END'
row,machine,settings,against,workload,tolerance,cycles [%] = core.cycles
agrees,v100,gpu.sms=1,l1d.latency=90,"STRIDES:stride=2,loads=64",90,-20
differs,v100,gpu.sms=1,l1d.latency=90,"STRIDES:stride=2,loads=64",1,-90
sign,v100,gpu.sms=1,l1d.latency=90,"STRIDES:stride=2,loads=64",,-90
wrong,v100,gpu.sms=1,l1d.latency=90,"STRIDES:stride=2,loads=64",200,20
END
warpscape silicon "$WORK/changes.csv" -t list
# A launch has a whole number; rows that cannot run are noted beside every table.
printf 'row,machine,workload,launch,core.cycles\na,gtx480,ATAX:nx=64,1.5,100\nb,gtx480,ATAX:nx=64,2,100\n' >"$WORK/launches.csv"
warpscape silicon "$WORK/launches.csv" -t list; echo $?
sed 's/1[.]5/9/' "$WORK/launches.csv" >"$WORK/beyond.csv"
warpscape silicon "$WORK/beyond.csv" -t list -f csv
