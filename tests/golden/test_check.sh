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
tlb: {entries: 60}
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
bad.yaml:7:16: tlb.entries: 60 entries are not a multiple of 64 ways
    7 | tlb: {entries: 60}
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
