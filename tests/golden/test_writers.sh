#!/bin/sh
# tests/writers.py accepts the tree, and finds what writes a file by itself in a copy of it.
set -eu
# shellcheck source=tests/golden/planted_tree.sh
. tests/golden/planted_tree.sh

copy=$scratch/tree
mkdir "$copy"
cp -r src ui "$copy"
python3 tests/writers.py "$copy" || fail "the tree itself writes a file by itself"

# plant FILE FUNCTION CODE: code at the end of FILE that is found, with its file and line.
plant() {
    printf '%s\n' "$3" >>"$copy/$1"
    echo "$1:$(wc -l <"$copy/$1"): $2 writes a file; base/output_file.h does that" >>"$scratch/expected"
}

plant src/explore/store/store.c rename 'int f(void) { return rename("x", "y"); }'
plant src/model/evaluate.c open 'int f(void) { return open("x", O_RDONLY | O_CREAT, 0666); }'
plant src/trace/text.c fopen 'FILE *f(void) { return fopen(name(1, 2), "w"); }'
plant src/trace/text.c fopen 'FILE *f(const char *mode) { return fopen("x", mode); }'
# Reading is not writing, a comment is no code, and an operation of a table is no call of the library.
printf '%s\n' 'FILE *f(void) { return fopen("x", "rbe"); } /* not fopen("x", "w") */' >>"$copy/src/trace/text.c"
printf '%s\n' 'int f(struct s *s) { return s->ops->open(s, O_CREAT); }' >>"$copy/src/trace/text.c"
plant ui/session/recent.c png_image_write_to_file 'int f(void) { return png_image_write_to_file(0); }'
if python3 tests/writers.py "$copy" 2>"$scratch/errors"; then
    fail "what writes by itself is accepted"
fi
diff "$scratch/expected" "$scratch/errors" || fail "the list differs"
