/* A list of numbers, for slow twins. */
#pragma once

#include <stdint.h>

enum { LIST_MOST = 64 };

struct list {
    uint64_t items[LIST_MOST];
    unsigned count;
};

static inline int list_find(const struct list *list, uint64_t item)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return (int)i;
    return -1;
}

static inline void list_remove(struct list *list, unsigned at)
{
    for (list->count--; at < list->count; at++)
        list->items[at] = list->items[at + 1];
}

static inline void list_insert(struct list *list, unsigned at, uint64_t item)
{
    for (unsigned i = list->count++; i > at; i--)
        list->items[i] = list->items[i - 1];
    list->items[at] = item;
}
