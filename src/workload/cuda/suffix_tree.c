#include "workload/cuda/suffix_tree.h"

#include <stdbool.h>
#include <stdlib.h>

/* The place in the tree where the next letter goes: `length` letters down the edge of `node` that
 * begins with text[edge]. `left` suffixes end in the tree without a leaf of their own. */
struct active_point {
    uint32_t node, edge, length, left;
    uint32_t unlinked; /* the inner node made last, while it waits for its suffix link */
};

static uint32_t add_node(struct suffix_tree *tree, uint32_t start, uint32_t end)
{
    tree->nodes[tree->node_count] = (struct suffix_node){.start = start, .end = end};
    return tree->node_count++;
}

static void link_to(struct suffix_tree *tree, struct active_point *at, uint32_t node)
{
    if (at->unlinked)
        tree->nodes[at->unlinked].suffix = node;
    at->unlinked = node == SUFFIX_ROOT ? SUFFIX_NONE : node;
}

/* Splits the edge into `child` after `length` letters; returns the node between. */
static uint32_t split_edge(struct suffix_tree *tree, uint32_t *slot, uint32_t length)
{
    uint32_t child = *slot, start = tree->nodes[child].start;
    uint32_t between = add_node(tree, start, start + length - 1);
    tree->nodes[between].suffix = SUFFIX_ROOT;
    tree->nodes[child].start += length;
    tree->nodes[between].child[suffix_letter(tree->text[start + length])] = child;
    *slot = between;
    return between;
}

/* Makes room for the letter at `place` after the active point. False: it is there already, and so
 * it is for all shorter suffixes. */
static bool extend(struct suffix_tree *tree, struct active_point *at, uint32_t place)
{
    for (;;) {
        if (!at->length)
            at->edge = place;
        uint32_t *slot = &tree->nodes[at->node].child[suffix_letter(tree->text[at->edge])];
        if (!*slot) {
            *slot = add_node(tree, place, tree->length + 1);
            link_to(tree, at, at->node);
            return true;
        }
        const struct suffix_node *child = &tree->nodes[*slot];
        uint32_t edge_length = child->end - child->start + 1;
        if (at->length >= edge_length) {
            at->edge += edge_length;
            at->length -= edge_length;
            at->node = *slot;
            continue;
        }
        if (tree->text[child->start + at->length] == tree->text[place]) {
            at->length++;
            link_to(tree, at, at->node);
            return false;
        }
        uint32_t between = split_edge(tree, slot, at->length);
        uint32_t leaf = add_node(tree, place, tree->length + 1);
        tree->nodes[between].child[suffix_letter(tree->text[place])] = leaf;
        link_to(tree, at, between);
        return true;
    }
}

static void shorten(struct suffix_tree *tree, struct active_point *at, uint32_t place)
{
    at->left--;
    if (at->node != SUFFIX_ROOT) {
        at->node = tree->nodes[at->node].suffix;
    } else if (at->length) {
        at->length--;
        at->edge = place - at->left + 1;
    }
}

enum status suffix_tree_create(struct suffix_tree *tree, char *text, uint32_t length)
{
    /* length + 1 leaves, fewer inner nodes, the root among them, and none. */
    *tree = (struct suffix_tree){.text = text, .length = length};
    tree->nodes = malloc((2 * (size_t)length + 3) * sizeof *tree->nodes);
    if (!tree->nodes)
        return STATUS_MEMORY;
    struct active_point at = {.node = SUFFIX_ROOT};
    add_node(tree, 0, 0);
    add_node(tree, 0, 0);
    for (uint32_t place = 1; place <= length + 1; place++) {
        at.unlinked = SUFFIX_NONE;
        at.left++;
        while (at.left && extend(tree, &at, place))
            shorten(tree, &at, place);
    }
    return STATUS_OK;
}

void suffix_tree_free(struct suffix_tree *tree)
{
    free(tree->text);
    free(tree->nodes);
    *tree = (struct suffix_tree){0};
}
