#!/bin/sh
# tests/limits.py accepts the tree, and finds what reads a limit by itself in a copy of it.
set -eu
# shellcheck source=tests/golden/planted_tree.sh
. tests/golden/planted_tree.sh

copy=$scratch/tree
mkdir "$copy"
cp -r src "$copy"
python3 tests/limits.py "$copy" || fail "the tree itself reads a limit by itself"

# plant FILE WHAT CODE: code at the end of FILE that is found, with its file and line.
plant() {
    printf '%s\n' "$3" >>"$copy/$1"
    echo "$1:$(wc -l <"$copy/$1"): reads $2; model/timing/base/limit.h does that" >>"$scratch/expected"
}

# In the order of the folders.
plant src/model/timing/gpu_steps.c gpu-\>machine-\>network.queue \
    'bool f(struct gpu *gpu, int n) { return n < gpu->machine->network.queue; }'
plant src/model/timing/memory/channel.c l2-\>queue \
    'bool f(const struct cache_config *l2, int n) { return n == l2->queue; }'
plant src/model/timing/memory/dram.c 'value of a limit' \
    'int f(const struct limit *limit) { return (int)limit->value; }'
plant src/model/timing/sm/port.c machine-\>core.responses \
    'bool f(const struct machine *machine, int n) { return n < machine->core.responses; }'
plant src/model/bypass/bypass.c machine-\>l1d.mshr.entries \
    'int f(const struct machine *machine) { return (int)machine->l1d.mshr.entries; }'
# A limit that is made or asked is none, nor is a comment, a message or another queue.
cat >>"$copy/src/model/timing/sm/port.c" <<'C'
struct limit g(const struct machine *m) { return limit_of(m->network.queue); } /* m->network.queue */
const char *h(struct dram *dram) { return limit_admits(&dram->queue, 1) ? "l2.queue" : ""; }
C
if python3 tests/limits.py "$copy" 2>"$scratch/errors"; then
    fail "what reads a limit by itself is accepted"
fi
diff "$scratch/expected" "$scratch/errors" || fail "the list differs"
