/* Simulates all SMs of all machines of a batch (model/reuse/textbook.h): SM by SM and launch by
 * launch, first the idealised runs, then the machines' own. Machines share an idealised run if it
 * removes all that they differ in. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "model/gpu/occupancy.h"
#include "model/reuse/textbook_run.h"
#include "schema/parameters.h"

/* One run of the batch and its state on the SM being simulated. */
struct planned_run {
    /* What the run idealises is set to a fixed value, so that equal machines share it. */
    struct machine machine;
    struct reuse_config config;
    struct reuse_run total;
    struct latency_table latencies;
    struct timed_cache cache;
    struct distances distances; /* used only for a histogram */
    /* Current ways of the machine's L1D; those of a unified one change with the launch. */
    uint64_t ways;
};

struct batch {
    const struct machine *const *machines;
    size_t count;
    const struct trace_source *source;
    const struct reuse_loads *loads; /* or NULL */
    bool all;                        /* all four runs, and classes */
    const struct evaluate_options *options;
    struct textbook_result *results;
    struct reuse_detail *detail; /* results of the first machine, or NULL */
    struct diagnostics *diagnostics;
    struct planned_run *runs; /* idealised runs, then one per machine */
    size_t ideals, run_count;
    int (*compare)[REUSE_RUNS]; /* [count]: the idealised runs of each machine */
    struct key_table table;     /* without loads */
    double reported;            /* clock of the last progress call */
};

/* Sets the parameters that a run does not read to fixed values. */
static struct machine idealised(const struct machine *machine, enum reuse_runs run)
{
    struct machine same = *machine;
    struct cache_config *l1d = &same.l1d;
    if (run == RUN_INSTANT) {
        l1d->reuse.latency = l1d->reuse.hit_latency = 0;
        l1d->reuse.latency_sigma = 0;
        same.seed = 0;
    }
    if (run == RUN_INSTANT || run == RUN_UNLIMITED) {
        l1d->mshr.entries = 1;
        l1d->mshr.per_warp = 0;
        l1d->mshr.merge = 1;
        l1d->reuse.model.mshr = l1d->reuse.model.merge = false;
    }
    if (run == RUN_ASSOCIATIVE && !l1d->unified) {
        l1d->ways = l1d->size / l1d->line;
        l1d->index = INDEX_MODULO;
    }
    return same;
}

static void plan_run(struct batch *batch, const struct machine *machine, enum reuse_runs number)
{
    struct reuse_config config;
    reuse_configure(machine, &config);
    batch->runs[batch->run_count++] = (struct planned_run){
        .machine = idealised(machine, number), .config = reuse_run_config(&config, number)};
}

static enum status plan_runs(struct batch *batch)
{
    const unsigned read = depth_reads(DEPTH_REUSE);
    batch->runs = calloc(REUSE_RUNS * batch->count, sizeof *batch->runs);
    batch->compare = calloc(batch->count, sizeof *batch->compare);
    if (!batch->runs || !batch->compare)
        return STATUS_MEMORY;
    for (size_t i = 0; i < batch->count && batch->all; i++)
        for (unsigned run = RUN_MACHINE + 1; run < REUSE_RUNS; run++) {
            struct machine machine = idealised(batch->machines[i], run);
            size_t at = 0;
            while (at < batch->run_count && !machine_same(&batch->runs[at].machine, &machine, read))
                at++;
            if (at == batch->run_count)
                plan_run(batch, batch->machines[i], run);
            batch->compare[i][run] = (int)at;
        }
    batch->ideals = batch->run_count;
    for (size_t i = 0; i < batch->count; i++)
        plan_run(batch, batch->machines[i], RUN_MACHINE);
    return STATUS_OK;
}

static enum status begin_sm(struct batch *batch, uint64_t sm)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->run_count && !status; i++) {
        struct planned_run *run = &batch->runs[i];
        const struct reuse_config *config = &run->config;
        uint64_t seed = sm ? random_at(config->seed, sm) : config->seed;
        latency_table_init(&run->latencies, config->latency, config->sigma, seed);
        status = timed_cache_init(&run->cache, config, &run->latencies);
        bool first = i == batch->ideals;
        if (!status && first && batch->detail && batch->detail->histogram) {
            status = distances_init(&run->distances, config->sets);
            run->cache.distances = &run->distances;
        }
        run->ways = run->machine.l1d.ways;
    }
    return status;
}

static void end_sm(struct batch *batch)
{
    for (size_t i = 0; i < batch->run_count; i++) {
        timed_cache_free(&batch->runs[i].cache);
        distances_free(&batch->runs[i].distances);
        latency_table_free(&batch->runs[i].latencies);
        batch->runs[i].cache = (struct timed_cache){0};
    }
    key_table_free(&batch->table);
}

/* Applies the flush, and the ways that a shared-memory carve-out leaves, between launches. */
static void begin_launch(struct planned_run *run, const struct trace_launch *shape, bool first)
{
    uint64_t ways = occupancy_l1d_ways(&run->machine, shape);
    if (ways == run->ways && (first || !run->machine.l1d.flush))
        return;
    struct reuse_config *config = &run->cache.config;
    config->ways = (uint32_t)(config->ways / run->ways * ways);
    timed_cache_flush(&run->cache);
    run->ways = ways;
}

/* One run of a batch on one SM and launch. The idealised runs come first and leave in `rows` which
 * accesses they hit; the machines' own runs classify their misses by these rows. Only the first
 * machine answers details and the clock, because both are of one machine. */
static enum status execute(struct batch *batch, uint64_t sm, uint32_t launch, uint64_t blocks,
                           uint32_t resident, size_t number, struct outcome_row *rows)
{
    struct planned_run *run = &batch->runs[number];
    const bool ideal = number < batch->ideals;
    const size_t machine = number - batch->ideals;
    struct textbook_result *result = ideal ? NULL : &batch->results[machine];
    if (!run->config.hierarchy)
        resident = 1;
    const struct textbook_run asked = {.machine = &run->machine,
                                       .source = batch->source,
                                       .launch = launch,
                                       .sm = sm,
                                       .blocks = blocks,
                                       .resident = blocks < resident ? (uint32_t)blocks : resident,
                                       .cache = &run->cache,
                                       .loads = batch->loads ? &batch->loads->sms[sm] : NULL,
                                       .table = &batch->table,
                                       .counts = &run->total,
                                       .rows = rows,
                                       .ideals = batch->ideals,
                                       .own = ideal ? (int)number : NO_RUN,
                                       .compare = ideal ? NULL : batch->compare[machine],
                                       .classes = ideal ? NULL : result->classes,
                                       .detail = ideal || machine ? NULL : batch->detail,
                                       .clock = ideal || machine ? NULL : batch->options->clock,
                                       .stream = ideal || batch->loads ? NULL : &result->stream,
                                       .options = batch->options,
                                       .diagnostics = batch->diagnostics};
    return textbook_execute(&asked);
}

static void report_progress(struct batch *batch, uint64_t sm, uint32_t launch, size_t run)
{
    const struct evaluate_options *options = batch->options;
    if (!evaluate_due(options, &batch->reported))
        return;
    double runs = (double)run / (double)batch->run_count;
    double launches = (launch + runs) / batch->source->launch_count;
    options->progress(options->argument,
                      ((double)sm + launches) / (double)batch->machines[0]->gpu.sms);
}

static enum status run_launch(struct batch *batch, uint64_t sm, uint32_t launch)
{
    const struct trace_launch *shape = &batch->source->launches[launch];
    const struct gpu_config *gpu = &batch->machines[0]->gpu;
    uint64_t all = launch_blocks(shape), blocks = all > sm ? (all - sm - 1) / gpu->sms + 1 : 0;
    uint32_t resident = occupancy_of(batch->machines[0], shape).blocks;
    if (!resident)
        return diagnostics_error(batch->diagnostics, STATUS_INVALID,
                                 "%s: a block of launch %u does not fit an SM", batch->source->name,
                                 launch);
    for (size_t i = 0; i < batch->run_count; i++)
        begin_launch(&batch->runs[i], shape, launch == 0);
    if (!blocks)
        return STATUS_OK;
    size_t row_count = blocks * launch_warps(shape);
    struct outcome_row *rows = NULL;
    if (batch->all && !(rows = calloc(row_count, sizeof *rows)))
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < batch->run_count && !status; i++) {
        status = evaluate_cancelled(batch->options)
                     ? STATUS_CANCELLED
                     : execute(batch, sm, launch, blocks, resident, i, rows);
        report_progress(batch, sm, launch, i + 1);
    }
    for (size_t i = 0; rows && i < row_count; i++)
        free(rows[i].bits);
    free(rows);
    return status;
}

static void finish_run(struct reuse_run *run)
{
    run->accesses = 0;
    for (unsigned k = 0; k < RECENCY_COUNT; k++)
        run->accesses += run->distances[k];
    run->misses = run->accesses - run->distances[RECENCY_NEAR] + run->sector_misses;
}

static void collect(struct batch *batch)
{
    for (size_t i = 0; i < batch->run_count; i++)
        finish_run(&batch->runs[i].total);
    for (size_t i = 0; i < batch->count; i++) {
        struct textbook_result *result = &batch->results[i];
        result->runs[RUN_MACHINE] = batch->runs[batch->ideals + i].total;
        for (unsigned run = RUN_MACHINE + 1; run < REUSE_RUNS && batch->all; run++)
            result->runs[run] = batch->runs[batch->compare[i][run]].total;
        for (uint64_t sm = 0; batch->loads && sm < batch->machines[0]->gpu.sms; sm++)
            record_counts_add(&result->stream, &batch->loads->sms[sm].counts);
    }
}

enum status textbook_simulate_many(const struct machine *const *machines, size_t count,
                                   const struct trace_source *source,
                                   const struct reuse_loads *loads, bool classes,
                                   const struct evaluate_options *options,
                                   struct textbook_result *results, struct reuse_detail *detail,
                                   struct diagnostics *diagnostics)
{
    struct batch batch = {.machines = machines,
                          .count = count,
                          .source = source,
                          .loads = loads,
                          .all = classes,
                          .options = options,
                          .results = results,
                          .detail = detail,
                          .diagnostics = diagnostics};
    memset(results, 0, count * sizeof *results);
    enum status status = plan_runs(&batch);
    for (uint64_t sm = 0; sm < machines[0]->gpu.sms && !status; sm++) {
        status = begin_sm(&batch, sm);
        for (uint32_t launch = 0; launch < source->launch_count && !status; launch++)
            status = run_launch(&batch, sm, launch);
        end_sm(&batch);
    }
    if (!status)
        collect(&batch);
    free(batch.runs);
    free(batch.compare);
    return status;
}

enum status textbook_simulate(const struct machine *machine, const struct trace_source *source,
                              unsigned wanted, const struct evaluate_options *options,
                              struct textbook_result *result, struct reuse_histogram *histogram,
                              struct diagnostics *diagnostics)
{
    struct reuse_detail detail = {.histogram = histogram};
    return textbook_simulate_many(&machine, 1, source, NULL, wanted == REUSE_ALL_RUNS, options,
                                  result, histogram ? &detail : NULL, diagnostics);
}
