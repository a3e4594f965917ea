/* Reuse distances to the last one, for histograms: of each set the order in which its lines were
 * touched last, as marks on a line of time and their partial sums (Bennett and Kruskal, "LRU stack
 * processing", IBM J. Res. Dev. 19(4), 1975). The time of a set is renumbered when it is used up,
 * so memory is bounded by distinct lines, and a touch takes the logarithm of their number. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct distance_set {
    uint32_t *sums;    /* a Fenwick tree over times: 1 where a line was touched last */
    uint32_t *lines;   /* [capacity]: touched at each time */
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t next;     /* time */
    uint32_t marked;   /* lines */
};

struct distances {
    struct distance_set *sets;
    uint64_t set_count;
    uint32_t *times; /* of each line: time of its last touch in its set, or NO_TIME */
    size_t time_capacity;
    uint32_t line_count;
};

enum { NO_TIME = UINT32_MAX };

enum status distances_init(struct distances *distances, uint64_t sets);
void distances_free(struct distances *distances);
void distances_flush(struct distances *distances);

/* STATUS_MEMORY: the touch did not happen. */
enum status distances_touch(struct distances *distances, uint32_t set, uint32_t line);

/* How many other lines of the set were touched after this one, which was touched. */
uint64_t distances_of(const struct distances *distances, uint32_t set, uint32_t line);
