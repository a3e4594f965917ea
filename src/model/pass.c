#include "model/pass.h"

#include <stdlib.h>

#include "base/clock.h"
#include "model/area/area.h"
#include "model/gpu/extent.h"
#include "model/gpu/issue.h"
#include "model/stages.h"
#include "model/tape.h"

struct pass {
    struct stages *stages;
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
        tape_launch(pass->options->record->stream, launch);
    return stages_launch(pass->stages, launch);
}

static enum status pass_requests(void *argument, const struct request *requests, size_t count)
{
    struct pass *pass = argument;
    if (pass->options->record && pass->options->record->stream)
        tape_append(pass->options->record->stream, requests, count);
    return stages_run(pass->stages, requests, count, pass->diagnostics);
}

static enum status pass_progress(void *argument, const struct issue_counts *counts)
{
    struct pass *pass = argument;
    const struct evaluate_options *options = pass->options;
    if (options->cancel && atomic_load_explicit(options->cancel, memory_order_relaxed))
        return STATUS_CANCELLED;
    if (!pass->counting && counts->blocks >= pass->warmup_blocks) {
        pass->counting = true;
        pass->warm = *counts;
        enum status status = stages_reset_counts(pass->stages);
        if (status)
            return status;
    }
    if (options->progress) {
        double now = clock_seconds();
        if (now - pass->reported >= 0.1) {
            pass->reported = now;
            options->progress(options->argument,
                              pass->measured ? extent_walk_share(&pass->walk, work_done(counts))
                                             : (double)counts->blocks / (double)pass->blocks);
        }
    }
    return STATUS_OK;
}

static void put_stream(const struct pass *pass, const struct issue_counts *counts,
                       struct metrics *metrics)
{
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

static enum status add_machines(struct pass *pass, const struct machine *const *machines,
                                size_t count, size_t *leaves)
{
    for (size_t i = 0; i < count; i++) {
        enum status status = stages_add(pass->stages, machines[i], &leaves[i]);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static void collect(const struct pass *pass, const struct issue_counts *counts,
                    const struct machine *machine, size_t leaf, struct metrics *metrics)
{
    metrics_clear(metrics);
    put_stream(pass, counts, metrics);
    stages_metrics(pass->stages, leaf, metrics);
    metrics_derive(metrics);
    area_evaluate(machine, metrics);
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
    enum status status = STATUS_MEMORY;
    if (leaves)
        status = stages_create(pass.options->needs, pass.options->share, grids, &pass.stages);
    if (!status)
        status = add_machines(&pass, machines, count, leaves);
    if (!status && pass.options->record)
        stages_record(pass.stages, pass.options->record);
    if (!status)
        stages_count_pcs(pass.stages, pass.options->pcs);
    if (!status) {
        const struct issue_sink sink = {pass_launch, pass_requests, pass_progress, &pass,
                                        warmup_blocks};
        const struct issue_counts *counts = &pass.counts;
        status = issue_source(machines[0], source, &sink, &pass.counts, diagnostics);
        if (!status)
            status = stages_finish(pass.stages);
        for (size_t i = 0; i < count && !status; i++)
            collect(&pass, counts, machines[i], leaves[i], &metrics[i]);
        *counted = counts->transactions
                       ? 1 - (double)pass.warm.transactions / (double)counts->transactions
                       : 1;
    }
    stages_free(pass.stages);
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
