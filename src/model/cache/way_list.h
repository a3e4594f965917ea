/* Lists of the ways of a set, and of lines that left it, oldest first: the queues and stacks of
 * replacement policies. Both live in zeroed memory, as an empty list.
 *
 * Invariant: a way is in a list at most once. Every operation but a push takes time linear in the
 * length; sets are short, and a list of 64 ways is a line of the host's cache. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WAY_LIST_MOST = 256, WAY_LIST_NONE = UINT32_MAX };

struct ways_kept {
    uint32_t count;
    uint8_t ways[];
};

static inline size_t ways_bytes(uint32_t ways)
{
    return (sizeof(struct ways_kept) + ways + 7) & ~(size_t)7;
}

/* The place of a way, or WAY_LIST_NONE. */
static inline uint32_t ways_find(const struct ways_kept *list, uint32_t way)
{
    const uint8_t *found = memchr(list->ways, (int)way, list->count);
    return found ? (uint32_t)(found - list->ways) : WAY_LIST_NONE;
}

static inline uint32_t ways_take_place(struct ways_kept *list, uint32_t place)
{
    const uint32_t way = list->ways[place];
    list->count--;
    memmove(list->ways + place, list->ways + place + 1, list->count - place);
    return way;
}

/* Takes a way out if it is there, and says whether it was. */
static inline bool ways_take(struct ways_kept *list, uint32_t way)
{
    const uint32_t place = ways_find(list, way);
    if (place == WAY_LIST_NONE)
        return false;
    ways_take_place(list, place);
    return true;
}

static inline void ways_push(struct ways_kept *list, uint32_t way)
{
    list->ways[list->count++] = (uint8_t)way;
}

static inline void ways_push_oldest(struct ways_kept *list, uint32_t way)
{
    memmove(list->ways + 1, list->ways, list->count++);
    list->ways[0] = (uint8_t)way;
}

/* Lines that left: their numbers. */
struct lines_kept {
    uint64_t count;
    uint64_t lines[];
};

static inline size_t lines_bytes(uint32_t most)
{
    return sizeof(struct lines_kept) + sizeof(uint64_t) * most;
}

static inline void lines_take_oldest(struct lines_kept *list)
{
    if (list->count)
        memmove(list->lines, list->lines + 1, --list->count * sizeof *list->lines);
}

/* Takes a line out if it is there, and says whether it was. */
static inline bool lines_take(struct lines_kept *list, uint64_t line)
{
    for (uint64_t i = 0; i < list->count; i++)
        if (list->lines[i] == line) {
            list->count--;
            memmove(list->lines + i, list->lines + i + 1, (list->count - i) * sizeof *list->lines);
            return true;
        }
    return false;
}

static inline bool lines_have(const struct lines_kept *list, uint64_t line)
{
    for (uint64_t i = 0; i < list->count; i++)
        if (list->lines[i] == line)
            return true;
    return false;
}

/* Adds the youngest of at most `most` lines; the oldest makes room. */
static inline void lines_push(struct lines_kept *list, uint64_t line, uint32_t most)
{
    if (!most)
        return;
    while (list->count >= most)
        lines_take_oldest(list);
    list->lines[list->count++] = line;
}
