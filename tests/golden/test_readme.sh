#!/bin/sh
# Runs the five-minute tour of README.md: every line that starts with "$ " in its ```sh blocks, in
# order, in one empty folder that has the source's configs and traces; then every command of the
# explorer, `:set ...`, each on the screen that the explorer opens with. Fails where one fails.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source_tree=$(cd "$here/../.." && pwd)
readme=${1:-$source_tree/README.md}
: "${WARPSCAPE:=$source_tree/build/release/warpscape}"
program=$(cd "$(dirname "$WARPSCAPE")" && pwd)/$(basename "$WARPSCAPE")
[ -f "$readme" ] || { echo "no README.md"; exit 77; }

scratch=$(mktemp -d)
export XDG_CACHE_HOME="$scratch/cache"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/bin" "$scratch/home" "$scratch/tour"
ln -s "$program" "$scratch/bin/warpscape"
for part in configs traces; do
    [ -d "$source_tree/$part" ] && ln -s "$source_tree/$part" "$scratch/tour/$part"
done

awk '/^#/ && !inside { tour = tolower($0) ~ /five-minute tour/ }
     /^```/ { inside = !inside; shell = $0 == "```sh"; next }
     tour && inside && shell && /^\$ / { print substr($0, 3) }' "$readme" >"$scratch/commands"
[ -s "$scratch/commands" ] || { echo "README.md has no tour"; exit 1; }

cd "$scratch/tour" || exit 1
export PATH="$scratch/bin:$PATH" HOME="$scratch/home" TERM=dumb
failed=0
while IFS= read -r command <&3; do
    echo "\$ $command"
    if ! sh -c "$command" </dev/null >"$scratch/out" 2>&1; then
        cat "$scratch/out"
        echo "FAILED: $command"
        failed=$((failed + 1))
    elif [ ! -s "$scratch/out" ] && ! echo "$command" | grep -q -e ' -o ' -e '^cd ' -e '^export '; then
        echo "(prints nothing)"
    fi
done 3<"$scratch/commands"

# `:study` and `:store` alone complete what is typed, so they are no commands.
# shellcheck disable=SC2016 # those of Markdown are no commands of the shell
grep -o '`:[a-z][^`]*`' "$readme" | sed -e 's/^`://' -e 's/`$//' | grep -v -x -e study -e store |
    sort -u >"$scratch/screen"
[ -s "$scratch/screen" ] || { echo "README.md has no command of the explorer"; exit 1; }
mkdir -p "$scratch/state/warpscape"
printf 'session: 1\nmachine: gtx480\n' >"$scratch/state/warpscape/session" # for :resume
while IFS= read -r command <&3; do
    rm -f best.yaml
    echo ":$command"
    echo "$command" >"$scratch/script"
    if ! TERM=xterm XDG_STATE_HOME="$scratch/state" warpscape explore --size 24x80 --script "$scratch/script" \
        </dev/null >"$scratch/out" 2>&1; then
        cat "$scratch/out"
        echo "FAILED: :$command"
        failed=$((failed + 1))
    fi
done 3<"$scratch/screen"
[ "$failed" -eq 0 ]
