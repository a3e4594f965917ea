# A packed trace of Accel-Sim 2.0 that is none, alone and in a list.
printf 'x' >"$WORK/kernel-1.tracez"
printf 'kernel-1.tracez\n' >"$WORK/kernelslist.g"
warpscape run gtx480 -w "$WORK/kernel-1.tracez"
warpscape run gtx480 -w "$WORK/kernelslist.g"
