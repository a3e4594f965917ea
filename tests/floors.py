#!/usr/bin/env python3
"""Fails where an #include points the wrong way; types and inline functions get past the linker.

The orders stand in CMakeLists.txt. A floor may include itself and what add_floor(... LINKS ...) names,
and what those link. Inside of a floor that names FOLDERS, each may include itself and those before
it; a/b is a folder in a folder, and `a` what else that holds; a name without a folder is a file of
the floor's root (NAME.c, NAME.h), and `.` the rest of that.
Usage: floors.py [ROOT]; ./dev lint calls it.
"""
import os
import re
import sys

FLOOR = re.compile(r"^add_floor\((.*?)\)", re.S | re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"')
SECTIONS = ("ROOT", "FOLDERS", "LINKS", "PRIVATE")


def read_floors(root):
    """Name of each floor -> its folder, the folders in it, and the floors that it may include."""
    with open(os.path.join(root, "CMakeLists.txt"), encoding="utf-8") as file:
        calls = FLOOR.findall(file.read())
    floors = {}
    for call in calls:
        name, *words = call.split()
        given = {section: [] for section in SECTIONS}
        section = None
        for word in words:
            if word in given:
                section = word
            else:
                given[section].append(word)
        below = {name}
        for link in given["LINKS"]:
            below |= floors[link]["below"]
        floors[name] = {"root": (given["ROOT"] or ["src/" + name])[0] + "/",
                        "folders": given["FOLDERS"], "below": below}
    return floors


def floor_of(floors, path):
    """The floor of a file and its place in the order of that floor's folders; None: it has none."""
    for name, floor in floors.items():
        if path.startswith(floor["root"]):
            inside = path[len(floor["root"]):]
            folder = os.path.dirname(inside) or os.path.splitext(inside)[0]
            order = floor["folders"]
            while folder not in order and "/" in folder:
                folder = os.path.dirname(folder)
            if folder not in order and "/" not in inside and "." in order:
                folder = "."
            if order and folder not in order:
                return name, None
            return name, order.index(folder) if order else 0
    return None, None


def wrong_include(floors, path, included):
    """Why the file at `path` may not include that one, or None."""
    above, place = floor_of(floors, path)
    below, target = floor_of(floors, included)
    if above is None or below is None:
        return None
    if below not in floors[above]["below"]:
        return f"{above} is not above {below}"
    if above != below or target is None or place is None or target <= place:
        return None
    order = floors[above]["folders"]
    return f"in {above}, {order[place]} is before {order[target]}"


def check_file(floors, root, path):
    problems = []
    if floor_of(floors, path) != (None, None) and floor_of(floors, path)[1] is None:
        problems.append(f"{path}:1: its folder is not among FOLDERS of its floor in CMakeLists.txt")
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            for included in ("src/" + found.group(1), found.group(1)):
                if os.path.exists(os.path.join(root, included)):
                    why = wrong_include(floors, path, included)
                    if why:
                        problems.append(f"{path}:{number}: includes {found.group(1)}, but {why}")
                    break
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    floors = read_floors(root)
    problems = []
    for floor in floors.values():
        for folder, folders, files in os.walk(os.path.join(root, floor["root"])):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".c", ".h")):
                    problems += check_file(floors, root,
                                           os.path.relpath(os.path.join(folder, name), root))
    if problems:
        print("\n".join(problems), file=sys.stderr)
        sys.exit(1)


main()
