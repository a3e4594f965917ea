#!/bin/sh
# docs/MODULES.md is what tests/modules.py prints after a heading.
#
#   test_modules.sh [--update]     compares, or writes it anew
set -eu
map=docs/MODULES.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n '1,/^## /p' "$map" | sed '$d' >"$work/new"
python3 tests/modules.py >>"$work/new"
if [ "${1-}" = --update ]; then
    cp "$work/new" "$map"
elif ! diff -u "$map" "$work/new"; then
    echo "$map is not current: sh tests/golden/test_modules.sh --update" >&2
    exit 1
fi
