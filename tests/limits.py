#!/usr/bin/env python3
"""Fails where the timing depth reads a limit by itself instead of through model/timing/base/limit.h.

The limits are the rows of src/schema/run_limits.h. What a run proves of other machines rests on
every comparison with one going through limit_admits. A read counts that is no argument of limit_of;
EXCEPTIONS says which sources may, and why that changes no run. Usage: limits.py [ROOT].
"""
import glob
import os
import re
import sys

ROW = re.compile(r"\bX\(\w+, \"[\w.]+\", ([\w.]+)\)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
MADE = re.compile(r"\blimit_of\((?:[^()]|\([^()]*\))*\)")
VALUE = re.compile(r"(?:\.|->)value\b")
FOLDERS = ("src/model/timing", "src/model/bypass", "src/model/throttle")
OWN = "src/model/timing/base/limit.h"

# Owners that a model gives the part of a machine that a limit stands in.
OWNERS = {"l1d": ("l1d", "cache", "config"), "l2": ("l2", "cache", "config"), "l1i": ("l1i",),
          "network": ("network", "config"), "dram": ("dram", "config"), "core": ("core",),
          "walker": ("walker", "config"), "gpu": ("gpu",)}

EXCEPTIONS = {
    "src/model/timing/timing_check.c": "what it refuses is not run, and no proof covers it",
    "src/model/timing/cache/cache_setup.c": "how many heads a hash has: no order follows from it",
    "src/model/timing/gpu_setup.c": "how far an SM goes before it looks at the network again",
    "src/model/timing/sm/sm_machine.c": "writes those of an ideal network; ideal runs prove nothing",
    "src/model/timing/sm/fetch_l0.c": "writes those of an L0, which are no parameters",
    "src/model/timing/sm/sm_blocks.c": "memory of a buffer; and hands one on as a cache's",
    "src/model/timing/memory/mmu.c": "memory of the walkers; and a cache without any",
    "src/model/timing/causes.c": "memory for what is noted of each walker: no run looks at it",
    "src/model/timing/causes_compact.c": "goes through what is noted of each walker: no run looks at it",
    "src/model/timing/base/timing_events.c": "how many walkers events can name: no run looks at it",
}


def blank(match):
    """As many lines, and nothing in them."""
    return "\n" * match.group().count("\n")


def reads(root):
    """Patterns of the fields of all rows, as the models write them."""
    with open(os.path.join(root, "src/schema/run_limits.h"), encoding="utf-8") as file:
        fields = ROW.findall(file.read())
    if not fields:
        sys.exit("limits.py: src/schema/run_limits.h has no rows")
    patterns = []
    for field in fields:
        part, rest = field.split(".", 1)
        owners = "|".join(OWNERS[part])
        patterns.append(re.compile(r"(?<![\w.>&])(?:\w+(?:->|\.))*(?:%s)(?:->|\.)%s\b(?!\s*=[^=])" %
                                   (owners, re.escape(rest))))
    return patterns


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    patterns, failed = reads(root), False
    for folder in FOLDERS:
        for path in sorted(glob.glob(os.path.join(root, folder, "**", "*.[ch]"), recursive=True)):
            name = os.path.relpath(path, root)
            with open(path, encoding="utf-8") as file:
                text = MADE.sub(blank, STRING.sub('""', COMMENT.sub(blank, file.read())))
            for number, line in enumerate(text.split("\n"), 1):
                found = [m.group() for p in patterns for m in p.finditer(line)]
                if VALUE.search(line) and name != OWN:
                    found.append("value of a limit")
                for what in sorted(set(found)):
                    if name not in EXCEPTIONS or what == "value of a limit":
                        print("%s:%d: reads %s; model/timing/base/limit.h does that" %
                              (name, number, what), file=sys.stderr)
                        failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
