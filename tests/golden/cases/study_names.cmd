cd "$WORK" # nothing of the source tree is here
warpscape check quick overnight bfs-conv equal-bits reuse
warpscape sweep quick --dry-run | head -n 2
warpscape sweep quikc
warpscape sweep quick.yaml
printf 'wait\nsave-screen screen\n' >script
TERM=xterm warpscape explore --size 24x80 --script script --study quick && grep -c conv2d-512 screen
