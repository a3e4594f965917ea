#!/bin/sh
# Golden tests of the command line. A case is cases/NAME.cmd, a shell script that calls `warpscape`,
# and cases/NAME.out, what it prints: standard output, standard error, exit status.
#
#   test_cli.sh [--update] [NAME...]     $WARPSCAPE is the program; --update rewrites the .out files
#
# Cases run in the source tree, without a terminal, in the C locale, with an empty home and $WORK, a
# folder of their own; its path is printed as WORK, the program's version as VERSION.
#
# shards: 8
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support/shard.sh
. "$here/../support/shard.sh"
cases=$here/cases
: "${WARPSCAPE:=$here/../../build/release/warpscape}"
program=$(cd "$(dirname "$WARPSCAPE")" && pwd)/$(basename "$WARPSCAPE")
[ -x "$program" ] || { echo "no program at $program" >&2; exit 1; }

update=false
if [ "${1-}" = --update ]; then
    update=true
    shift
fi
if [ $# -eq 0 ]; then
    for case in "$cases"/*.cmd; do
        ! in_shard || set -- "$@" "$(basename "$case" .cmd)"
    done
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/warpscape"
# A pattern: its points stand for points alone.
version=$("$program" --version | sed -e "s/^warpscape //" -e "s/[.]/[.]/g")

# run_case NAME: prints what the case prints.
run_case() {
    rm -rf "${scratch:?}/work" "${scratch:?}/home"
    mkdir "$scratch/work" "$scratch/home"
    (
        cd "$here/../.." || exit
        unset ARGP_HELP_FMT NO_COLOR COLUMNS LINES XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME \
            XDG_CACHE_HOME
        PATH=$scratch/bin:$PATH HOME=$scratch/home WORK=$scratch/work LC_ALL=C TERM=dumb \
            sh "$cases/$1.cmd" </dev/null >"$scratch/out" 2>"$scratch/err"
    )
    status=$?
    {
        cat "$scratch/out"
        [ -s "$scratch/err" ] && { echo '--- stderr'; cat "$scratch/err"; }
        echo "--- exit $status"
    } | sed -e "s|$scratch/work|WORK|g" -e "s|\\([ \"]\\)$version\\([ \"]\\)|\\1VERSION\\2|g" \
        -e "s|^warpscape $version\$|warpscape VERSION|"
}

failed=0
count=0
for name; do
    count=$((count + 1))
    run_case "$name" >"$scratch/result"
    if $update; then
        cp "$scratch/result" "$cases/$name.out"
    elif ! diff -u --label "$name.out" --label "$name now" "$cases/$name.out" "$scratch/result"; then
        failed=$((failed + 1))
        echo "FAILED: $name"
        echo "        command: $(grep -v '^#' "$cases/$name.cmd" | head -1)"
    fi
done
echo "$count cases, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
