#!/bin/sh
# The micro-benchmarks compile for every architecture that this nvcc knows; skipped without nvcc. What
# they infer is held by test_probe and test_pointer_chase, which run the same code on our models.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v nvcc >/dev/null || { echo "no nvcc"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/run.sh" --compile >"$work/out"
cat "$work/out"
grep -q 'sm_90: compiles' "$work/out"
cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I"$here/../../src" -I"$here" "$here/measure.c"
