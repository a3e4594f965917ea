/* What a run at the timing depth counted launch by launch, and over time: the same metrics as for
 * the whole run, of a part of its cycles.
 *
 * Parts follow each other without a gap, so their counts add up to those of the run. Occupancy and
 * percentiles are not known of parts, and stay NaN. An interval ends with the first span
 * (timing/gpu.h) that reaches its share of the run, a few hundred cycles later at most; in a run of
 * fewer spans than intervals, those that would be empty are left out. */
#pragma once

#include "schema/metrics.h"

enum { INTERVALS_MAX = 1000 };

struct timing_part {
    uint64_t begin, end; /* core cycles since the first launch began */
    struct metrics metrics;
};

struct timing_parts {
    struct timing_part *items;
    size_t count, capacity;
};

/* `by_launch` and `intervals` say what is wanted; a run adds its parts. */
struct timing_log {
    bool by_launch;
    uint32_t intervals; /* at most INTERVALS_MAX; 0: none */
    struct timing_parts launches, times;
};

void timing_log_free(struct timing_log *log);
