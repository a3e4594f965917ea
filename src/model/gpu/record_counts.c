#include "model/gpu/record_counts.h"

void record_counts_add(struct record_counts *sum, const struct record_counts *counts)
{
    sum->warp_instructions += counts->warp_instructions;
    sum->memory_instructions += counts->memory_instructions;
    sum->thread_accesses += counts->thread_accesses;
    for (size_t i = 0; i < SPACE_COUNT; i++)
        sum->spaces[i] += counts->spaces[i];
    for (size_t i = 0; i < OP_COUNT; i++)
        sum->global[i] += counts->global[i];
}

void record_counts_put(const struct record_counts *counts, struct metrics *metrics)
{
    metrics->stream_warp_instructions = (double)counts->warp_instructions;
    metrics->stream_memory_instructions = (double)counts->memory_instructions;
    metrics->stream_thread_accesses = (double)counts->thread_accesses;
    metrics_put_spaces(metrics, counts->spaces);
    metrics->stream_loads_global = (double)counts->global[OP_LOAD];
    metrics->stream_stores_global = (double)counts->global[OP_STORE];
}
