#include "model/reuse/reuse.h"

#include <stdlib.h>

#include "model/area/area.h"
#include "model/reuse/published.h"
#include "model/reuse/textbook.h"

void reuse_configure(const struct machine *machine, struct reuse_config *config)
{
    const struct cache_config *l1d = &machine->l1d;
    const struct reuse_parameters *reuse = &l1d->reuse;
    *config = (struct reuse_config){
        .line = (uint32_t)l1d->line,
        .sectors = (uint32_t)(l1d->line / l1d->sector),
        .ways = (uint32_t)l1d->ways,
        .sets = cache_sets(l1d),
        .latency = reuse->model.latency ? reuse->latency : 0,
        .hit_latency = reuse->model.latency ? reuse->hit_latency : 0,
        .sigma = reuse->model.latency ? reuse->latency_sigma : 0,
        .mshrs = reuse->model.mshr ? l1d->mshr.entries : UINT64_MAX,
        .per_warp = reuse->model.mshr && l1d->mshr.per_warp ? l1d->mshr.per_warp : UINT64_MAX,
        .merge = reuse->model.merge ? l1d->mshr.merge : UINT64_MAX,
        .seed = machine->seed,
        .index = l1d->index,
        .max_threads = machine->gpu.max_threads,
        .max_blocks = machine->gpu.max_blocks,
        .hierarchy = reuse->model.hierarchy,
        .divergence = reuse->model.divergence,
        .on_miss = reuse->model.allocate && l1d->allocate == ALLOCATE_ON_MISS,
    };
    if (!reuse->model.associativity)
        *config = reuse_run_config(config, RUN_ASSOCIATIVE);
}

void reuse_reduce(struct machine *machine)
{
    struct cache_config *l1d = &machine->l1d;
    l1d->replacement = REPLACEMENT_LRU;
    l1d->write = WRITE_LOCAL_BACK;
    l1d->write_allocate = WRITE_ALLOCATE_NONE;
    if (!l1d->reuse.model.merge)
        l1d->mshr.merge = 1;
    if (!l1d->reuse.model.allocate)
        l1d->allocate = ALLOCATE_ON_FILL;
    if (l1d->reuse.mode == REUSE_PUBLISHED) {
        l1d->sector = l1d->line;
        l1d->mshr.merge = 1;
        l1d->reuse.model.merge = l1d->reuse.model.allocate = false;
        l1d->reuse.wait = REUSE_WAIT_LOAD;
        l1d->index = INDEX_FERMI; /* the program uses its own */
        l1d->reuse.hit_latency = 0;
        l1d->mshr.per_warp = 0;
        machine->coalescer = (struct coalescer_config){.arch = 20};
    }
}

void reuse_shared(struct machine *machine)
{
    const struct machine whole = *machine;
    machine_defaults(machine);
    machine->gpu = whole.gpu;
    machine->coalescer = whole.coalescer;
    machine->l1d.line = whole.l1d.line;
    machine->l1d.sector = whole.l1d.sector;
    machine->l1d.reuse.mode = whole.l1d.reuse.mode;
    machine->l1d.reuse.wait = whole.l1d.reuse.wait;
}

size_t reuse_notes(const struct machine *machine, const char *notes[])
{
    size_t count = 0;
    if (machine->l1d.reuse.mode == REUSE_PUBLISHED) {
        notes[count++] = "published: the rules of the authors' program: one core, its own "
                         "coalescing, fermi hash, distance = ways reported as a hit; the classes "
                         "are differences of runs and need not add up to the misses";
    } else {
        notes[count++] =
            "textbook: each miss has one class, that of the first ideal (unlimited MSHRs, "
            "no latency, full associativity) that makes it a hit";
        if (!(replacement_facts[machine->l1d.replacement].traits & REPLACEMENT_RECENCY))
            notes[count++] = "reuse distances are those of LRU whatever l1d.replacement says";
    }
    notes[count++] = "the reuse depth models the loads of the L1D; the L2 and translation are not "
                     "simulated";
    return count;
}

struct reuse_config reuse_run_config(const struct reuse_config *config, enum reuse_runs run)
{
    struct reuse_config changed = *config;
    switch (run) {
    case RUN_ASSOCIATIVE:
        changed.ways = (uint32_t)(config->ways * config->sets);
        changed.sets = 1;
        changed.index = INDEX_MODULO;
        break;
    case RUN_INSTANT:
        changed.latency = changed.hit_latency = 0;
        changed.sigma = 0;
        changed.mshrs = changed.merge = UINT64_MAX; /* nothing is ever in flight */
        break;
    case RUN_UNLIMITED:
        changed.mshrs = changed.per_warp = changed.merge = UINT64_MAX;
        break;
    case RUN_MACHINE:
    case REUSE_RUNS:
        break;
    }
    return changed;
}

uint64_t reuse_hit_below(const struct machine *machine)
{
    struct reuse_config config;
    reuse_configure(machine, &config);
    /* It reports a distance equal to the ways as a hit. */
    return config.ways + (machine->l1d.reuse.mode == REUSE_PUBLISHED);
}

/* Writes the runs as metrics, in both modes; `all`: all four. */
static void put_runs(const struct reuse_run runs[REUSE_RUNS], bool all, struct metrics *metrics)
{
    const struct reuse_run *run = &runs[RUN_MACHINE];
    metrics->l1d_accesses = metrics->l1d_reads = (double)run->accesses;
    metrics->l1d_misses = metrics->l1d_read_misses = (double)run->misses;
    metrics->l1d_reuse_run0_misses = (double)run->misses;
    metrics->l1d_reuse_joined = (double)run->joined;
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
    metrics->l1d_miss_flush = classes[CLASS_FLUSH];
    metrics->l1d_miss_capacity = classes[CLASS_CAPACITY];
    metrics->l1d_miss_associativity = classes[CLASS_ASSOCIATIVITY];
    metrics->l1d_miss_latency = classes[CLASS_LATENCY];
    metrics->l1d_miss_mshr = classes[CLASS_MSHR];
}

static void add_run(struct reuse_run *sum, const struct reuse_run *run)
{
    sum->accesses += run->accesses;
    sum->misses += run->misses;
    sum->joined += run->joined;
    sum->refused += run->refused;
    sum->ticks += run->ticks;
}

/* What the program prints per launch, summed up; launches do not affect each other. */
struct published_sums {
    struct reuse_run runs[REUSE_RUNS];
    double classes[REUSE_CLASSES];
};

/* Machines that read the same loads. */
struct group {
    const struct machine **machines;
    size_t *places; /* places of their metrics */
    size_t count;
    const struct trace_source *source;
    const struct reuse_loads *loads; /* or NULL: too large to keep */
    bool all;                        /* all four runs */
    const struct evaluate_options *options;
    struct metrics *metrics; /* metrics of all machines */
    struct reuse_detail *detail;
    struct diagnostics *diagnostics;
};

/* The runs of one launch that were already made. Other machines may need the same run, because an
 * idealisation can make them equal. */
struct made_runs {
    struct made {
        struct reuse_config config;
        struct reuse_run run;
    } * items;
    size_t count;
};

static bool same_run(const struct reuse_config *a, const struct reuse_config *b)
{
    return a->line == b->line && a->ways == b->ways && a->sets == b->sets &&
           a->latency == b->latency && a->sigma == b->sigma && a->mshrs == b->mshrs &&
           (a->seed == b->seed || a->sigma == 0) && a->max_threads == b->max_threads &&
           a->max_blocks == b->max_blocks && a->hierarchy == b->hierarchy &&
           a->divergence == b->divergence;
}

/* Looks up runs that were made before; returns the mask of those still to make. */
static unsigned recall_runs(const struct made_runs *made, const struct reuse_config *config,
                            unsigned wanted, struct reuse_run runs[REUSE_RUNS])
{
    unsigned left = wanted;
    for (unsigned i = 0; i < REUSE_RUNS; i++) {
        struct reuse_config run = reuse_run_config(config, i);
        for (size_t k = 0; k < made->count && left >> i & 1; k++)
            if (same_run(&made->items[k].config, &run)) {
                runs[i] = made->items[k].run;
                left &= ~(1u << i);
            }
    }
    return left;
}

static enum status add_machine(const struct group *group, size_t index, uint32_t launch,
                               const struct published_loads *loads, struct made_runs *made,
                               struct published_sums *sums)
{
    struct reuse_config config;
    reuse_configure(group->machines[index], &config);
    if (loads->block_threads > config.max_threads)
        return diagnostics_error(group->diagnostics, STATUS_INVALID,
                                 "%s: a block of launch %u has more threads than gpu.max_threads",
                                 group->source->name, launch);
    struct reuse_run runs[REUSE_RUNS] = {0};
    struct reuse_detail *detail = index ? NULL : group->detail;
    unsigned wanted = group->all ? REUSE_ALL_RUNS : 1u << RUN_MACHINE;
    unsigned left = recall_runs(made, &config, wanted, runs);
    enum status status = STATUS_OK;
    if (detail && detail->pcs)
        status = pc_table_launch(detail->pcs, group->source->launches[launch].name);
    if (!status)
        status = published_simulate(loads, &config, left, runs, detail, group->options->cancel);
    if (status)
        return status;
    for (unsigned i = 0; i < REUSE_RUNS; i++) {
        if (left >> i & 1)
            made->items[made->count++] = (struct made){reuse_run_config(&config, i), runs[i]};
        add_run(&sums->runs[i], &runs[i]);
    }
    int64_t classes[REUSE_CLASSES];
    published_classes(runs, classes);
    for (unsigned i = 0; i < REUSE_CLASSES; i++)
        sums->classes[i] += (double)classes[i];
    return STATUS_OK;
}

static enum status add_launch(const struct group *group, uint32_t launch, struct made_runs *made,
                              struct published_sums *sums, struct record_counts *stream)
{
    struct published_loads *own = NULL;
    const struct published_loads *loads = group->loads ? group->loads->launches[launch] : NULL;
    if (!loads) {
        const struct machine *machine = group->machines[0];
        enum status status =
            published_prepare(group->source, launch, machine->l1d.line,
                              l1d_spaces_looked_up(machine), &own, group->diagnostics);
        if (status)
            return status;
        loads = own;
    }
    enum status status = STATUS_OK;
    made->count = 0;
    for (size_t i = 0; i < group->count && !status; i++)
        status = add_machine(group, i, launch, loads, made, &sums[i]);
    record_counts_add(stream, &loads->counts);
    published_free(own);
    return status;
}

static enum status evaluate_published(const struct group *group)
{
    const struct evaluate_options *options = group->options;
    const uint32_t launches = group->source->launch_count;
    struct published_sums *sums = calloc(group->count, sizeof *sums);
    struct made_runs made = {calloc(REUSE_RUNS * group->count, sizeof *made.items), 0};
    struct record_counts stream = {0};
    enum status status = sums && made.items ? STATUS_OK : STATUS_MEMORY;
    for (uint32_t launch = 0; launch < launches && !status; launch++) {
        status = add_launch(group, launch, &made, sums, &stream);
        if (options->progress)
            options->progress(options->argument, (launch + 1.0) / launches);
    }
    for (size_t i = 0; i < group->count && !status; i++) {
        struct metrics *metrics = &group->metrics[group->places[i]];
        record_counts_put(&stream, metrics);
        put_runs(sums[i].runs, group->all, metrics);
        if (group->all)
            put_classes(sums[i].classes, metrics);
    }
    free(sums);
    free(made.items);
    return status;
}

static enum status evaluate_textbook(const struct group *group)
{
    struct textbook_result *results = calloc(group->count, sizeof *results);
    if (!results)
        return STATUS_MEMORY;
    enum status status = textbook_simulate_many(group->machines, group->count, group->source,
                                                group->loads, group->all, group->options, results,
                                                group->detail, group->diagnostics);
    for (size_t i = 0; i < group->count && !status; i++) {
        struct metrics *metrics = &group->metrics[group->places[i]];
        double classes[REUSE_CLASSES];
        for (unsigned k = 0; k < REUSE_CLASSES; k++)
            classes[k] = (double)results[i].classes[k];
        record_counts_put(&results[i].stream, metrics);
        put_runs(results[i].runs, group->all, metrics);
        if (group->all)
            put_classes(classes, metrics);
    }
    free(results);
    return status;
}

/* Reports the progress of a part as a stretch of the whole. */
struct stretch {
    const struct evaluate_options *outer;
    double begin, end;
};

static void report_stretch(void *argument, double share)
{
    const struct stretch *stretch = argument;
    stretch->outer->progress(stretch->outer->argument,
                             stretch->begin + share * (stretch->end - stretch->begin));
}

/* Reading the loads takes about as long as two runs; this is its share of the progress. */
static double reading_share(const struct group *group)
{
    return 2 / (2 + (double)group->count * (group->all ? REUSE_RUNS : 1));
}

/* Evaluates a group, whose progress is the given stretch of the whole. */
static enum status evaluate_group(struct group *group, struct stretch stretch)
{
    const struct machine *machine = group->machines[0];
    struct evaluate_options options = *stretch.outer;
    struct reuse_loads *own = NULL;
    enum status status = STATUS_OK;
    options.progress = options.progress ? report_stretch : NULL;
    options.argument = &stretch;
    group->options = &options;
    group->loads = options.loads;
    if (!reuse_loads_serve(options.loads, machine)) {
        const double end = stretch.end;
        stretch.end = stretch.begin + (end - stretch.begin) * reading_share(group);
        status = reuse_loads_create(machine, group->source, REUSE_LOADS_BYTES, &options, &own,
                                    group->diagnostics);
        group->loads = own;
        stretch.begin = stretch.end;
        stretch.end = end;
    }
    if (!status)
        status = machine->l1d.reuse.mode == REUSE_PUBLISHED ? evaluate_published(group)
                                                            : evaluate_textbook(group);
    reuse_loads_free(own);
    group->options = NULL; /* they pointed to locals */
    group->loads = NULL;
    return status;
}

/* Collects the machines from `first` on that read the same loads, and marks them done. */
static void take_group(const struct machine *const *machines, size_t count, size_t first,
                       bool *done, struct group *group)
{
    group->count = 0;
    for (size_t i = first; i < count; i++) {
        if (done[i] || (i > first && !reuse_loads_same(machines[i], machines[first])))
            continue;
        done[i] = true;
        group->machines[group->count] = machines[i];
        group->places[group->count++] = i;
    }
}

enum status reuse_evaluate(const struct machine *const *machines, size_t count,
                           const struct trace_source *source,
                           const struct evaluate_options *options, struct metrics *metrics,
                           struct diagnostics *diagnostics)
{
    struct reuse_detail detail = {options->histogram, options->pcs};
    const bool detailed = detail.histogram || detail.pcs;
    struct group group = {.machines = calloc(count + 1, sizeof *group.machines),
                          .places = calloc(count + 1, sizeof *group.places),
                          .source = source,
                          .all = options->needs & NEED_CLASSES(STAGE_L1D),
                          .metrics = metrics,
                          .diagnostics = diagnostics};
    bool *done = calloc(count + 1, sizeof *done);
    enum status status = group.machines && group.places && done ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        metrics_clear(&metrics[i]);
        if (!machines[i]->l1d.enabled)
            status = diagnostics_error(diagnostics, STATUS_INVALID,
                                       "depth reuse models the L1D, and l1d.enabled is off");
    }
    double ended = 0; /* machines done */
    for (size_t i = 0; i < count && !status; i++) {
        if (done[i])
            continue;
        take_group(machines, count, i, done, &group);
        group.detail = i || !detailed ? NULL : &detail;
        const double all = (double)count, end = ended + (double)group.count;
        status = evaluate_group(&group, (struct stretch){options, ended / all, end / all});
        ended = end;
    }
    for (size_t i = 0; i < count && !status; i++) {
        area_evaluate(machines[i], &metrics[i]);
        metrics_derive(&metrics[i]);
    }
    free(group.machines);
    free(group.places);
    free(done);
    return status;
}
