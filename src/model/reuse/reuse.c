#include "model/reuse/reuse.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/area/area.h"
#include "model/reuse/published.h"
#include "model/reuse/textbook.h"

void reuse_configure(const struct machine *machine, struct reuse_config *config)
{
    const struct cache_config *l1d = &machine->l1d;
    const struct reuse_parameters *reuse = &l1d->reuse;
    *config = (struct reuse_config){
        .line = (uint32_t)l1d->line,
        .ways = (uint32_t)l1d->ways,
        .sets = cache_sets(l1d),
        .latency = reuse->model.latency ? reuse->latency : 0,
        .hit_latency = reuse->model.latency ? reuse->hit_latency : 0,
        .sigma = reuse->model.latency ? reuse->latency_sigma : 0,
        .mshrs = reuse->model.mshr ? l1d->mshr.entries : UINT64_MAX,
        .per_warp = reuse->model.mshr && l1d->mshr.per_warp ? l1d->mshr.per_warp : UINT64_MAX,
        .seed = machine->seed,
        .index = l1d->index,
        .max_threads = machine->gpu.max_threads,
        .max_blocks = machine->gpu.max_blocks,
        .hierarchy = reuse->model.hierarchy,
        .divergence = reuse->model.divergence,
    };
    if (!reuse->model.associativity)
        *config = reuse_run_config(config, RUN_ASSOCIATIVE);
}

struct reuse_config reuse_run_config(const struct reuse_config *config, enum reuse_runs run)
{
    struct reuse_config changed = *config;
    switch (run) {
    case RUN_ASSOCIATIVE:
        changed.ways = (uint32_t)(config->ways * config->sets);
        changed.sets = 1;
        changed.index = INDEX_LINEAR;
        break;
    case RUN_INSTANT:
        changed.latency = changed.hit_latency = 0;
        changed.sigma = 0;
        break;
    case RUN_UNLIMITED:
        changed.mshrs = changed.per_warp = UINT64_MAX;
        break;
    case RUN_MACHINE:
    case REUSE_RUNS:
        break;
    }
    return changed;
}

void reuse_histogram_free(struct reuse_histogram *histogram)
{
    free(histogram->counts);
    *histogram = (struct reuse_histogram){0};
}

enum status reuse_histogram_add(struct reuse_histogram *histogram, uint64_t distance)
{
    if (distance >= histogram->count) {
        if (array_reserve(&histogram->counts, &histogram->capacity, distance + 1))
            return STATUS_MEMORY;
        while (histogram->count <= distance)
            histogram->counts[histogram->count++] = 0;
    }
    histogram->counts[distance]++;
    return STATUS_OK;
}

/* The four runs as metrics, in both modes. */
static void put_runs(const struct reuse_run runs[REUSE_RUNS], bool all, struct metrics *metrics)
{
    const struct reuse_run *run = &runs[RUN_MACHINE];
    metrics->l1d_accesses = metrics->l1d_reads = (double)run->accesses;
    metrics->l1d_misses = metrics->l1d_read_misses = (double)run->misses;
    metrics->l1d_reuse_run0_misses = (double)run->misses;
    metrics->l1d_reuse_refused = (double)run->refused;
    metrics->l1d_reuse_ticks = (double)run->ticks;
    if (!all)
        return;
    metrics->l1d_reuse_run1_misses = (double)runs[RUN_ASSOCIATIVE].misses;
    metrics->l1d_reuse_run2_misses = (double)runs[RUN_INSTANT].misses;
    metrics->l1d_reuse_run3_misses = (double)runs[RUN_UNLIMITED].misses;
}

static void put_classes(const double classes[REUSE_CLASSES], struct metrics *metrics)
{
    metrics->l1d_miss_compulsory = classes[CLASS_COMPULSORY];
    metrics->l1d_miss_capacity = classes[CLASS_CAPACITY];
    metrics->l1d_miss_associativity = classes[CLASS_ASSOCIATIVITY];
    metrics->l1d_miss_latency = classes[CLASS_LATENCY];
    metrics->l1d_miss_mshr = classes[CLASS_MSHR];
}

static void put_stream(const struct feed_counts *counts, struct metrics *metrics)
{
    metrics->stream_warp_instructions = (double)counts->warp_instructions;
    metrics->stream_memory_instructions = (double)counts->memory_instructions;
    metrics->stream_thread_accesses = (double)counts->thread_accesses;
}

static void add_run(struct reuse_run *sum, const struct reuse_run *run)
{
    sum->accesses += run->accesses;
    sum->misses += run->misses;
    sum->refused += run->refused;
    sum->ticks += run->ticks;
}

/* What the program prints for each launch, added up: launches know nothing of each other. */
struct published_sums {
    struct reuse_run runs[REUSE_RUNS];
    double classes[REUSE_CLASSES];
    struct feed_counts stream;
};

static enum status add_launch(const struct machine *machine, const struct trace_source *source,
                              uint32_t launch, unsigned wanted,
                              const struct evaluate_options *options, struct published_sums *sums,
                              struct diagnostics *diagnostics)
{
    struct reuse_config config;
    reuse_configure(machine, &config);
    if (launch_threads(&source->launches[launch]) > config.max_threads)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s: a block of launch %u has more threads than gpu.max_threads",
                                 source->name, launch);
    struct published_loads *loads;
    enum status status = published_prepare(source, launch, config.line, &loads, diagnostics);
    if (status)
        return status;
    struct reuse_run runs[REUSE_RUNS] = {0};
    status = published_simulate(loads, &config, wanted, runs, NULL, options->cancel);
    int64_t classes[REUSE_CLASSES];
    published_classes(runs, classes);
    for (unsigned i = 0; i < REUSE_RUNS; i++)
        add_run(&sums->runs[i], &runs[i]);
    for (unsigned i = 0; i < REUSE_CLASSES; i++)
        sums->classes[i] += (double)classes[i];
    sums->stream.warp_instructions += loads->warp_instructions;
    sums->stream.memory_instructions += loads->memory_instructions;
    sums->stream.thread_accesses += loads->thread_accesses;
    published_free(loads);
    return status;
}

static enum status evaluate_published(const struct machine *machine,
                                      const struct trace_source *source, unsigned wanted,
                                      const struct evaluate_options *options,
                                      struct metrics *metrics, struct diagnostics *diagnostics)
{
    struct published_sums sums = {0};
    enum status status = STATUS_OK;
    for (uint32_t launch = 0; launch < source->launch_count && !status; launch++) {
        status = add_launch(machine, source, launch, wanted, options, &sums, diagnostics);
        if (options->progress)
            options->progress(options->argument, (launch + 1.0) / source->launch_count);
    }
    put_stream(&sums.stream, metrics);
    put_runs(sums.runs, wanted == REUSE_ALL_RUNS, metrics);
    if (wanted == REUSE_ALL_RUNS)
        put_classes(sums.classes, metrics);
    return status;
}

static enum status evaluate_textbook(const struct machine *machine,
                                     const struct trace_source *source, unsigned wanted,
                                     const struct evaluate_options *options,
                                     struct metrics *metrics, struct diagnostics *diagnostics)
{
    struct textbook_result result;
    enum status status =
        textbook_simulate(machine, source, wanted, options, &result, NULL, diagnostics);
    double classes[REUSE_CLASSES];
    for (unsigned i = 0; i < REUSE_CLASSES; i++)
        classes[i] = (double)result.classes[i];
    put_stream(&result.stream, metrics);
    put_runs(result.runs, wanted == REUSE_ALL_RUNS, metrics);
    if (wanted == REUSE_ALL_RUNS)
        put_classes(classes, metrics);
    return status;
}

enum status reuse_evaluate(const struct machine *machine, const struct trace_source *source,
                           const struct evaluate_options *options, struct metrics *metrics,
                           struct diagnostics *diagnostics)
{
    unsigned wanted =
        options->needs & NEED_CLASSES_L1D ? REUSE_ALL_RUNS : (unsigned)1 << RUN_MACHINE;
    metrics_clear(metrics);
    if (!machine->l1d.enabled)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "depth reuse models the L1D, and l1d.enabled is off");
    enum status status =
        machine->l1d.reuse.mode == REUSE_PUBLISHED
            ? evaluate_published(machine, source, wanted, options, metrics, diagnostics)
            : evaluate_textbook(machine, source, wanted, options, metrics, diagnostics);
    metrics_derive(metrics);
    area_evaluate(machine, metrics);
    return status;
}
