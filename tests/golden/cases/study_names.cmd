cd "$WORK" # nothing of the source tree is here
warpscape check quick overnight bfs-conv equal-bits reuse tile
warpscape sweep quick --dry-run | head -n 2
warpscape sweep quikc
warpscape sweep no-such.yaml
warpscape sweep configs/studies/bfs-conv.yaml --dry-run | head -n 1
warpscape run cpwc-example -w cpwc-example.addr --trace-steps=1 | tail -n 2
WARPSCAPE_TRACES=/nowhere warpscape trace info traces/cpwc-example.addr | head -n 1
printf 'wait\nsave-screen screen\n' >script
TERM=xterm warpscape explore --size 24x80 --script script --study quick && grep -c conv2d-512 screen
