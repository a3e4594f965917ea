cd "$WORK"
printf ' L 40,1\n M 80,1\n L 82,1\n S 78,1\n L 440,1\n L 840,1\n M 42,1\n' >yi.trace
printf '2 1fc000\n0 7fff0010 stack\n1 0x7fff0014\n0 40 4 r3\n' >a.din
printf 'r 7fff0010 4\nw 7fff0014 4\ni 1fc000 4\nm 40 8\n' >b.din
printf '\377\376r\0 \0' >wide.din
for trace in yi.trace a.din b.din; do warpscape trace info $trace | head -2 | tail -1; done
warpscape trace list yi.trace -f csv
warpscape trace list b.din
warpscape trace info wide.din
# A cache of 16 lines of 16 B: each access is one look-up.
printf 'gpu: {sms: 1}\nl1d: {size: 256B, ways: 1, line: 16B, sector: 16B, index: linear, write: write_back, write_allocate: write_allocate, flush: no}\n' >m.yaml
warpscape run m.yaml -w yi.trace -f csv | grep -E '^(stream.transactions|l1d.(accesses|misses)),'
