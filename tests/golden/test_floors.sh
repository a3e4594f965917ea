#!/bin/sh
# tests/floors.py accepts the tree, and finds what points the wrong way in a copy of it.
set -eu
# shellcheck source=tests/golden/planted_tree.sh
. tests/golden/planted_tree.sh

copy=$scratch/tree
mkdir "$copy"
cp -r CMakeLists.txt src ui "$copy"
python3 tests/floors.py "$copy" || fail "the tree itself has an include that points up"

# plant FILE INCLUDED WHY: an include at the end of FILE is refused, with its file and line.
plant() {
    cp "$copy/$1" "$scratch/kept"
    printf '#include "%s"\n' "$2" >>"$copy/$1"
    line=$(wc -l <"$copy/$1")
    if python3 tests/floors.py "$copy" 2>"$scratch/errors"; then
        fail "$1 may include $2"
    fi
    grep -qF "$1:$line: includes $2, but $3" "$scratch/errors" ||
        fail "$1 with $2 gives $(cat "$scratch/errors")"
    cp "$scratch/kept" "$copy/$1"
}

plant src/base/diag.h schema/machine.h "base is not above schema"
plant src/model/evaluate.c workload/workload.h "model is not above workload"
plant src/report/drawing/table.c ui/terminal/curses_screen.h "report is not above ui"
plant src/model/gpu/request.h model/cache/cache.h "in model, gpu is before cache"
plant src/model/pass/pass.h model/evaluate.h "in model, pass is before ."
plant src/model/timing/cache/cache_unit.h model/timing/memory/dram.h "in model, timing/cache is before timing/memory"
plant src/model/timing/sm/sm.h model/timing/gpu.h "in model, timing/sm is before timing"
plant src/explore/store/store.c explore/live/engine.h "in explore, store is before live"
plant src/cli/shared/options.h cli/sweep/slurm.h "in cli, shared is before sweep"
plant ui/jobs/worker.h ui/panes/state.h "in ui, jobs is before panes"

touch "$copy/src/explore/astray.h"
if python3 tests/floors.py "$copy" 2>"$scratch/errors"; then
    fail "a file without a folder is accepted"
fi
grep -q "src/explore/astray.h:1: its folder is not among FOLDERS" "$scratch/errors" ||
    fail "a file without a folder gives $(cat "$scratch/errors")"
