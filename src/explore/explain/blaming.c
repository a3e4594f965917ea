#include "explore/explain/blaming.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/array_file.h"

/* The arrays that are given, or that the source names, or regions. */
static enum status choose_arrays(const struct machine *machine, const struct trace_source *source,
                                 const struct trace_array *given, size_t given_count,
                                 struct blaming *blaming, struct diagnostics *diagnostics)
{
    const struct trace_array *from = given_count ? given : source->arrays;
    size_t count = given_count ? given_count : source->array_count;
    enum status status = STATUS_OK;
    if (!count)
        status = regions_find(machine, source, &blaming->regions, &count, diagnostics);
    if (status)
        return status;
    blaming->arrays = calloc(count + 1, sizeof *blaming->arrays);
    blaming->gains = calloc(count + 1, sizeof *blaming->gains);
    if (!blaming->arrays || !blaming->gains)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        blaming->arrays[i] = blaming->regions ? blaming->regions[i].array : from[i];
    blaming->array_count = count;
    return arrays_sort(blaming->arrays, count, diagnostics);
}

/* Runs the machine once more to see which instructions warps waited for. */
static enum status find_waits(const struct machine *machine, const struct trace_source *source,
                              const struct explain_options *options, struct blaming *blaming,
                              struct diagnostics *diagnostics)
{
    const struct evaluate_options how = {.depth = options->depth,
                                         .pcs = &blaming->waits,
                                         .threads = options->threads,
                                         .cancel = options->cancel};
    struct metrics metrics;
    return depth_can(options->depth, DEPTH_TIMED)
               ? evaluate(machine, source, &how, &metrics, diagnostics)
               : STATUS_OK;
}

/* The instructions that miss most in the L1D. */
static void choose_pcs(struct blaming *blaming)
{
    const struct blame_cache *cache = &blaming->blame.caches[0];
    const struct blame_table *table = &cache->tables[BLAME_INSTRUCTIONS];
    for (size_t i = 0; cache->stage == STAGE_L1D && i < table->count; i++)
        if (blaming->pc_count < BLAMING_PCS && table->rows[i].counts.misses)
            blaming->pcs[blaming->pc_count++].key = table->rows[i].key;
}

enum status blaming_find(const struct machine *machine, const struct trace_source *source,
                         const struct trace_array *arrays, size_t array_count,
                         const struct explain_options *options,
                         const struct explanation *explanation, struct blaming *blaming,
                         struct diagnostics *diagnostics)
{
    const struct question question = {machine, explanation->metric, options->depth,
                                      &explanation->base};
    const struct trials_options how = {.source = source,
                                       .depth = options->depth,
                                       .needs = metric_needs(explanation->metric),
                                       .cache = options->cache,
                                       .threads = options->threads,
                                       .time_limit = options->time_limit,
                                       .cancel = options->cancel};
    *blaming = (struct blaming){0};
    enum status status = choose_arrays(machine, source, arrays, array_count, blaming, diagnostics);
    if (!status)
        status = blame_run(machine, source, blaming->arrays, blaming->array_count, options->cancel,
                           &blaming->blame, diagnostics);
    if (!status)
        status = find_waits(machine, source, options, blaming, diagnostics);
    if (!status)
        status = array_gains_find(&how, &question, blaming->arrays, blaming->array_count,
                                  blaming->gains, diagnostics);
    if (!status) {
        choose_pcs(blaming);
        status = pc_gains_find(&how, &question, blaming->pcs, blaming->pc_count, diagnostics);
    }
    blaming->complete = !status;
    return status;
}

void blaming_free(struct blaming *blaming)
{
    blame_free(&blaming->blame);
    pc_table_free(&blaming->waits);
    free(blaming->arrays);
    free(blaming->regions);
    free(blaming->gains);
    *blaming = (struct blaming){0};
}

double blaming_waited(const struct blaming *blaming, uint64_t key)
{
    const struct blame_pc pc = blame_pc_of(key);
    const char *kernel = blaming->blame.launches[pc.launch].name;
    for (size_t i = 0; i < blaming->waits.count; i++) {
        const struct pc_count *row = &blaming->waits.items[i];
        if (row->pc == pc.pc && row->op == pc.op &&
            !strcmp(pc_table_kernel(&blaming->waits, row), kernel ? kernel : ""))
            return (double)row->stalls;
    }
    return NAN;
}

double blaming_pc_gain(const struct blaming *blaming, uint64_t key)
{
    for (size_t i = 0; i < blaming->pc_count; i++)
        if (blaming->pcs[i].key == key)
            return blaming->pcs[i].gain;
    return NAN;
}
