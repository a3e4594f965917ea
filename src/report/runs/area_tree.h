/* The area of a machine as a tree: each structure, the memories that it consists of, and bars of
 * their shares; below it the same of the energy, if a run gave one. `warpscape area --explain` and
 * the area view of the screen print these lines. Plain characters: it looks the same everywhere. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "schema/machine.h"
#include "schema/memory_array.h"
#include "schema/metrics.h"

enum { AREA_TREE_BAR = '#' }; /* what bars at the ends of lines are made of */

struct area_tree_line {
    char *text;
    char *help; /* what it is and what its estimate rests on; NULL: nothing */
};

struct area_tree {
    struct area_tree_line *lines;
    size_t count, capacity;
};

/* `run`: what a run on this machine gave; NULL: there was none. `columns`: of the screen; 0: 80.
 * The largest structure comes first. STATUS_MEMORY; free the tree in any case. */
enum status area_tree_make(const struct machine *machine, const char *name,
                           const struct metrics *run, int columns, struct area_tree *tree);
void area_tree_free(struct area_tree *tree);

/* All lines, each with its help, wrapped, below it. STATUS_IO. */
enum status area_tree_print(const struct area_tree *tree, int columns, FILE *out);

/* "64 sets x 8 ways x (43 + 1024) bits, ...": a memory in words. */
enum { MEMORY_TEXT = 256 };
const char *memory_array_text(const struct memory_array *array, char text[MEMORY_TEXT]);
