/* A queue of events by time: a ring of first-in-first-out lists, one per time step ahead, and a bit
 * for each list that is not empty, so that idle times are skipped 64 at a time. Events are indices
 * into the user's own array of links.
 *
 * Invariant: all events lie within one turn of the ring, so the low bits of a time identify its
 * list. Put and take are constant time; memory is 8 bytes per time step, rounded up to a power of
 * two. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"

enum { NO_EVENT = UINT32_MAX };

struct time_list {
    uint32_t first, last;
};

struct time_ring {
    struct time_list *lists; /* [mask + 1] */
    uint64_t *occupied;
    uint64_t mask;
};

/* For events up to `most` steps after now. */
static inline enum status time_ring_init(struct time_ring *ring, uint64_t most)
{
    uint64_t size = 64;
    while (size <= most)
        size *= 2;
    ring->mask = size - 1;
    ring->lists = malloc(size * sizeof *ring->lists);
    ring->occupied = calloc(size / 64, sizeof *ring->occupied);
    if (!ring->lists || !ring->occupied)
        return STATUS_MEMORY;
    for (uint64_t i = 0; i < size; i++)
        ring->lists[i] = (struct time_list){NO_EVENT, NO_EVENT};
    return STATUS_OK;
}

static inline void time_ring_free(struct time_ring *ring)
{
    free(ring->lists);
    free(ring->occupied);
}

static inline void time_ring_put(struct time_ring *ring, uint32_t *links, uint64_t time,
                                 uint32_t event)
{
    struct time_list *list = &ring->lists[time & ring->mask];
    links[event] = NO_EVENT;
    if (list->first == NO_EVENT) {
        list->first = event;
        ring->occupied[(time & ring->mask) / 64] |= (uint64_t)1 << (time % 64);
    } else {
        links[list->last] = event;
    }
    list->last = event;
}

/* Removes the whole list of a time; returns its first event, or NO_EVENT. */
static inline uint32_t time_ring_take(struct time_ring *ring, uint64_t time)
{
    struct time_list *list = &ring->lists[time & ring->mask];
    uint32_t first = list->first;
    if (first != NO_EVENT) {
        list->first = NO_EVENT;
        ring->occupied[(time & ring->mask) / 64] &= ~((uint64_t)1 << (time % 64));
    }
    return first;
}

/* The earliest time at or after `now` that has an event; UINT64_MAX if there is none. */
static inline uint64_t time_ring_next(const struct time_ring *ring, uint64_t now)
{
    uint64_t words = (ring->mask + 1) / 64, word = (now & ring->mask) / 64;
    uint64_t bits = ring->occupied[word] & (~(uint64_t)0 << (now % 64));
    uint64_t begin = now - now % 64;
    for (uint64_t i = 0; i <= words; i++, begin += 64) {
        if (bits)
            return begin + (unsigned)__builtin_ctzll(bits);
        word = word + 1 == words ? 0 : word + 1;
        bits = ring->occupied[word];
    }
    return UINT64_MAX;
}
