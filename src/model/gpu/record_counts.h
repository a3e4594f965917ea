/* What the records of a stream amount to, whoever goes through them: the metrics stream.* that all
 * depths count alike. */
#pragma once

#include "base/bits.h"
#include "schema/metrics.h"
#include "trace/stream.h"

struct record_counts {
    uint64_t warp_instructions, memory_instructions, thread_accesses;
    uint64_t spaces[SPACE_COUNT]; /* memory instructions by space */
    uint64_t global[OP_COUNT];    /* those on global memory */
};

/* Counts a record as a memory instruction; its owner counts warp_instructions. */
static inline void record_count(struct record_counts *counts, const struct warp_access *access)
{
    counts->memory_instructions++;
    counts->thread_accesses += bits_count(access->mask);
    counts->spaces[access->space]++;
    counts->global[access->op] += access->space == SPACE_GLOBAL;
}

void record_counts_add(struct record_counts *sum, const struct record_counts *counts);
void record_counts_put(const struct record_counts *counts, struct metrics *metrics);
