#!/bin/sh
# The table and the coefficients of the area model are what cacti_fit.py makes of the runs of CACTI,
# to the byte. Skipped without the runs ($WARPSCAPE_SHARED or ../shared) or without python3.
set -u
folder=${WARPSCAPE_SHARED:-$(pwd)/../shared}/reference/area
[ -r "$folder/cacti_grid2.csv" ] || { echo "no $folder/cacti_grid2.csv: skipped"; exit 77; }
command -v python3 >/dev/null || { echo 'without python3 nothing is made: skipped'; exit 77; }
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 src/model/area/cacti_fit.py "$work" "$folder/cacti_grid.csv" "$folder/cacti_grid2.csv" || exit 1
for file in src/model/area/cacti_data.h src/model/area/cacti_*.csv; do
    cmp "$work/$(basename "$file")" "$file" || exit 1
done
