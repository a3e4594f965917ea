#!/usr/bin/env python3
"""Fails where a source writes a file by itself instead of through src/base/output_file.h.

A call counts that creates, truncates, renames or opens a file for writing. EXCEPTIONS says which
sources may, with what and why. Usage: writers.py [ROOT]; ./dev lint calls it.
"""
import os
import re
import sys

ALWAYS = ["creat", "mkstemp", "mkostemp", "mkstemps", "tmpfile", "tmpnam", "truncate", "rename",
          "renameat", "renameat2", "link", "linkat", "symlink", "copy_file_range",
          "png_image_write_to_file", "json_dump_file"]
BY_MODE = ["fopen", "freopen", "fdopen", "gzopen"]  # the mode is the second argument
BY_FLAGS = ["open", "openat", "open64"]
CALL = re.compile(r"(?<![\w.>])(" + "|".join(ALWAYS + BY_MODE + BY_FLAGS) + r")\s*\(")
WRITING_FLAGS = re.compile(r"\bO_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)

EXCEPTIONS = {
    "src/base/output_file.c": (None, "the one way"),
    "src/explore/store/store.c": ({"open"}, "the lock beside a store has no content"),
    "src/cli/run/accelsim_traces.c": ({"open"}, "a lock, too"),
    "src/cli/shared/cacti_program.c": ({"mkstemp", "fdopen"}, "CACTI reads a file in /tmp"),
    "ui/terminal/curses_screen.c": ({"fopen", "fdopen"}, "the terminal, or /dev/null in its place"),
}


def blank(match):
    """As many lines, and nothing in them."""
    return "\n" * match.group().count("\n")


def arguments(text, start):
    """The arguments of the call whose parenthesis opens before `start`."""
    depth, found, begin = 1, [], start
    for at in range(start, len(text)):
        letter = text[at]
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and letter == ","):
            found.append(text[begin:at].strip())
            begin = at + 1
        if depth == 0:
            break
    return found


def writes(name, given):
    if name in BY_MODE:
        mode = given[1] if len(given) > 1 else ""
        return not re.fullmatch(r'"r[be]*"', mode)
    if name in BY_FLAGS:
        return any(WRITING_FLAGS.search(argument) for argument in given)
    return True


def check(root, path):
    allowed, _ = EXCEPTIONS.get(path, (set(), ""))
    if allowed is None:
        return []
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = COMMENT.sub(blank, file.read())
    problems = []
    for call in CALL.finditer(text):
        name = call.group(1)
        if name not in allowed and writes(name, arguments(text, call.end())):
            line = text.count("\n", 0, call.start()) + 1
            problems.append(f"{path}:{line}: {name} writes a file; base/output_file.h does that")
    return problems


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    problems = []
    for top in ("src", "ui"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".c", ".h")):
                    problems += check(root, os.path.relpath(os.path.join(folder, name), root))
    if problems:
        print("\n".join(problems), file=sys.stderr)
        sys.exit(1)


main()
