/* Circular doubly linked lists over an array of numbered nodes, for orders of use: constant time
 * for any length, and half the memory of pointers. A list is named by a node that serves as its
 * head: the head's next is the first, its previous the last. Several lists may share an array.
 *
 * An array of zeros is one empty list, that of node 0; links_init makes each node a list of its
 * own. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"

struct link {
    uint32_t previous, next;
};

/* Allocates an array, to be freed: each node alone. */
static inline enum status links_init(struct link **links, uint32_t nodes)
{
    *links = malloc(nodes * sizeof **links);
    if (!*links)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < nodes; i++)
        (*links)[i] = (struct link){i, i};
    return STATUS_OK;
}

/* Takes a node out of its list. Its own links stay as they are: it has to be inserted somewhere
 * before it is removed again. */
static inline void links_remove(struct link *links, uint32_t node)
{
    struct link gone = links[node];
    links[gone.previous].next = gone.next;
    links[gone.next].previous = gone.previous;
}

/* Of a node that is in no list. */
static inline void links_insert_first(struct link *links, uint32_t node, uint32_t head)
{
    uint32_t first = links[head].next;
    links[node] = (struct link){.previous = head, .next = first};
    links[first].previous = node;
    links[head].next = node;
}

static inline void links_insert_last(struct link *links, uint32_t node, uint32_t head)
{
    links_insert_first(links, node, links[head].previous);
}

/* Makes a node, from wherever it is, alone, the first or the last of a list. */
static inline void links_detach(struct link *links, uint32_t node)
{
    links_remove(links, node);
    links[node] = (struct link){node, node};
}

static inline void links_move_first(struct link *links, uint32_t node, uint32_t head)
{
    links_remove(links, node);
    links_insert_first(links, node, head);
}

static inline void links_move_last(struct link *links, uint32_t node, uint32_t head)
{
    links_remove(links, node);
    links_insert_last(links, node, head);
}
