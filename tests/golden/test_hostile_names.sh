#!/bin/sh
# No name of a file steers the terminal: the commands are given files whose names hold an escape
# sequence, a C1 control (as a byte and as UTF-8) and a mark of direction, and print them escaped.
# JSON keeps the name, documents show it escaped. $WARPSCAPE is the program.
set -u
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"

hostile=$(printf 'n\033[31m\233\302\233\342\200\256m')
escaped='n\x1b[31m\x9b\xc2\x9b\xe2\x80\xaem'

# harmless FILE: nothing in it is what a terminal would obey.
harmless() {
    python3 - "$1" <<'PYTHON' || fail "$1 holds what steers a terminal"
import sys
text = open(sys.argv[1], "rb").read().decode("utf-8", "surrogateescape")
steers = {0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)}
bad = [c for c in text if ord(c) < 0x20 and c not in "\t\n" or 0x7F <= ord(c) < 0xA0
       or ord(c) in steers or 0xD800 <= ord(c) < 0xE000]
sys.exit(f"{bad}" if bad else 0)
PYTHON
}

# hidden STATUS COMMAND...: the exit status, the escaped name, nothing that steers.
hidden() {
    wanted=$1
    shift
    expect "$wanted" "$escaped" "$@"
    harmless out
}

# quiet STATUS COMMAND...: the same, of a command that does not print the name.
quiet() {
    wanted=$1
    shift
    "$program" "$@" >out 2>&1
    [ $? -eq "$wanted" ] || fail "$*: not exit $wanted"
    harmless out
}

printf '0 0\n0 80\n0 100\n' >"$hostile.din"
cat >study.yaml <<'YAML'
machine: gtx480
workloads: ['ATAX:n=64']
axes: {l1d.size: [16KiB, 32KiB]}
objectives: [l1d.misses, total.area]
YAML
printf '%b' '\033]0;title\007: 1\n' >"$hostile.yaml"

hidden 0 run -w "$hostile.din"
hidden 0 run -w "$hostile.din" -f md
hidden 0 trace info "$hostile.din"
hidden 1 run -w "$hostile.none"
hidden 1 run "$hostile.yaml"
hidden 1 check "$hostile.yaml"
hidden 2 "$hostile"

# What is no UTF-8 cannot be kept as YAML.
expect 1 'other.db: a store keeps the study as YAML' sweep study.yaml -w "$hostile.din" --store other.db
rm -f other.db
hostile=$(printf 'n\033[31m\302\233\342\200\256m')
escaped='n\x1b[31m\xc2\x9b\xe2\x80\xaem'
printf '0 0\n0 80\n0 100\n' >"$hostile.din"
hidden 0 sweep study.yaml -w "$hostile.din" --store "$hostile.db" --plain --report "$hostile.html"
quiet 0 show "$hostile.db"
quiet 0 show "$hostile.db" --front -f md
hidden 0 watch --once "$hostile.db"
hidden 0 watch --once "$hostile.db" "$hostile.db"
quiet 0 compare "$hostile.db" "$hostile.db"
quiet 0 merge other.db "$hostile.db"
quiet 0 report "$hostile.db" --output other.md
hidden 0 export "$hostile.db" --best l1d.misses --to yaml
quiet 0 export "$hostile.db" --best l1d.misses --to yaml -o best.yaml
"$program" check best.yaml >/dev/null || fail 'an exported machine cannot be read again'

for file in other.md best.yaml "$hostile.html"; do
    grep -qF -- "$escaped" "$file" || fail "$file does not show the name"
    cp "$file" document
    harmless document
done

# Programs get the name itself, as far as JSON can say it: a byte that is no UTF-8 is U+FFFD there.
"$program" run -w "$hostile.din" -f json >out
harmless out
python3 - <<'PYTHON' || fail 'JSON has another name'
import json
name = json.load(open("out"))["workload"]
name = name["name"] if isinstance(name, dict) else name
assert name.startswith("n\x1b[31m\x9b\u202em"), repr(name)
PYTHON
