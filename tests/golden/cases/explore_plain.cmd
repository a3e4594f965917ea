# Lines in, sentences out; no terminal is needed.
printf '%s\n' 'set l1d.size 32KiB' 'set l1d.sise 3' down undo copy 'save-screen x' '# a comment' 'focus live' search \
    'open gtx481' 'axis l1d.size 4KiB..16KiB' 'axis l1d.ways 2 4' 'objective l1d.misses l1d.area' \
    'set l1d.index linear' sweep 'wait sweep' 'view explore' quit quit 'quit!' 'set l1d.ways 1' |
    warpscape explore --plain -w 2DCONV:n=128
{ head -c 5000 /dev/zero | tr '\0' x; echo; printf 'depth reuse\nfocus machine'; } |
    warpscape explore --plain -w 2DCONV:n=64 | tail -n 9
