#include "model/pass/pass.h"

#include <stdlib.h>

#include "base/bits.h"
#include "model/area/area.h"
#include "model/cache/set_index.h"
#include "model/gpu/extent.h"
#include "model/gpu/occupancy.h"
#include "model/pass/pass_groups.h"
#include "model/pass/pass_pool.h"
#include "model/pass/request_log.h"
#include "model/pass/stage_tree.h"
#include "model/tile/tile.h"

struct pass {
    /* Every group has its own stages and its own diagnostics. */
    struct stages **stages;
    struct diagnostics *found;
    size_t *ends; /* [group]: the first machine after it */
    size_t groups;
    struct pool_pass *shared;
    const struct evaluate_options *options;
    struct diagnostics *diagnostics;
    const struct pass_window *window; /* or NULL */
    const struct trace_source *source;
    uint64_t blocks;            /* blocks of the whole source */
    struct issue_counts counts; /* counts so far */
    bool measured;              /* the extent of the source is known */
    bool launched;              /* a launch has begun */
    uint32_t launches;          /* so many have begun */
    size_t leaf;                /* of the first machine, in the first group */
    struct extent_walk walk;
    double reported; /* clock of the last progress call */
};

static double work_done(const struct issue_counts *counts)
{
    return (double)counts->transactions + (double)counts->records.memory_instructions;
}

static void put_counts(const struct issue_counts *counts, struct metrics *metrics)
{
    record_counts_put(&counts->records, metrics);
    metrics->stream_transactions = (double)counts->transactions;
    metrics->stream_past_l1 = (double)counts->past_l1;
}

/* Says what the launches up to the last one counted. What a cache writes back because the next one
 * empties it belongs to that. */
static void tell_launch(const struct pass *pass)
{
    const struct evaluate_options *options = pass->options;
    struct metrics metrics;
    if (!options->launched || !pass->launches)
        return;
    metrics_clear(&metrics);
    put_counts(&pass->counts, &metrics);
    stages_metrics(pass->stages[0], pass->leaf, &metrics);
    metrics_derive(&metrics);
    options->launched(options->launched_context, pass->launches - 1, &metrics);
}

static enum status pass_launch(void *argument, const struct trace_launch *launch)
{
    struct pass *pass = argument;
    tell_launch(pass);
    pass->launches++;
    if (pass->measured)
        extent_walk_launch(&pass->walk, work_done(&pass->counts));
    if (pass->options->record && pass->options->record->stream)
        request_log_launch(pass->options->record->stream, launch);
    enum status status = pass_pool_put(pass->shared, &(struct pool_batch){.launch = launch});
    pass->launched = true;
    return status;
}

static enum status pass_requests(void *argument, const struct request *requests, size_t count)
{
    struct pass *pass = argument;
    if (pass->options->record && pass->options->record->stream)
        request_log_append(pass->options->record->stream, requests, count);
    return pass_pool_put(pass->shared, &(struct pool_batch){.requests = requests, .count = count});
}

static enum status pass_fetches(void *argument, const struct request *requests, size_t count)
{
    struct pass *pass = argument;
    const struct pool_batch batch = {.requests = requests, .count = count, .feed = FEED_FETCHES};
    return pass_pool_put(pass->shared, &batch);
}

static enum status pass_progress(void *argument, const struct issue_counts *counts)
{
    struct pass *pass = argument;
    const struct evaluate_options *options = pass->options;
    if (evaluate_cancelled(options))
        return STATUS_CANCELLED;
    if (evaluate_due(options, &pass->reported))
        options->progress(options->argument, pass->measured
                                                 ? extent_walk_share(&pass->walk, work_done(counts))
                                                 : (double)counts->blocks / (double)pass->blocks);
    return STATUS_OK;
}

static void put_stream(const struct pass *pass, const struct machine *machine,
                       const struct trace_source *source, struct metrics *metrics)
{
    const struct issue_counts *counts = &pass->counts;
    const struct occupancy_mean fits = occupancy_mean_of(machine, source);
    put_counts(counts, metrics);
    metrics->occupancy_blocks = fits.blocks;
    metrics->occupancy_warps = fits.warps;
    if (!source->tiles)
        metrics->occupancy_mean_warps =
            (double)counts->warp_rounds / (double)counts->rounds / (double)machine->gpu.sms;
}

/* ---- groups -----------------------------------------------------------------------------------
 */

/* Runs a batch in runs of counted and uncounted requests, switching counting in between. */
static enum status run_stretches(struct stages *stages, const struct pool_batch *batch,
                                 struct diagnostics *diagnostics)
{
    const struct request *requests = batch->requests;
    enum status status = STATUS_OK;
    for (size_t first = 0, end; first < batch->count && !status; first = end) {
        const unsigned aside = requests[first].flags & REQUEST_ASIDE;
        for (end = first + 1; end < batch->count && (requests[end].flags & REQUEST_ASIDE) == aside;)
            end++;
        stages_count(stages, !aside);
        status = stages_run(stages, batch->feed, requests + first, end - first, diagnostics);
    }
    return status;
}

static enum status run_group(void *argument, size_t group, const struct pool_batch *batch)
{
    struct pass *pass = argument;
    struct stages *stages = pass->stages[group];
    const struct pass_window *window = pass->window;
    enum status status = batch->launch ? stages_launch(stages, batch->launch) : STATUS_OK;
    /* Only the warm bound of a window that starts later than the run, and only before its first
     * request. */
    if (!status && batch->launch && window && !window->fresh && !pass->launched &&
        group == WINDOW_WARM)
        status = stages_assume(stages, !window->midway);
    if (!status && batch->count)
        status = window ? run_stretches(stages, batch, &pass->found[group])
                        : stages_run(stages, batch->feed, batch->requests, batch->count,
                                     &pass->found[group]);
    return status || !batch->last ? status : stages_finish(stages);
}

/* A pass that is recorded, counts by instruction or launch, or simulates a window is not shared
 * with other threads. */
static bool pass_alone(const struct pass *pass)
{
    const struct evaluate_options *options = pass->options;
    return !options->pool || options->record || options->pcs || options->launched || pass->window;
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

/* Creates the stages of a group for machines[0] to machines[count - 1]. */
static enum status open_group(const struct pass *pass, const struct machine *const *machines,
                              size_t count, bool grids, struct stages **stages, size_t *leaves)
{
    const struct evaluate_options *options = pass->options;
    enum status status = stages_create(options->needs, options->share, grids, stages);
    if (!status)
        stages_see(*stages, pass->source->tiles);
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
    if (pass->window)
        most = count;
    pass->ends = calloc(most, sizeof *pass->ends);
    pass->stages = calloc(most, sizeof *pass->stages);
    pass->found = calloc(most, sizeof *pass->found);
    if (!pass->ends || !pass->stages || !pass->found)
        return STATUS_MEMORY;
    if (pass->window)
        for (pass->groups = 0; pass->groups < count; pass->groups++)
            pass->ends[pass->groups] = pass->groups + 1;
    else
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

static enum status collect(const struct pass *pass, const struct machine *const *machines,
                           const struct trace_source *source, const size_t *leaves,
                           struct metrics *metrics)
{
    enum status status = STATUS_OK;
    for (size_t group = 0, i = 0; group < pass->groups; group++)
        for (; i < pass->ends[group] && !status; i++) {
            metrics_clear(&metrics[i]);
            put_stream(pass, machines[i], source, &metrics[i]);
            stages_metrics(pass->stages[group], leaves[i], &metrics[i]);
            if (source->tiles && tile_has_bins(machines[i]))
                status = tile_put_bins(machines[i], source->tiles, pass->options, false,
                                       &metrics[i], pass->diagnostics);
            area_evaluate(machines[i], &metrics[i]);
            metrics_derive(&metrics[i]);
        }
    return status;
}

/* Hands a batch of tile requests to the groups, each as one memory instruction of the one warp that
 * a pass of a scene is. */
static enum status put_tiles(struct pass *pass, const struct tile_batch *batch,
                             struct request *packed)
{
    struct issue_counts *counts = &pass->counts;
    deal_pack(pass->source->tiles->surfaces, batch->requests, batch->count, packed);
    for (uint32_t i = 0; i < batch->count; i++) {
        counts->records.thread_accesses += bits_count(batch->requests[i].mask);
        counts->records.spaces[packed[i].space]++;
    }
    counts->records.warp_instructions += batch->count;
    counts->records.memory_instructions += batch->count;
    counts->transactions += batch->count;
    counts->rounds += batch->count;
    counts->warp_rounds += batch->count;
    const struct pool_batch put = {.requests = packed, .count = batch->count, .feed = FEED_TILES};
    const enum status status = pass_pool_put(pass->shared, &put);
    return status ? status : pass_progress(pass, counts);
}

static enum status read_tiles(struct pass *pass, struct tile_reader *reader,
                              struct tile_batch *batch, struct request *packed)
{
    const struct tile_stream *tiles = pass->source->tiles;
    do {
        enum status status = tiles->ops->next(reader, batch, pass->diagnostics);
        if (!status && batch->begins) {
            pass->counts.blocks = batch->pass;
            status = pass_launch(pass, &pass->source->launches[batch->pass]);
        }
        if (!status)
            status = put_tiles(pass, batch, packed);
        if (status)
            return status;
    } while (!batch->end);
    return STATUS_OK;
}

/* A scene is nothing but tile requests: what its records would be issued as. */
static enum status walk_tiles(struct pass *pass)
{
    const struct tile_stream *tiles = pass->source->tiles;
    struct tile_batch batch = {0};
    struct tile_reader *reader = NULL;
    struct request *packed = malloc(TILE_BATCH * sizeof *packed);
    enum status status = packed ? tile_batch_init(&batch, TILE_BATCH, false) : STATUS_MEMORY;
    if (!status)
        status = tiles->ops->open(tiles, false, &reader, pass->diagnostics);
    if (!status)
        status = read_tiles(pass, reader, &batch, packed);
    tiles->ops->close(reader);
    tile_batch_free(&batch);
    free(packed);
    return status;
}

static enum status pass_issue(struct pass *pass, const struct machine *const *machines,
                              size_t count, const struct trace_source *source)
{
    const struct issue_sink sink = {
        .launch = pass_launch,
        .requests = pass_requests,
        .fetches = stages_read(FEED_FETCHES, machines, count) ? pass_fetches : NULL,
        .fetch_line = stages_fetch_line(machines, count),
        .progress = pass_progress,
        .argument = pass,
        .counted = pass->window ? &pass->window->counted : NULL,
    };
    return issue_source(machines[0], source, &sink, &pass->counts, pass->diagnostics);
}

/* Issues the source to the groups and waits for them. */
static enum status walk(struct pass *pass, const struct machine *const *machines, size_t count,
                        const struct trace_source *source)
{
    enum status status =
        source->tiles ? walk_tiles(pass) : pass_issue(pass, machines, count, source);
    if (!status)
        status = pass_pool_put(pass->shared, &(struct pool_batch){.last = true});
    /* After a failure the groups are dropped: they must not run again, because the pass that they
     * use ends with run_once. */
    enum status closed = pass_pool_close(pass->shared, status != STATUS_OK);
    status = status ? status : closed;
    if (!status)
        tell_launch(pass);
    return status;
}

static enum status run_once(const struct machine *const *machines, size_t count,
                            const struct trace_source *source, const struct pass_window *window,
                            const struct evaluate_options *options, bool grids,
                            struct metrics *metrics, struct diagnostics *diagnostics)
{
    static const struct evaluate_options nothing = {0};
    struct pass pass = {.options = options ? options : &nothing,
                        .diagnostics = diagnostics,
                        .window = window,
                        .source = source,
                        .blocks = trace_source_blocks(source)};
    pass.measured = pass.options->extent && pass.options->extent->source == source;
    if (pass.measured)
        extent_walk_begin(pass.options->extent, &pass.walk);
    size_t *leaves = calloc(count + 1, sizeof *leaves);
    enum status status =
        leaves ? open_groups(&pass, machines, count, grids, leaves) : STATUS_MEMORY;
    pass.leaf = leaves ? leaves[0] : 0;
    if (!status)
        status = walk(&pass, machines, count, source);
    if (!status)
        status = collect(&pass, machines, source, leaves, metrics);
    free_groups(&pass);
    free(leaves);
    return status;
}

enum status pass_run(const struct machine *const *machines, size_t count,
                     const struct trace_source *source, const struct evaluate_options *options,
                     struct metrics *metrics, struct diagnostics *diagnostics)
{
    enum status status =
        run_once(machines, count, source, NULL, options, true, metrics, diagnostics);
    /* A grid could not follow this stream: run again with passes that can. */
    if (status == STATUS_UNSUPPORTED && options && options->share && !options->record)
        status = run_once(machines, count, source, NULL, options, false, metrics, diagnostics);
    return status;
}

enum status pass_run_window(const struct machine *machine, const struct pass_window *window,
                            const struct evaluate_options *options,
                            struct metrics metrics[WINDOW_BOUNDS], struct diagnostics *diagnostics)
{
    const struct machine *const bounds[WINDOW_BOUNDS] = {machine, machine};
    return run_once(bounds, WINDOW_BOUNDS, window->source, window, options, false, metrics,
                    diagnostics);
}

/* Only the published reuse-distance program hashes to any number of sets (machine_check). */
static bool index_legal(const struct cache_config *cache)
{
    return !cache->enabled || index_holds(cache->index, cache_sets(cache));
}

enum status functional_evaluate(const struct machine *const *machines, size_t count,
                                const struct trace_source *source,
                                const struct evaluate_options *options, struct metrics *metrics,
                                struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < count; i++)
        if (!index_legal(&machines[i]->l1d))
            return diagnostics_error(diagnostics, STATUS_INVALID,
                                     "l1d.index: the fermi hash needs 32 or 64 sets, except for "
                                     "l1d.reuse.mode published at depth reuse");
    return pass_run(machines, count, source, options, metrics, diagnostics);
}

size_t functional_notes(const struct machine *machine, const char *notes[])
{
    size_t count = 0;
    if (machine_runs_kernels(machine) &&
        !(scheduler_facts[machine->scheduler.policy].traits & SCHEDULER_LOOSE))
        notes[count++] = "warps issue loose round robin: the functional depth has no stalls that "
                         "scheduler.policy could react to";
    if (machine->l1d.enabled && cache_is_offline(&machine->l1d))
        notes[count++] = "l1d.replacement opt is a limit: it knows the future, and no L2 can be "
                         "simulated beyond it";
    if (machine->l2.enabled && cache_is_offline(&machine->l2))
        notes[count++] = "l2.replacement opt is a limit: it knows the future";
    if (machine->l1d.enabled && machine->l1d.unified)
        notes[count++] = "the L1D takes what the shared-memory carve-out of each launch leaves of "
                         "l1d.unified; l1d.size is not its simulated size";
    return count;
}
