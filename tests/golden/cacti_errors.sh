#!/bin/sh
# How far estimates of arrays are off the runs of CACTI, as test_cacti prints it. Status 77 without the runs.
set -eu
program=$(dirname "$(command -v warpscape)")/tests/test_cacti
[ -x "$program" ] || { echo "no $program" >&2; exit 77; }
"$program" 2>&1 | grep '^| ' || exit 77
