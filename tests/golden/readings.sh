#!/bin/sh
# What a paper's numbers are under each reading of what it leaves open, the nearest reading first, as Markdown:
#
#   readings.sh NAME       a name of `warpscape reproduce`
set -eu
[ $# -eq 1 ] || { echo "usage: readings.sh NAME" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
warpscape reproduce "$1" -t numbers --format csv >"$folder/numbers"
warpscape reproduce "$1" -t readings --format csv >"$folder/ranks"
python3 - "$folder" <<'PYTHON'
import csv, sys
def rows(name):
    return list(csv.DictReader(open(f"{sys.argv[1]}/{name}", encoding="utf-8")))
ranks = rows("ranks")
labels = [row["reading"] for row in ranks]
claims = {}
for row in rows("numbers"):
    for label in labels:
        if row["what"].endswith(", " + label):
            what = row["what"][: -len(label) - 2]
            claims.setdefault((what, row["paper"]), {})[label] = row["ours"]
print("| | paper | " + " | ".join(labels) + " |")
print("| --- | --- |" + " ---: |" * len(labels))
for (what, paper), ours in claims.items():
    print(f"| {what} | {paper} | " + " | ".join(ours[label] for label in labels) + " |")
print("| distance from all numbers together, in tolerances | | " + " | ".join(f"{float(row['distance']):.2f}" for row in ranks) + " |")
PYTHON
