#!/bin/sh
# `warpscape check`: every problem of every file, with its place; exit status 1 if there is any.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

cat >"$folder/bad.yaml" <<'YAML'
# several mistakes at once
l1d:
  size: 17KiB
  asoc: 4
  line: four
l2.siez: 3MiB
tlb: {entries: 60, ways: 16}
YAML
cat >"$folder/expected" <<'TEXT'
bad.yaml:4:3: unknown key 'asoc' in l1d; did you mean 'ways'?
    4 |   asoc: 4
      |   ^~~~
bad.yaml:5:9: l1d.line: expected a power of two from 16B to 512B, got 'four'
    5 |   line: four
      |         ^~~~
bad.yaml:6:1: unknown key 'l2.siez'; did you mean 'l2.size'?
    6 | l2.siez: 3MiB
      | ^~~~~~~
bad.yaml:7:16: tlb.entries: 60 is not a multiple of the ways (16)
    7 | tlb: {entries: 60, ways: 16}
      |                ^~
TEXT
status=0
(cd "$folder" && "$WARPSCAPE" check bad.yaml >out 2>err) || status=$?
[ $status = 1 ] || fail "exit status $status, expected 1"
diff -u "$folder/expected" "$folder/err"

"$WARPSCAPE" check gtx480 configs/machines/*.yaml configs/studies/*.yaml >"$folder/out"
! grep -v 'no problems$' "$folder/out" || fail "a shipped file has problems"
status=0
"$WARPSCAPE" check 2>/dev/null || status=$?
[ $status = 2 ] || fail "wrong usage gives $status, expected 2"
status=0
"$WARPSCAPE" check gtx48 2>"$folder/err" || status=$?
[ $status = 1 ] || fail "an unknown machine gives $status, expected 1"
grep -q "did you mean 'gtx480'" "$folder/err" || fail "no nearest name"

# Bytes of a file never reach the terminal as they are: escape sequences, NUL, what is no UTF-8.
printf 'l1d:\n  size: "\\e[31m\\0"\n  ways: "\\x9b"\n' >"$folder/hostile.yaml"
printf 'l1d: \033[31m\000\377\n' >"$folder/binary.yaml"
printf '0x10\n\033[31m\377\n' >"$folder/hostile.addr"
status=0
"$WARPSCAPE" check "$folder/hostile.yaml" "$folder/binary.yaml" >"$folder/out" 2>&1 || status=$?
[ $status = 1 ] || fail "exit status $status of hostile files"
"$WARPSCAPE" trace stats "$folder/hostile.addr" >>"$folder/out" 2>&1 && fail "a hostile trace passes"
LC_ALL=C grep -q '[^[:print:][:space:]]' "$folder/out" && fail "bytes as they are: $(cat -v "$folder/out")"
for shown in 'got .\\x1b\[31m' 'l1d: \\x1b\[31m' '\\x1b\[31m\\xff'; do
    grep -q "$shown" "$folder/out" || fail "no $shown in: $(cat "$folder/out")"
done

# Settings that say nothing about their machine are warnings, each with the switch that is to blame.
cat >"$folder/idle.yaml" <<'YAML'
tlb: {enabled: no, ways: 8}
l2tlb.entries: 64
l2: {enabled: no, ways: 8, banks: 2}
walker.l2: yes
YAML
"$WARPSCAPE" check "$folder/idle.yaml" >"$folder/out" 2>"$folder/err" || fail "warnings are no errors"
grep -q 'machine, no errors$' "$folder/out" || fail "warnings go unsaid: $(cat "$folder/out")"
sed -n 's/.*warning: //p' "$folder/err" >"$folder/found"
diff -u - "$folder/found" <<'TEXT' || fail "the warnings of idle settings"
tlb.ways has no effect while tlb.enabled is no
l2tlb.entries has no effect in this machine
l2.banks has no effect while l2.enabled is no
walker.l2 has no effect in this machine
TEXT
"$WARPSCAPE" run gtx480 -w 2DCONV:n=32 --needs fast -s l2tlb.ways=4 -s l1d.ways=2 2>&1 >"$folder/out" |
    diff -u - /dev/fd/3 3<<'TEXT' || fail "the warning of an idle --set"
warning: --set l2tlb.ways=4 has no effect while l2tlb.enabled is no
TEXT

# What another command reads.
for trace in cpwc-example.addr:addresses gather.traceg.xz:accelsim sort-lackey.wtr:wtr; do
    file=traces/${trace%:*}
    "$WARPSCAPE" check "$file" 2>"$folder/err" && fail "a trace is no machine"
    grep -q "a trace (${trace#*:}), neither a machine nor a study; 'warpscape trace stats $file' reads it" \
        "$folder/err" || fail "check of $file: $(cat "$folder/err")"
done

# A duplicate key, an anchor and an alias do not hide what else is wrong.
cat >"$folder/faults.yaml" <<'YAML'
l1d:
  size: 16KiB
  size: 32KiB
  ways: &four four
l2: {ways: *four, size: none}
YAML
status=0
"$WARPSCAPE" check "$folder/faults.yaml" 2>"$folder/found" || status=$?
[ $status = 1 ] || fail "exit status $status of a file with faults"
for text in "3:3: duplicate key 'size'" '4:9: anchors are not' "4:9: l1d.ways: expected" \
    '5:12: aliases are not' '5:25: l2.size: expected'; do
    grep -qF ":$text" "$folder/found" || fail "no '$text' in: $(cat "$folder/found")"
done
[ "$(grep -c '^[^ ]*yaml:' "$folder/found")" = 5 ] || fail "not five errors: $(cat "$folder/found")"

: >"$folder/empty.yaml"
status=0
"$WARPSCAPE" check "$folder/empty.yaml" 2>"$folder/found" || status=$?
{ [ $status = 1 ] && grep -q 'empty: neither a machine nor a study' "$folder/found"; } ||
    fail "an empty file: $(cat "$folder/found")"

# Text is not empty: each command says what it expected of it.
echo 'notes' >"$folder/notes"
for wanted in "check:notes:1:1: expected a mapping of parameters" \
    "trace stats:say which kind of trace this is; expected wtr, accelsim, .* or addresses"; do
    status=0
    # shellcheck disable=SC2086 # a command of two words
    "$WARPSCAPE" ${wanted%%:*} "$folder/notes" 2>"$folder/found" || status=$?
    { [ $status = 1 ] && grep -q "${wanted#*:}" "$folder/found"; } ||
        fail "text to ${wanted%%:*}: $(cat "$folder/found")"
done
