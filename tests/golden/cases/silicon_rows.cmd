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
