/* What fully associative hardware does in one cycle, done in constant time: find the slot that
 * holds a key, and know which slot was used longest ago. Slots are numbered from 0. */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"

#define SLOT_NONE UINT32_MAX

/* Which slot holds which key: a hash table whose chains run through the slots themselves, so that
 * it is allocated once and never grows. No two slots hold one key. */
struct directory {
    uint32_t *buckets, *next, *keys;
    uint32_t mask;
};

enum status directory_init(struct directory *directory, uint32_t slots);
void directory_free(struct directory *directory);
uint32_t directory_find(const struct directory *directory, uint32_t key); /* or SLOT_NONE */
void directory_add(struct directory *directory, uint32_t slot, uint32_t key);
void directory_remove(struct directory *directory, uint32_t slot);

/* Circular lists over numbered nodes; a list is named by a node that serves as its head. Kept in
 * order of use: the head's next is the most recent, its prev the least recent. */
struct links {
    uint32_t *next, *prev;
};

enum status links_init(struct links *links, uint32_t nodes); /* each node alone */
void links_free(struct links *links);

static inline void links_detach(struct links *links, uint32_t node)
{
    links->next[links->prev[node]] = links->next[node];
    links->prev[links->next[node]] = links->prev[node];
    links->next[node] = links->prev[node] = node;
}

/* Makes `node`, from wherever it is, the most recent of the list of `head`. */
static inline void links_first(struct links *links, uint32_t node, uint32_t head)
{
    links_detach(links, node);
    links->next[node] = links->next[head];
    links->prev[node] = head;
    links->prev[links->next[head]] = node;
    links->next[head] = node;
}

/* Makes `node` the least recent of the list of `head`. */
static inline void links_last(struct links *links, uint32_t node, uint32_t head)
{
    links_detach(links, node);
    links->next[node] = head;
    links->prev[node] = links->prev[head];
    links->next[links->prev[head]] = node;
    links->prev[head] = node;
}
