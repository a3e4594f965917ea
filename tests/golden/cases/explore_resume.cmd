# A session holds what was on the screen, and no commands; commands do not run themselves for ever.
export XDG_STATE_HOME=$WORK
session=$WORK/warpscape/session
mkdir "$WORK/warpscape"
resume() { echo resume | warpscape explore --plain gtx480 -w 2DCONV:n=64 2>&1 | sed '1,/^l1d.size/d'; }
echo '-- of an earlier version, or of somebody else'
printf 'open gtx480\nresume\n' >"$session"; resume
echo '-- with commands, and with other mistakes'
printf 'session: 1\nmachine: gtx480\nresume: now\nsave: /tmp/x\nset: {l1d.size: 3, l1d.way: 4}\nchart: curv\n' >"$session"; resume
echo '-- not a file'
rm "$session"; mkfifo "$session"; resume
rm "$session"; ln -s /dev/zero "$session"; resume
echo '-- a session'
rm "$session"; printf 'session: 1\nmachine: gtx480\npin: before\nset: {l1d.size: 32KiB}\naxes: {l1d.ways: [2, 4, 8]}\nview: area\n' >"$session"; resume | head -n 4
echo '-- keys that press themselves'
printf '%s\n' 'keys : k e y s Space : Space U p Space E n t e r Enter' "save-screen $WORK/screen" >"$WORK/script"
TERM=xterm warpscape explore --size 24x80 --script "$WORK/script" gtx480 -w 2DCONV:n=64; grep again "$WORK/screen"
