/* Circular doubly linked lists over an array of numbered nodes, for recency and arrival orders.
 * Every operation takes constant time. A node costs 8 bytes, half of what two pointers take, and
 * numbers stay valid when an owner copies the array.
 *
 * A list is named by a node that serves as its head: the head's `next` is the first element, its
 * `previous` the last. Several lists may share an array, and an empty list is a head that links to
 * itself. So an array of zeros holds one empty list, with node 0 as its head; links_init makes each
 * node a list on its own. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "base/status.h"

struct link {
    uint32_t previous, next;
};

/* Allocates `nodes` nodes, each an empty list; the caller frees the array. */
static inline enum status links_init(struct link **links, uint32_t nodes)
{
    *links = malloc(nodes * sizeof **links);
    if (!*links)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < nodes; i++)
        (*links)[i] = (struct link){i, i};
    return STATUS_OK;
}

/* Takes a node out of its list without changing the node's own links. Insert it again before you
 * remove it a second time, or the neighbours it still names are damaged. */
static inline void links_remove(struct link *links, uint32_t node)
{
    struct link gone = links[node];
    links[gone.previous].next = gone.next;
    links[gone.next].previous = gone.previous;
}

/* The same in memory of `arrays` (base/arrays.h), whose `failed` says whether there was any. */
static inline void links_add(struct arrays *arrays, struct link **links, uint32_t nodes)
{
    arrays_add(arrays, links, nodes, sizeof **links);
    for (uint32_t i = 0; *links && i < nodes; i++)
        (*links)[i] = (struct link){i, i};
}

/* Insert a node that is in no list. */
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

/* Move a node from whichever list it is in: to a list on its own, or to one end of the list of
 * `head`. */
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
