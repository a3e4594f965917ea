#!/usr/bin/env python3
"""How much of what could go wrong do the tests find? (./dev mutate [COUNT])

Draws random places of the sources, makes one fault of one line in a copy of the tree, builds the
programs that link the file, a few at a time, and runs their tests until one fails: those of the file's
own module first, then golden cases and screens of its name, then those that include its header, then
others from quick to slow, then scripts of the program. A test that fails is run without the fault, too, before
it is believed. The faults that no test finds are listed: some change nothing that can be seen, each of the
others asks for a test. The same seed gives the same faults for the same sources. After --seconds of the
processor for its tests a fault counts as surviving, so the rate is a lower bound. Fifty take most of an
hour, so no test and no continuous integration runs this.
"""

import argparse
import fnmatch
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / "build/mutate"
BUILD = TREE / "build/dev"  # as deep as other builds, so that ccache knows the objects
WORKERS = os.cpu_count() or 1
LOOPING = 60  # seconds of the processor, beyond those of any test
CASES_AIMED = 12  # golden cases that a file is tried on first
EVERYWHERE = {"cmd", "run", "report", "view", "pane", "job", "print", "table"}  # words that aim at nothing
AT_ONCE = 4 * WORKERS  # tests that are linked before the first of them runs

# What stands there, and what takes its place.
FAULTS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
    (r" == ", " != "), (r" != ", " == "), (r" >= ", " == "), (r" == ", " >= "),
    (r" && ", " || "), (r" \|\| ", " && "),
    (r" \+ ", " - "), (r" - ", " + "), (r" \* (?=[\w(])", " / "), (r" / ", " * "),
    (r" << ", " >> "), (r" >> ", " << "), (r" & (?=[\w(])", " | "), (r" \| ", " & "),
    (r" \+= ", " -= "), (r" -= ", " += "), (r" \|= ", " &= "), (r"\+\+", "--"),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"\bif \((?=.*\)$)", "if (!"), (r"(?<![\w.])!(?=[\w(])", ""),
    (r"\bfmin\(", "fmax("), (r"\bfmax\(", "fmin("),
    (r"(?<=[^\w.])(\d+)(?=[^\w.xX])", lambda match: str(int(match[1]) + 1)),
    (r"^( +)(\w[\w.>\[\]-]* [-+|&]?= [^;]*;|\w+\([^;{}]*\);)$", r"\1;"),
]  # fmt: skip
LEFT_ALONE = re.compile(r"^\s*(#|/?\*|//|assert\(|static const char|fprintf|printf|case |default)")



def places(pattern):
    """Every (file, line, fault, start) where a fault can be made, of files whose path matches."""
    found = []
    files = subprocess.check_output(["git", "ls-files", "src/*.c", "ui/*.c"], cwd=ROOT, text=True)
    for name in files.split():
        if (Path(name).name.startswith("bench") or not (ROOT / name).exists()
                or not fnmatch.fnmatch(name, pattern)):
            continue
        text = (ROOT / name).read_text()
        # Comments and strings keep their length, so that columns stay true.
        bare = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
        bare = re.sub(r'"(\\.|[^"\\\n])*"', lambda m: '"' + "_" * (len(m[0]) - 2) + '"', bare)
        for number, line in enumerate(bare.split("\n")):
            if line.startswith("    ") and not LEFT_ALONE.match(line):
                found += [(name, number, fault, match.start())
                          for fault, (pattern, _) in enumerate(FAULTS)
                          for match in re.finditer(pattern, line)]
    return found


def apply(place):
    """Makes the fault in the copy; returns (old, new) of the line."""
    name, number, fault, start = place
    lines = (ROOT / name).read_text().split("\n")
    old = lines[number]
    pattern, put = FAULTS[fault]
    match = re.compile(pattern).match(old, start)
    if not match:  # a string that looks like code
        return old, old
    new = old[:start] + match.expand(put) + old[match.end():] if isinstance(put, str) else (
        old[:start] + put(match) + old[match.end():])
    if put == "if (!":
        new = old[:start] + "if (!(" + old[match.end():] + ")"
    lines[number] = new
    (TREE / name).write_text("\n".join(lines))
    return old, new


def restore(name):
    shutil.copy(ROOT / name, TREE / name)
    os.utime(TREE / name)


def build(targets):
    command = ["cmake", "--build", BUILD, "--target", *targets]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Test:
    def __init__(self, entry, seconds):
        properties = {item["name"]: item["value"] for item in entry["properties"]}
        self.name = entry["name"]
        self.command = entry["command"]
        self.folder = properties.get("WORKING_DIRECTORY", str(BUILD))
        self.environment = dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", []))
        self.script = not self.command[0].startswith(str(BUILD))
        self.seconds = seconds.get(self.name, properties.get("COST", 1.0))  # a guess until it has run
        self.passes = None  # without a fault; None: not known yet

    def fails(self, running=None, limit=600.0):
        """Whether it fails, hangs included; what is `running` can be ended from outside."""
        def limit_processor():  # of each process of it: one that hangs in a loop ends long before `limit`
            resource.setrlimit(resource.RLIMIT_CPU, (LOOPING, LOOPING + 1))

        running = set() if running is None else running
        begin = time.monotonic()
        process = subprocess.Popen(self.command, cwd=self.folder, env=os.environ | self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, preexec_fn=limit_processor)
        running.add(process)
        try:
            code = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            end(process)
            code = -1
        running.discard(process)
        self.seconds = time.monotonic() - begin
        return code not in (0, 77)


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def seconds_used():
    """Of processor time, by all tests and builds that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def first_failure(tests, seconds):
    """A test that fails, or None: of those that begin within so many seconds of processor time."""
    until = seconds_used() + seconds
    running, found = set(), None
    with ThreadPoolExecutor(WORKERS) as pool:
        def run(test):
            return seconds_used() < until and test.passes is not False and test.fails(running)

        waiting = {pool.submit(run, test): test for test in sorted(tests, key=lambda t: t.seconds)}
        for done in as_completed(waiting):
            if not done.cancelled() and done.result() and not found:
                found = waiting[done]
                for other in waiting:
                    other.cancel()
                for process in list(running):
                    end(process)
    return found


def copy_tree():
    files = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                                    text=True)
    for name in files.split("\n"):
        source, target = ROOT / name, TREE / name
        if not name or not source.is_file():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def prepare():
    """Builds the copy; returns its tests."""
    copy_tree()
    # Linking hundreds of programs again is most of the work, and mold is several times faster at it.
    linker = ["-D", "CMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold"] if shutil.which("mold") else []
    subprocess.run(["cmake", "-G", "Ninja", "-S", TREE, "-B", BUILD, "-D", "CMAKE_BUILD_TYPE=None",
                    "-D", "CMAKE_C_FLAGS=-O1", "-D", "WARPSCAPE_WERROR=ON", *linker],
                   check=True, stdout=subprocess.DEVNULL)
    built = build(["all"])
    if built.returncode:
        sys.exit(built.stdout[-3000:])
    seconds = known_seconds()
    listing = subprocess.check_output(["ctest", "--show-only=json-v1", "-LE", "slurm"], cwd=BUILD)
    return [Test(entry, seconds) for entry in json.loads(listing)["tests"]]


def known_seconds():
    """What tests took when ctest last ran them, in the newest build that knows it."""
    costs = ROOT.glob("build/*/Testing/Temporary/CTestCostData.txt")
    newest = max(costs, key=lambda path: path.stat().st_mtime, default=None)
    rows = [line.split() for line in newest.read_text().split("\n")] if newest else []
    return {row[0]: float(row[2]) for row in rows if len(row) == 3 and float(row[2]) > 0}


def symbols(file, *options):
    listing = subprocess.run(["nm", "--defined-only", *options, file], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True).stdout
    return {line.split()[-1] for line in listing.split("\n") if line}


def script(name, file, cases, environment):
    return Test({"name": name, "command": ["sh", str(TREE / file), *cases], "properties": [
        {"name": "WORKING_DIRECTORY", "value": str(TREE)},
        {"name": "ENVIRONMENT", "value": [f"WARPSCAPE={BUILD}/warpscape", *environment]}]}, {})


def aimed(name):
    """Golden cases or screens that a file of this name is likely to show in: a list of one or none."""
    words = [word for word in Path(name).stem.split("_") if word not in EVERYWHERE]
    if name.startswith("ui/"):
        listing = (TREE / "tests/ui/test_screens.sh").read_text()
        cases = re.findall(r"^check (\S+)", listing, flags=re.M)
        file, environment = "tests/ui/test_screens.sh", ["TERMS=xterm-256color", "LOCALES=C.UTF-8"]
    elif name.startswith(("src/cli/", "src/report/")):
        cases = sorted(path.stem for path in (TREE / "tests/golden/cases").glob("*.cmd"))
        file, environment = "tests/golden/test_cli.sh", []
    else:
        return []
    chosen = [case for case in cases if any(word in case for word in words)][:CASES_AIMED]
    return [script(f"{Path(file).stem} {' '.join(chosen)}", file, chosen, environment)] if chosen else []


def batches(name, tests, linked, includers):
    """The tests that can find a fault of a file, a few at a time, the likeliest and quickest first."""
    objects = list(BUILD.glob(f"CMakeFiles/*/{name}.o"))
    defined = symbols(objects[0], "-g") if objects else set()
    stem = Path(name).stem
    include = f'/{stem}.h"'

    def is_own(test):
        return (test.name[5:] in stem or stem in test.name) and not test.script

    def order(test):
        return test.script, include not in includers.get(test.name, ""), test.seconds

    able = sorted((test for test in tests if test.script or defined & linked[test.name]), key=order)
    candidates = [test for test in able if is_own(test)] + aimed(name) + [
        test for test in able if not is_own(test)]
    return [candidates[start:start + AT_ONCE] for start in range(0, len(candidates), AT_ONCE)]


def judge(name, tests, linked, includers, seconds):
    """Who finds the fault: a test, None, or 'compiler'."""
    left = seconds
    for batch in batches(name, tests, linked, includers):
        while left > 0 and (batch := [test for test in batch if test.passes is not False]):
            targets = {"warpscape" if test.script else test.name for test in batch}
            if build(sorted(targets)).returncode:
                return "compiler"
            begin = seconds_used()
            found = first_failure(batch, left)
            left -= seconds_used() - begin
            if found and believed(found, name):
                return found.name
            if not found:
                break
    return None


def believed(test, name):
    """Whether a test that failed passes without the fault, which is taken out for it."""
    if test.passes is None:
        faulty = (TREE / name).read_text()
        restore(name)
        test.passes = not build(["warpscape" if test.script else test.name]).returncode and (
            not test.fails())
        (TREE / name).write_text(faulty)
        if not test.passes:
            print(f"left out: {test.name} fails without any fault", flush=True)
    return test.passes


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--files", default="*", help="only of these sources, such as 'ui/panes/*'")
    options.add_argument("--seconds", type=float, default=120, help="of tests for one fault at most")
    options = options.parse_args()
    if (ROOT.parent / "shared").is_dir():
        os.environ.setdefault("WARPSCAPE_SHARED", str(ROOT.parent / "shared"))
    begin = time.monotonic()
    tests = prepare()
    # Those of programs are no longer global where a linker made what they hide local.
    linked = {test.name: symbols(BUILD / "tests" / test.name) for test in tests if not test.script}
    includers = {path.stem: path.read_text() for path in ROOT.glob("tests/**/*.c")}
    draw = random.Random(options.seed)
    kinds = {}
    for place in places(options.files):
        kinds.setdefault(place[2], []).append(place)
    killed, survivors = 0, []
    while killed + len(survivors) < options.count:
        # Every kind of fault is as likely, however often it can be made.
        place = draw.choice(kinds[draw.choice(sorted(kinds))])
        name, number = place[:2]
        old, new = apply(place)
        found = judge(name, tests, linked, includers, options.seconds) if new != old else "compiler"
        restore(name)
        if found == "compiler":
            continue
        killed += found is not None
        if found is None:
            survivors.append(place)
        print(f"{found or 'SURVIVES'}: {name}:{number + 1}\n  - {old.strip()}\n  + {new.strip()}",
              flush=True)
    judged = killed + len(survivors)
    print(f"{killed} of {judged} found, {len(survivors)} survive; seed {options.seed}, "
          f"{(time.monotonic() - begin) / 60:.0f} min")


if __name__ == "__main__":
    main()
