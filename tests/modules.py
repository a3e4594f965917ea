#!/usr/bin/env python3
"""Prints the map of modules: of each folder of src and ui the headers, and the sources without one, with the first
sentence of their head. docs/MODULES.md has it (tests/golden/test_modules.sh). Exits with 1 where a file has no head,
or has the name of another one of src, ui and tests.
"""
import pathlib
import re
import sys

HEAD = re.compile(r"\s*/\*(.*?)\*/", re.S)


def first_sentence(file):
    """The first sentence of the comment at the head of a file; empty without one."""
    head = HEAD.match(file.read_text(encoding="utf-8"))
    if not head:
        return ""
    text = re.sub(r"\n\s*\*? ?", "\n", head.group(1)).strip()
    paragraph = " ".join(text.split("\n\n")[0].split())
    sentence = re.match(r".*?(?<!\b[A-Z])(?<!e\.g)(?<!i\.e)(?<!et al)\.(?=\s|$)", paragraph)
    return (sentence.group() if sentence else paragraph).replace("|", "\\|")


def main():
    files = sorted(file for top in ("src", "ui") for file in pathlib.Path(top).glob("**/*.[ch]"))
    headers = {file.with_suffix("") for file in files if file.suffix == ".h"}
    folders = {}
    for file in files:
        if file.suffix == ".h" or file.with_suffix("") not in headers:
            folders.setdefault(file.parent, []).append(file)
    wrong = 0
    for number, (folder, members) in enumerate(sorted(folders.items())):
        print(("\n" if number else "") + f"## {folder}\n")
        for file in members:
            sentence = first_sentence(file)
            if not sentence and file.suffix == ".h":
                print(f"{file}: no head says what it is for", file=sys.stderr)
                wrong += 1
            print(f"* `{file.name}`" + (f": {sentence}" if sentence else ""))
    names = {}
    for file in files + sorted(pathlib.Path("tests").glob("**/*.[ch]")):
        if names.setdefault(file.name, file) != file:
            print(f"{file}: {names[file.name]} has this name", file=sys.stderr)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
