#!/bin/sh
# Times of real GPUs' kernels beside ours at depth timing. All rows take hours, so those that were
# run are kept in tests/golden/silicon_times.csv, each with the day, and the tables are made from
# that file:
#
#   silicon_times.sh run [ROW...]   runs these rows (without any: those that were never run) and
#                                   keeps each as it ends; EFFORT=N is --effort
#   silicon_times.sh gpus           errors by GPU, as Markdown
#   silicon_times.sh rows [ERROR]   each row, or those that are off by ERROR percent or more
#   silicon_times.sh order          variants of one problem: whose order is right
set -eu
PYTHONDONTWRITEBYTECODE=1 exec python3 - "$(dirname "$0")/silicon_times.csv" "$@" <<'PYTHON'
import csv, datetime, io, math, os, subprocess, sys

path, command, *words = sys.argv[1:] + [""] * (len(sys.argv) < 3)
columns = ["row", "counter", "measured", "ours", "date"]
same = 1.02  # times closer than this are those of two runs of one program


def table(*options):
    text = subprocess.run(["warpscape", "silicon", *options, "-f", "csv"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def kept():
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {row["row"]: row for row in csv.DictReader(file)}


def keep(row):
    rows = kept()
    rows[row["row"]] = row
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[name] for name in sorted(rows))
    os.replace(path + ".new", path)


def run(names):
    have = kept()
    for name in names or [row["row"] for row in sources if row["row"] not in have]:
        found = {row["counter"]: row
                 for row in table("--only", name, "--depth", "timing", "-t", "rows",
                                  "--effort", os.environ.get("EFFORT", "1"))}
        time = found.get("cycles") or found.get("us")
        if not time or not time["timing"]:
            print(f"{name}: no time at this effort", file=sys.stderr)
            continue
        keep({"row": name, "counter": time["counter"], "measured": time["measured"],
              "ours": "%.6g" % float(time["timing"]), "date": datetime.date.today().isoformat()})


def error(row):
    return 100 * (float(row["ours"]) / float(row["measured"]) - 1)


def head(*names):
    print("| " + " | ".join(name.lstrip(">") for name in names) + " |")
    print("| " + " | ".join("---:" if name[0] == ">" else "---" for name in names) + " |")


def line(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_gpus():
    groups = {}
    for source in sources:
        groups.setdefault("all", []).append(source)
        groups.setdefault(source["gpu"], []).append(source)
    head("GPU", ">rows", ">run", ">mean %", ">signed %", ">worst %", "of row", "run on")
    for gpu, members in groups.items():
        rows = [have[row["row"]] for row in members if row["row"] in have]
        if not rows:
            line(gpu, len(members), 0, "-", "-", "-", "-", "-")
            continue
        errors = [error(row) for row in rows]
        worst = max(rows, key=lambda row: abs(error(row)))
        days = sorted({row["date"] for row in rows})
        line(gpu, len(members), len(rows), "%.1f" % (sum(map(abs, errors)) / len(rows)),
             "%+.1f" % (sum(errors) / len(rows)), "%+.1f" % error(worst), worst["row"],
             days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}")


def print_rows(least):
    head("row", "kernel", "GPU", ">measured", ">ours", "unit", ">error %", "run on")
    for source in sources:
        row = have.get(source["row"])
        if row and abs(error(row)) >= least:
            measured = float(row["measured"])
            digits = 2 if measured < 100 else 0
            line(row["row"], source["kernel"], source["gpu"], "%.*f" % (digits, measured),
                 "%.*f" % (digits, float(row["ours"])), row["counter"], "%+.1f" % error(row),
                 row["date"])


def print_order():
    counts = {"right": 0, "wrong": 0}
    head("problem", "first", "second", ">measured", ">ours", "order")
    for i, first in enumerate(sources):
        for second in sources[i + 1:]:
            a, b = have.get(first["row"]), have.get(second["row"])
            if not first["problem"] or first["problem"] != second["problem"] or not a or not b:
                continue
            measured = float(b["measured"]) / float(a["measured"])
            ours = float(b["ours"]) / float(a["ours"])
            order = "right" if (measured > 1) == (ours > 1) else "wrong"
            if abs(math.log(measured)) < math.log(same):
                order = "equal"
            else:
                counts[order] += 1
            line(first["problem"], first["row"], second["row"], "%.3f" % measured, "%.3f" % ours,
                 order)
    print(f"\n{counts['right']} of {sum(counts.values())} pairs have the right order.")


sources = table("-t", "sources")
have = kept()
if command == "run":
    run(words)
elif command == "gpus":
    print_gpus()
elif command == "rows":
    print_rows(float(words[0]) if words else 0)
elif command == "order":
    print_order()
else:
    sys.exit("usage: silicon_times.sh run [ROW...] | gpus | rows [ERROR] | order")
PYTHON
