#!/bin/sh
# Runs the twelve tasks of docs/COOKBOOK.md: each block of the explorer as a script on its machine, and each
# command of the shell, in one folder that has the source's configs, traces and profiles. Fails where one fails.
#
# cost: 20
set -u
here=$(cd "$(dirname "$0")" && pwd)
source_tree=$(cd "$here/../.." && pwd)
cookbook=$source_tree/docs/COOKBOOK.md
: "${WARPSCAPE:=$source_tree/build/release/warpscape}"
program=$(cd "$(dirname "$WARPSCAPE")" && pwd)/$(basename "$WARPSCAPE")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/bin" "$scratch/home" "$scratch/kitchen"
ln -s "$program" "$scratch/bin/warpscape"
for part in configs traces tests; do
    ln -s "$source_tree/$part" "$scratch/kitchen/$part"
done
export PATH="$scratch/bin:$PATH" HOME="$scratch/home" XDG_CACHE_HOME="$scratch/cache" XDG_STATE_HOME="$scratch/state"
cd "$scratch/kitchen" || exit 1

# Blocks become files: NN.explore holds the arguments and then the commands, NN.sh the commands.
awk -v to="$scratch/" '
    /^```(explore|sh)/ { n++; kind = /^```sh/ ? "sh" : "explore"; file = sprintf("%s%02d.%s", to, n, kind)
                         if (kind == "explore") print substr($0, 12) >file
                         next }
    /^```/ { kind = ""; next }
    kind == "sh" { print substr($0, 3) >file }
    kind == "explore" { print >file }
    /^## [0-9]+\. / { tasks++ }
    END { print tasks >(to "tasks") }' "$cookbook"
[ "$(cat "$scratch/tasks")" -eq 12 ] || { echo "expected twelve tasks, got $(cat "$scratch/tasks")"; exit 1; }

failed=0
for block in "$scratch"/*.explore "$scratch"/*.sh; do
    case $block in
    *.explore)
        sed 1d "$block" >"$scratch/script"
        # shellcheck disable=SC2046 # several words
        TERM=xterm warpscape explore --size 24x80 --script "$scratch/script" $(head -1 "$block") </dev/null >"$scratch/out" 2>&1
        ;;
    *) sh -e "$block" </dev/null >"$scratch/out" 2>&1 ;;
    esac || {
        cat "$block" "$scratch/out"
        echo "FAILED"
        failed=$((failed + 1))
    }
done
[ "$failed" -eq 0 ]
