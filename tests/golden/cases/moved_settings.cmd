# Settings by their former names are read, with a note.
warpscape area bypass-gtx480 -s l1d.bypass.policy=ccws -f csv | grep throttle
warpscape area bypass-gtx480 -s l1d.bypass.policy=pdp -s l1d.bypass.throttle=yes -f csv | grep -E 'throttle|bypass'
warpscape area bypass-gtx480 -s l1d.bypass.throttle=often
warpscape params l1d.bypass.throttle
warpscape params scheduler.throttle
warpscape run gtx480 -w VECTORS:n=1000 --curve l1d.bypass.throttle
warpscape run gtx480 -w VECTORS:n=1000 --curve l1d.bypass.policy=ccws..never
printf 'machine: gtx480\nworkloads: [2DCONV:n=64]\ndepth: timing\nobjectives: {core.cycles: minimize}\naxes: {l1d.bypass.policy: [never, ccws], l1d.bypass.throttle: [yes, no]}\n' > "$WORK/axes.yaml"
warpscape check "$WORK/axes.yaml"
printf 'machine: gtx480\nworkloads: [2DCONV:n=64]\ndepth: timing\nobjectives: {core.cycles: minimize}\naxes: {l1d.ways: [2, 4]}\nwhere: ["l1d.bypass.policy = '"'ccws'"'", "l1d.bypass.throttle = no"]\n' > "$WORK/where.yaml"
warpscape check "$WORK/where.yaml"
printf '%s\n' 'axis l1d.bypass.throttle' 'axis l1d.bypass.policy [never, ccws]' 'help l1d.bypass.throttle' 'reset l1d.bypass.throttle' 'set l1d.bypass.throttle' quit |
    warpscape explore gtx480 -w 2DCONV:n=64 --plain
