/* The suffix tree of a text over A, C, G, T, built in linear time (Ukkonen 1995). */
#pragma once

#include <stdint.h>

#include "base/status.h"

/* Node 0 is none, node 1 the root; nodes are numbered as they are made. */
enum { SUFFIX_NONE, SUFFIX_ROOT, SUFFIX_LETTERS = 5 /* A, C, G, T, end */ };

struct suffix_node {
    uint32_t start, end; /* places in the text of the edge into the node, both included */
    uint32_t suffix;     /* the node of the same string without its first letter */
    uint32_t child[SUFFIX_LETTERS];
};

/* text[0] is not part of it, text[length + 1] is the end, unlike any letter. */
struct suffix_tree {
    char *text;
    uint32_t length;
    struct suffix_node *nodes;
    uint32_t node_count; /* none included */
};

/* The index of a letter in `child`. */
static inline uint32_t suffix_letter(char letter)
{
    return letter == 'A' ? 0 : letter == 'C' ? 1 : letter == 'G' ? 2 : letter == 'T' ? 3 : 4;
}

/* Takes over the text of length + 2 characters, whatever is returned. */
enum status suffix_tree_create(struct suffix_tree *tree, char *text, uint32_t length);
void suffix_tree_free(struct suffix_tree *tree);
