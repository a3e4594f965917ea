/* Statistics of a stream that need no machine (trace stats). The names in brackets are the JSON
 * keys. One pass over the source; memory is proportional to the number of distinct 128 B lines. */
#pragma once

#include "trace/stream.h"

struct stream_stats {
    uint64_t blocks, warps;          /* of the grids [blocks, warps] */
    uint64_t warp_instructions;      /* every kind [warp_instructions] */
    uint64_t memory_instructions;    /* [memory_instructions] */
    uint64_t thread_accesses;        /* [thread_accesses] */
    uint64_t sectors_32;             /* distinct 32 B sectors of each global access, summed; L1D
                                      * transactions of arch >= 40 [sectors_32] */
    uint64_t segments_128;           /* likewise 128 B segments [segments_128] */
    uint64_t lines;                  /* distinct 128 B lines of everything: the footprint [lines] */
    uint64_t distinct[4];            /* distinct page-table indices: paths down to L4, L3, L2, L1
                                      * [distinct_l4, distinct_l3, distinct_l2, distinct_l1] */
    uint64_t loads, stores, atomics; /* memory instructions [loads, stores, atomics] */
    uint64_t spaces[SPACE_COUNT];    /* memory instructions by space [global_records, ...] */
};

/* Describes a field of struct stream_stats, for printing. */
struct stream_statistic {
    const char *key, *help;
    size_t offset; /* offset of its uint64_t in struct stream_stats */
    bool brief;    /* belongs in a narrow table */
};
extern const struct stream_statistic stream_statistics[]; /* ended by a NULL key */

static inline uint64_t stream_statistic_read(const struct stream_statistic *statistic,
                                             const struct stream_stats *stats)
{
    return *(const uint64_t *)((const char *)stats + statistic->offset);
}

/* Fills *total and, unless `launches` is NULL, launches[0..source->launch_count). STATUS_MEMORY, or
 * the status of the source. */
enum status stream_stats(const struct trace_source *source, struct stream_stats *total,
                         struct stream_stats *launches, struct diagnostics *diagnostics);
