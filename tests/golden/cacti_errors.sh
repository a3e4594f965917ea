#!/bin/sh
# How far estimates of arrays are off the runs of CACTI: of all runs, as test_cacti prints it; with
# "unseen", of runs that were left out of the table (minutes). Status 77 without the runs.
set -eu
program=$(dirname "$(command -v warpscape)")/tests/test_cacti
folder=${WARPSCAPE_SHARED:-$(pwd)/../shared}/reference/area
[ -x "$program" ] || { echo "no $program" >&2; exit 77; }
if [ "${1:-}" = unseen ]; then
  [ -r "$folder/cacti_grid2.csv" ] || exit 77
  exec python3 src/model/area/cacti_fit.py --unseen "$folder/cacti_grid.csv" "$folder/cacti_grid2.csv"
fi
"$program" 2>&1 | grep '^| ' || exit 77
