# The best point of a sweep, made in the background: the explorer is not left before its file is there.
cd "$WORK" || exit
printf '%s\n' 'export --best none.yaml' 'axis l1d.size 4KiB 16KiB' 'set l1d.index linear' 'objective l1d.misses l1d.area' \
    sweep 'wait sweep' 'export --best best.yaml' 'export --best best.yaml' \
    'export --best l1d.area small.config' |
    warpscape explore --plain -w 2DCONV:n=64 | sed -n '/^error\|^wrote\|^gpgpusim/p'
grep -h '^# Point' best.yaml small.config | sed 's/(.*//'
grep '^  size: .*capacity of the L1D' best.yaml
store=$(find "$WORK" "$HOME" -name '*.sqlite' | head -n 1)
printf '%s\n' "store $store" wait 'export --best again.yaml' >script
TERM=xterm warpscape explore --size 24x80 --script script gtx480 -w 2DCONV:n=64
cmp best.yaml again.yaml && echo the same
# A workload that is not there ends a script.
printf '%s\n' wait quit >script
TERM=xterm warpscape explore --size 24x80 --script script gtx480 -w 2DCONF; echo $?
