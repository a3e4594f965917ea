/* Exact reuse distances of any length, for histograms. For each set it keeps the order in which
 * lines were last touched: a mark on a time line for each line's last touch, and partial sums of
 * the marks in a Fenwick tree (Bennett and Kruskal, "LRU stack processing", IBM J. Res. Dev. 19(4),
 * 1975).
 *
 * When the times of a set are used up, they are renumbered without gaps. So memory is proportional
 * to the distinct lines, and a touch or a query takes time logarithmic in the lines of the set. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct distance_set {
    uint32_t *sums;    /* Fenwick tree over times: 1 at each line's last touch */
    uint32_t *lines;   /* [capacity]: line touched at each time */
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t next;     /* next time to give out */
    uint32_t marked;   /* distinct lines */
};

struct distances {
    struct distance_set *sets;
    uint64_t set_count;
    uint32_t *times; /* [line]: time of its last touch in its set, or NO_TIME */
    size_t time_capacity;
    uint32_t line_count;
};

enum { NO_TIME = UINT32_MAX };

enum status distances_init(struct distances *distances, uint64_t sets);
void distances_free(struct distances *distances);
void distances_flush(struct distances *distances);

/* Records a touch. STATUS_MEMORY: nothing was recorded. */
enum status distances_touch(struct distances *distances, uint32_t set, uint32_t line);

/* The number of other lines of the set touched after this one, which must have been touched. */
uint64_t distances_of(const struct distances *distances, uint32_t set, uint32_t line);
