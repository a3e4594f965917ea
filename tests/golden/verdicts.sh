#!/bin/sh
# How many rows of the reproductions named agree with their papers, as Markdown:
#
#   verdicts.sh NAME...       each a name of `warpscape reproduce`
set -eu
[ $# -gt 0 ] || { echo "usage: verdicts.sh NAME..." >&2; exit 2; }
csv=$(mktemp)
trap 'rm -f "$csv"' EXIT
echo "| command | agree | differ | hold for most | cannot be compared |"
echo "| --- | ---: | ---: | ---: | ---: |"
for name; do
    warpscape reproduce "$name" --format csv >"$csv"
    python3 - "$csv" "$name" <<'PYTHON'
import csv, sys
from collections import Counter
path, name = sys.argv[1:]
counts = Counter(row["verdict"] for row in csv.DictReader(open(path, encoding="utf-8")))
columns = ["agrees", "differs", "holds for most", "cannot be compared"]
left = set(counts) - set(columns)
if left:
    sys.exit(f"{name}: verdicts that no column stands for: {sorted(left)}")
print(f"| `warpscape reproduce {name}` | " + " | ".join(str(counts[c]) for c in columns) + " |")
PYTHON
done
