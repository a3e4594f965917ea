# Sourced by the tests of the command line and of its crashes: the program ($program), a working folder
# of their own ($work) that is current and goes away, `fail` and `expect`. A test that has more to
# clean up redefines `clean_up`. $WARPSCAPE is the program.
# shellcheck shell=sh
: "${WARPSCAPE:=$(dirname "$0")/../../build/release/warpscape}"
program=$(cd "$(dirname "$WARPSCAPE")" && pwd)/$(basename "$WARPSCAPE")
[ -x "$program" ] || { echo "no program at $program" >&2; exit 1; }
work=$(mktemp -d)
clean_up() {
    :
}
trap 'cd /; clean_up; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
export LC_ALL=C XDG_CACHE_HOME="$work/cache"

fail() {
    echo "FAILED: $1"
    for file in out log; do
        [ ! -f "$work/$file" ] || cat "$work/$file"
    done
    exit 1
}

# expect STATUS TEXT COMMAND...: the exit status of the program, and a text that it prints.
expect() {
    wanted=$1 text=$2
    shift 2
    "$program" "$@" >out 2>&1
    status=$?
    [ $status -eq "$wanted" ] || fail "$*: exit $status, expected $wanted"
    grep -qF -- "$text" out || fail "$*: no '$text'"
}
