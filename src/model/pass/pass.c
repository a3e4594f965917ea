#include "model/pass/pass.h"

#include <stdlib.h>

#include "model/area/area.h"
#include "model/gpu/extent.h"
#include "model/gpu/issue.h"
#include "model/pass/pass_groups.h"
#include "model/pass/pass_pool.h"
#include "model/pass/request_log.h"
#include "model/pass/stages.h"

struct pass {
    /* Each group has stages of its own, and says of its own what went wrong. */
    struct stages **stages;
    struct diagnostics *found;
    size_t *ends; /* of each group: the first machine behind it */
    size_t groups;
    struct pool_pass *shared;
    const struct evaluate_options *options;
    struct diagnostics *diagnostics;
    uint64_t warmup_blocks;
    uint64_t blocks;            /* of the whole source */
    struct issue_counts counts; /* so far */
    struct issue_counts warm;   /* of these, before the warm-up ended */
    bool measured;              /* the walk knows the source's extent */
    struct extent_walk walk;
    bool counting;
    double reported; /* clock of the last progress call */
};

static double work_done(const struct issue_counts *counts)
{
    return (double)counts->transactions + (double)counts->memory_instructions;
}

static enum status pass_launch(void *argument, const struct trace_launch *launch)
{
    struct pass *pass = argument;
    if (pass->measured)
        extent_walk_launch(&pass->walk, work_done(&pass->counts));
    if (pass->options->record && pass->options->record->stream)
        request_log_launch(pass->options->record->stream, launch);
    return pass_pool_put(pass->shared, &(struct pool_batch){.launch = launch});
}

static enum status pass_requests(void *argument, const struct request *requests, size_t count)
{
    struct pass *pass = argument;
    if (pass->options->record && pass->options->record->stream)
        request_log_append(pass->options->record->stream, requests, count);
    return pass_pool_put(pass->shared, &(struct pool_batch){.requests = requests, .count = count});
}

static enum status pass_progress(void *argument, const struct issue_counts *counts)
{
    struct pass *pass = argument;
    const struct evaluate_options *options = pass->options;
    if (evaluate_cancelled(options))
        return STATUS_CANCELLED;
    if (!pass->counting && counts->blocks >= pass->warmup_blocks) {
        pass->counting = true;
        pass->warm = *counts;
        for (size_t i = 0; i < pass->groups; i++) {
            enum status status = stages_reset_counts(pass->stages[i]);
            if (status)
                return status;
        }
    }
    if (evaluate_due(options, &pass->reported))
        options->progress(options->argument, pass->measured
                                                 ? extent_walk_share(&pass->walk, work_done(counts))
                                                 : (double)counts->blocks / (double)pass->blocks);
    return STATUS_OK;
}

static void put_stream(const struct pass *pass, struct metrics *metrics)
{
    const struct issue_counts *counts = &pass->counts;
    const struct issue_counts *warm = &pass->warm;
    metrics->stream_warp_instructions =
        (double)(counts->warp_instructions - warm->warp_instructions);
    metrics->stream_memory_instructions =
        (double)(counts->memory_instructions - warm->memory_instructions);
    metrics->stream_thread_accesses = (double)(counts->thread_accesses - warm->thread_accesses);
    metrics->stream_transactions = (double)(counts->transactions - warm->transactions);
    metrics->occupancy_blocks = counts->resident_blocks / (double)pass->blocks;
    metrics->occupancy_warps = counts->resident_warps / (double)pass->blocks;
}

/* ---- groups -----------------------------------------------------------------------------------
 */

static enum status run_group(void *argument, size_t group, const struct pool_batch *batch)
{
    const struct pass *pass = argument;
    struct stages *stages = pass->stages[group];
    enum status status = batch->launch ? stages_launch(stages, batch->launch) : STATUS_OK;
    if (!status && batch->count)
        status = stages_run(stages, batch->requests, batch->count, &pass->found[group]);
    return status || !batch->last ? status : stages_finish(stages);
}

/* A pass that is recorded, counts its instructions or warms up is one group, which nobody else
 * takes. */
static bool pass_alone(const struct pass *pass)
{
    const struct evaluate_options *options = pass->options;
    return !options->pool || options->record || options->pcs || pass->warmup_blocks;
}

static void free_groups(struct pass *pass)
{
    for (size_t i = 0; i < pass->groups; i++) {
        stages_free(pass->stages[i]);
        if (pass->diagnostics)
            diagnostics_move(pass->diagnostics, &pass->found[i]);
        diagnostics_free(&pass->found[i]);
    }
    free(pass->stages);
    free(pass->found);
    free(pass->ends);
}

/* Makes the stages of a group, of machines[0] to machines[count - 1]. */
static enum status open_group(const struct pass *pass, const struct machine *const *machines,
                              size_t count, bool grids, struct stages **stages, size_t *leaves)
{
    const struct evaluate_options *options = pass->options;
    enum status status = stages_create(options->needs, options->share, grids, stages);
    for (size_t i = 0; i < count && !status; i++)
        status = stages_add(*stages, machines[i], &leaves[i]);
    if (!status && options->record)
        stages_record(*stages, options->record);
    if (!status)
        stages_count_pcs(*stages, options->pcs);
    return status;
}

static enum status open_groups(struct pass *pass, const struct machine *const *machines,
                               size_t count, bool grids, size_t *leaves)
{
    size_t most = pass_alone(pass) || !pass->options->groups ? 1 : pass->options->groups;
    pass->ends = calloc(most, sizeof *pass->ends);
    pass->stages = calloc(most, sizeof *pass->stages);
    pass->found = calloc(most, sizeof *pass->found);
    if (!pass->ends || !pass->stages || !pass->found)
        return STATUS_MEMORY;
    pass->groups = pass_groups(machines, count, pass->options->share, most, pass->ends);
    enum status status = STATUS_OK;
    for (size_t i = 0, first = 0; i < pass->groups && !status; first = pass->ends[i++])
        status = open_group(pass, machines + first, pass->ends[i] - first, grids, &pass->stages[i],
                            leaves + first);
    const struct pool_work work = {run_group, pass, pass->groups};
    struct pass_pool *pool = pass_alone(pass) ? NULL : pass->options->pool;
    return status ? status : pass_pool_open(pool, &work, &pass->shared);
}

/* ---- the walk ---------------------------------------------------------------------------------
 */

static void collect(const struct pass *pass, const struct machine *const *machines,
                    const size_t *leaves, struct metrics *metrics)
{
    for (size_t group = 0, i = 0; group < pass->groups; group++)
        for (; i < pass->ends[group]; i++) {
            metrics_clear(&metrics[i]);
            put_stream(pass, &metrics[i]);
            stages_metrics(pass->stages[group], leaves[i], &metrics[i]);
            metrics_derive(&metrics[i]);
            area_evaluate(machines[i], &metrics[i]);
        }
}

/* Issues the source to the groups, and waits for them. */
static enum status walk(struct pass *pass, const struct machine *machine,
                        const struct trace_source *source)
{
    const struct issue_sink sink = {pass_launch, pass_requests, pass_progress, pass,
                                    pass->warmup_blocks};
    enum status status = issue_source(machine, source, &sink, &pass->counts, pass->diagnostics);
    if (!status)
        status = pass_pool_put(pass->shared, &(struct pool_batch){.last = true});
    enum status closed = pass_pool_close(pass->shared, status != STATUS_OK);
    return status ? status : closed;
}

static enum status run_once(const struct machine *const *machines, size_t count,
                            const struct trace_source *source,
                            const struct evaluate_options *options, uint64_t warmup_blocks,
                            bool grids, struct metrics *metrics, double *counted,
                            struct diagnostics *diagnostics)
{
    static const struct evaluate_options nothing = {0};
    struct pass pass = {.options = options ? options : &nothing,
                        .diagnostics = diagnostics,
                        .blocks = trace_source_blocks(source),
                        .warmup_blocks = warmup_blocks,
                        .counting = !warmup_blocks};
    pass.measured = pass.options->extent && pass.options->extent->source == source;
    if (pass.measured)
        extent_walk_begin(pass.options->extent, &pass.walk);
    size_t *leaves = calloc(count, sizeof *leaves);
    enum status status =
        leaves ? open_groups(&pass, machines, count, grids, leaves) : STATUS_MEMORY;
    if (!status)
        status = walk(&pass, machines[0], source);
    if (!status) {
        uint64_t all = pass.counts.transactions;
        collect(&pass, machines, leaves, metrics);
        *counted = all ? 1 - (double)pass.warm.transactions / (double)all : 1;
    }
    free_groups(&pass);
    free(leaves);
    return status;
}

enum status pass_run(const struct machine *const *machines, size_t count,
                     const struct trace_source *source, const struct evaluate_options *options,
                     uint64_t warmup_blocks, struct metrics *metrics, double *counted,
                     struct diagnostics *diagnostics)
{
    enum status status = run_once(machines, count, source, options, warmup_blocks, true, metrics,
                                  counted, diagnostics);
    /* A stream that a grid could not follow: once more, with passes that can. */
    if (status == STATUS_UNSUPPORTED && options && options->share && !options->record)
        status = run_once(machines, count, source, options, warmup_blocks, false, metrics, counted,
                          diagnostics);
    return status;
}
