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

/* What one warp asked of a cache: hits are what is left of `accesses`. */
struct timing_lookups {
    uint64_t accesses, misses, pending;
};

struct timing_warp { /* a warp of the grid */
    uint32_t launch, sm, warp, scheduler;
    uint64_t block;
    uint64_t begin, end; /* core cycles since the first launch began */
    uint64_t instructions, lanes;
    uint64_t fetching; /* cycles without a decoded instruction */
    uint64_t loads, load_cycles;
    struct timing_lookups l1i, l1d;
};

struct timing_warps {
    struct timing_warp *items; /* by launch, block and warp */
    size_t count, capacity;
};

/* `by_launch`, `by_warp` and `intervals` say what is wanted; a run adds its parts. */
struct timing_log {
    bool by_launch, by_warp;
    uint32_t intervals; /* at most INTERVALS_MAX; 0: none */
    struct timing_parts launches, times;
    struct timing_warps warps;
};

/* Orders by launch, block and, unless only `blocks` are told apart, warp; SMs end theirs in any
 * order. Returns less than 0, 0 or more. */
int timing_warps_compare(const struct timing_warp *a, const struct timing_warp *b, bool blocks);
void timing_warps_sort(struct timing_warps *warps);
void timing_log_free(struct timing_log *log);
