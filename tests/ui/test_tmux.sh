#!/bin/sh
# The explorer in a tmux session: detached, attached again with another size, quit, and hung up while
# it sweeps. Skipped where there is no tmux. $WARPSCAPE is the program.
set -u
: "${WARPSCAPE:=build/release/warpscape}"
program=$(cd "$(dirname "$WARPSCAPE")" && pwd)/$(basename "$WARPSCAPE")
[ -x "$program" ] || { echo "no program at $program" >&2; exit 1; }
command -v tmux >/dev/null || { echo 'skipped: tmux is not installed'; exit 77; }

work=$(mktemp -d) || exit 1
export HOME="$work/home" TMUX_TMPDIR="$work" LC_ALL=C.UTF-8
export XDG_CACHE_HOME="$work/cache"
unset TMUX XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME NO_COLOR
mkdir "$HOME"
tmux() { command tmux -f /dev/null "$@"; }
clean_up() {
    tmux kill-server 2>/dev/null
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

fail() {
    echo "FAILED: $1"
    cat "$work/difference" 2>/dev/null
    tmux capture-pane -p -t explorer 2>&1
    exit 1
}

# wait_until COMMAND...
wait_until() {
    for _ in $(seq 150); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    return 1
}

# A server ends with its last session; a client that meets it then starts none.
no_server() { tmux list-sessions 2>&1 | grep -q 'no server running\|error connecting'; }

start() {
    wait_until no_server || fail 'the tmux before does not end'
    tmux new-session -d -x 80 -y 24 -s explorer \
        "exec '$program' explore gtx480 -w 2DCONV:n=128 --threads 1 --script '$work/folded'" || fail 'tmux does not start'
    tmux set-option -t explorer status off
    pid=$(tmux display-message -p -t explorer '#{pane_pid}')
}

# Says its size, again where the server was not ready to hear it, and looks.
resized() { # COLUMNS ROWS COMMAND...
    echo "refresh-client -C $1x$2" >&3
    shift 2
    "$@"
}

# Attaches as a terminal of that size does, and detaches when what follows holds.
attached() { # COLUMNS ROWS COMMAND...
    mkfifo "$work/client"
    tmux -C attach-session -t explorer <"$work/client" >"$work/client.log" 2>&1 &
    client=$!
    exec 3>"$work/client"
    wait_until resized "$@"
    held=$?
    echo detach-client >&3
    exec 3>&-
    wait $client
    rm "$work/client"
    return $held
}

# shows ROWSxCOLUMNS: the pane has what the explorer draws for a screen of this size.
shows() {
    tmux capture-pane -p -t explorer | sed 's/ *$//' >"$work/seen"
    diff "$work/expected-$1" "$work/seen" >"$work/difference"
}
# Which groups are open at the start depends on the size: all are folded, the cursor is on top.
printf 'fold-all\ntop\nwait\n' >"$work/folded"
{ cat "$work/folded"; echo "save-screen $work/screen"; } >"$work/script"
for size in 24x80 40x120 10x40; do
    TERM=xterm "$program" explore --size $size --script "$work/script" gtx480 -w 2DCONV:n=128 \
        --threads 1 >"$work/log" 2>&1 || { cat "$work/log"; fail "a screen of $size"; }
    mv "$work/screen" "$work/expected-$size"
done

# ---- another terminal each time, and none between ------------------------------------------------
start
attached 80 24 shows 24x80 || fail 'the first terminal shows another screen'
attached 120 40 shows 40x120 || fail 'a larger terminal shows another screen'
attached 40 10 shows 10x40 || fail 'a smaller terminal shows another screen'
[ -z "$(tmux list-clients)" ] || fail 'a client is still attached'
kill -0 "$pid" || fail 'the explorer ended with its terminal'
tmux send-keys -t explorer q
wait_until sh -c "! kill -0 $pid" || fail 'q does not quit'

# ---- a terminal without a second screen: the prompt comes below the picture --------------------
wait_until no_server || fail 'the tmux before does not end'
tmux new-session -d -x 80 -y 24 -s explorer "TERM=vt100 '$program' explore gtx480 -w 2DCONV:n=128 \
    --threads 1 --script '$work/folded'; printf prompt; exec sleep 60" || fail 'tmux does not start'
tmux set-option -t explorer status off
wait_until sh -c "tmux -f /dev/null capture-pane -p -t explorer | grep -q l1d" || fail 'nothing on a vt100'
tmux send-keys -t explorer q
wait_until sh -c "tmux -f /dev/null capture-pane -p -t explorer | grep -qx 'prompt *'" ||
    fail 'the prompt stands in the picture of a vt100'
tmux kill-session -t explorer

# ---- hung up while it sweeps: no process stays, the sweep's store goes on ------------------------
start
wait_until shows 24x80 || fail 'the second session shows another screen'
for command in 'axis l1d.size 4KiB..1MiB' 'axis l1d.ways 1..64*2' 'axis l1d.replacement all' \
    'axis gpu.sms 2..15' 'set l1d.index linear' sweep; do
    tmux send-keys -t explorer -l ":$command"
    tmux send-keys -t explorer Enter
done
store() { find "$HOME" -name '*.sqlite'; }
points() { # of the sweep's store
    "$program" show "$(store | head -n 1)" --format csv 2>"$work/log" | sed 1d | wc -l
}
has_points() { [ "$(points)" -gt 0 ]; }
wait_until has_points || fail 'the sweep stores no points'
before=$(points)
tmux kill-session -t explorer
wait_until sh -c "! kill -0 $pid" || fail 'the explorer outlives its session'
[ "$(points)" -ge "$before" ] || { cat "$work/log"; fail 'the store of the sweep lost points'; }
echo "two sessions, four terminals, $(points) points kept"
