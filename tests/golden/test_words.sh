#!/bin/sh
# tests/words.py accepts the tree, and finds each phrase of its table in a copy of it.
set -eu
# shellcheck source=tests/golden/planted_tree.sh
. tests/golden/planted_tree.sh

python3 tests/words.py . || fail "the tree itself has words that are not the field's"

mkdir -p "$scratch/tree/src" "$scratch/tree/docs"
text=$scratch/tree/docs/TEXT.md
code=$scratch/tree/src/code.c

# refused PHRASE SAY: refused in a document and in a literal that is cut in two; accepted in a comment.
refused() {
    printf '# Title\n\nFirst line,\n%s\n' "$1" >"$text"
    printf '/* %s */\nconst char *help = "%s"\n                   " %s";\n' "$1" "${1%% *}" "${1#* }" >"$code"
    if python3 tests/words.py "$scratch/tree" 2>"$scratch/errors"; then
        fail "'$1' is accepted"
    fi
    for place in docs/TEXT.md:3 src/code.c:2; do
        grep -q "^$place: say '$2'" "$scratch/errors" || fail "'$1' gives $(cat "$scratch/errors")"
    done
    [ "$(grep -c . "$scratch/errors")" -eq 2 ] || fail "'$1' is found more than once: $(cat "$scratch/errors")"
}

accepted() {
    printf '%s\n' "$1" >"$text"
    printf 'const char *help = "%s";\n' "$1" >"$code"
    python3 tests/words.py "$scratch/tree" || fail "'$1' is refused"
}

refused 'one result a cycle' 'per cycle'
refused 'drawn 30 a second' 'per second'
refused 'four blocks an SM' 'per'
refused 'a miss takes no line' 'allocates (no line)'
refused 'what stands behind the L2' 'after, beyond'
refused 'evicted lines per hit' 'evictions per hit'
refused 'it reads no tags' 'skips the tag read'
refused 'what is left of l1d.accesses' '1 - misses / accesses'
refused 'joins a line on its way' 'in flight'
refused 'its miss-status registers' 'MSHR'
refused 'the lane efficiency' 'SIMD efficiency'
refused 'loads go past the L1D' 'bypasses the L1D'
refused 'both duel for the sets' 'set dueling'
refused 'it could not be taken' 'a reservation fail'
rules=$(grep -c '^    (rf\{0,1\}"' tests/words.py)
[ "$rules" -eq 14 ] || fail "$rules rules, of which 14 are tried here"

accepted 'In a cycle each SM issues; the end of a cycle, and most of a cycle'
accepted 'A second build is quick, and so is a second one'
accepted 'An error leaves nothing behind'
accepted 'Sets a bit, reads a set, writes a line'
