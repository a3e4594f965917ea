#!/bin/sh
# Runs the fourteen tasks of docs/COOKBOOK.md and the four exercises of docs/COURSE.md: each block of the explorer as a
# script on its machine, and each command of the shell, in one folder that has the source's configs, traces and profiles.
# Fails where one fails.
#
# cost: 20
set -u
here=$(cd "$(dirname "$0")" && pwd)
source_tree=$(cd "$here/../.." && pwd)
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

# blocks DOCUMENT: becomes files in $scratch/blocks: NN.explore holds the arguments and then the commands, NN.sh the
# commands. Prints how many tasks the document has.
blocks() {
    rm -rf "$scratch/blocks"
    mkdir "$scratch/blocks"
    awk -v to="$scratch/blocks/" '
        /^```(explore|sh)/ { n++; kind = /^```sh/ ? "sh" : "explore"; file = sprintf("%s%02d.%s", to, n, kind)
                             if (kind == "explore") print substr($0, 12) >file
                             next }
        /^```/ { kind = ""; next }
        kind == "sh" { print substr($0, 3) >file }
        kind == "explore" { print >file }
        /^## [0-9]+\. / { tasks++ }
        END { print tasks + 0 }' "$1"
}

failed=0
# run DOCUMENT TASKS
run() {
    tasks=$(blocks "$source_tree/docs/$1")
    [ "$tasks" -eq "$2" ] || { echo "$1: expected $2 tasks, got $tasks"; exit 1; }
    for block in "$scratch/blocks"/*; do
        case $block in
        *.explore)
            sed 1d "$block" >"$scratch/script"
            # shellcheck disable=SC2046 # several words
            TERM=xterm warpscape explore --size 24x80 --script "$scratch/script" $(head -1 "$block") </dev/null >"$scratch/out" 2>&1
            ;;
        *) sh -e "$block" </dev/null >"$scratch/out" 2>&1 ;;
        esac || {
            echo "$1:"
            cat "$block" "$scratch/out"
            echo "FAILED"
            failed=$((failed + 1))
        }
    done
}
run COOKBOOK.md 14
run COURSE.md 4
[ "$failed" -eq 0 ]
