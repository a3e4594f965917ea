#include "explore/papers/experiment_passes.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "explore/papers/paper_study.h"
#include "explore/search/search_evaluator.h"
#include "model/area/area.h"
#include "model/evaluate.h"
#include "schema/depths.h"
#include "workload/workload.h"

/* ---- groups ----
 *
 * Variants of one depth of which the same kinds of counts are asked are a space of their own. */

/* When to stop: at the caller's wish, or at the time limit. */
struct guard {
    const struct experiment_options *options;
    double begin;
    atomic_bool stop; /* what runs looks here */
    bool late;        /* the time limit was reached */
};

static void guard_check(struct guard *guard)
{
    const struct experiment_options *options = guard->options;
    const bool late =
        options->time_limit > 0 && clock_seconds() - guard->begin >= options->time_limit;
    if (late || (options->cancel && atomic_load(options->cancel)))
        if (!atomic_exchange(&guard->stop, true))
            guard->late = late;
}

struct group {
    struct guard *guard;
    struct experiment_runs *runs;
    const struct experiment_options *options;
    const struct experiment_demand *demand;
    struct study study; /* depth and workloads; owns only the list of these */
    struct space space;
    struct machine *machines;
    size_t *variants, count;
    const struct metric *columns[METRIC_COUNT];
    size_t column_count;
    unsigned needs;
    struct trace_source **sources;
    bool loads;          /* counts of loads are asked for */
    size_t *workload_of; /* by run: the index of its workload; NO_WORKLOAD: there is none */
    uint64_t *points;
    size_t point_count;
    bool *told; /* by point of the space */
    size_t done, total;
    struct stage_cache *cache;
};

#define NO_WORKLOAD SIZE_MAX

static bool needs_run(const struct metric *metric)
{
    return metric->stage != STAGE_AREA;
}

/* What is asked of a variant: whether it has to run, and what its counts need. */
static bool asks_runs(const struct experiment_runs *runs, const struct experiment_demand *demand,
                      size_t variant, unsigned *needs)
{
    bool any = demand->loads[variant];
    *needs = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (demand->metrics[variant * METRIC_COUNT + i] && needs_run(&metric_table[i])) {
            any = true;
            *needs |= metric_needs(&metric_table[i]);
        }
    return any && !runs->refused[variant];
}

static void group_free(struct group *group)
{
    for (size_t i = 0; group->sources && i < group->study.workload_count; i++)
        trace_source_free(group->sources[i]);
    free(group->sources);
    free(group->study.workloads);
    free(group->machines);
    free(group->variants);
    free(group->workload_of);
    free(group->points);
    free(group->told);
}

static struct experiment_run *run_of(const struct group *group, size_t program, size_t member)
{
    return experiment_run_at(group->runs, group->runs->programs[program], group->variants[member]);
}

/* The variants of the group that begins with `first`. */
static enum status group_begin(struct group *group, size_t first)
{
    const struct experiment *experiment = group->runs->experiment;
    const size_t count = experiment->variant_count, runs = group->runs->program_count * count;
    group->study.depth = experiment->variants[first].depth;
    group->variants = calloc(count + 1, sizeof *group->variants);
    group->machines = calloc(count + 1, sizeof *group->machines);
    group->workload_of = calloc(runs + 1, sizeof *group->workload_of);
    group->sources = calloc(runs + 1, sizeof(struct trace_source *));
    group->study.workloads = calloc(runs + 1, sizeof(char *));
    group->points = calloc(runs + 1, sizeof *group->points);
    if (!group->variants || !group->machines || !group->workload_of || !group->sources ||
        !group->study.workloads || !group->points)
        return STATUS_MEMORY;
    asks_runs(group->runs, group->demand, first, &group->needs);
    group->loads = group->demand->loads[first];
    for (size_t v = first; v < count; v++) {
        unsigned needs;
        if (experiment->variants[v].depth != group->study.depth ||
            group->demand->loads[v] != group->loads ||
            !asks_runs(group->runs, group->demand, v, &needs) || needs != group->needs)
            continue;
        group->machines[group->count] = group->runs->machines[v];
        group->variants[group->count++] = v;
    }
    return STATUS_OK;
}

static void choose_columns(struct group *group)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        for (size_t k = 0; k < group->count; k++)
            if (group->demand->metrics[group->variants[k] * METRIC_COUNT + i]) {
                group->columns[group->column_count++] = &metric_table[i];
                break;
            }
}

/* Opens the workload of a run, or finds that another run has the same. */
static enum status open_workload(struct group *group, size_t program, size_t member,
                                 struct diagnostics *diagnostics)
{
    const struct experiment_run *run = run_of(group, program, member);
    struct study *study = &group->study;
    size_t *found = &group->workload_of[program * group->count + member], w = 0;
    enum status status = STATUS_OK;
    *found = NO_WORKLOAD;
    if (!run->workload)
        return status;
    while (w < study->workload_count && strcmp(study->workloads[w], run->workload) != 0)
        w++;
    if (w == study->workload_count) {
        const struct experiment_runs *runs = group->runs;
        const size_t subject = runs->subjects[runs->programs[program]];
        const struct place place =
            node_place(runs->experiment->document, runs->experiment->subjects[subject].fields);
        struct diagnostics wrong = DIAGNOSTICS_INIT;
        status = workload_open(run->workload, &group->sources[w], &wrong);
        diagnostics_locate(&wrong, &place);
        diagnostics_move(diagnostics, &wrong);
        study->workloads[w] = run->workload;
        study->workload_count += !status;
    }
    *found = w;
    return status;
}

static enum status open_workloads(struct group *group, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t p = 0; p < group->runs->program_count; p++)
        for (size_t m = 0; m < group->count; m++) {
            const enum status opened = open_workload(group, p, m, diagnostics);
            status = status ? status : opened;
        }
    return status;
}

static void list_points(struct group *group)
{
    group->space = space_of_machines(&group->study, group->machines, group->count);
    group->told = calloc(group->space.points + 1, sizeof *group->told);
    for (size_t p = 0; group->told && p < group->runs->program_count; p++)
        for (size_t m = 0; m < group->count; m++) {
            const size_t workload = group->workload_of[p * group->count + m];
            const uint64_t point = workload * group->space.machines + m;
            if (workload == NO_WORKLOAD)
                continue;
            if (!group->told[point])
                group->points[group->point_count++] = point;
            group->told[point] = true;
        }
    if (group->told)
        memset(group->told, 0, group->space.points);
}

/* One more point is known. */
static void tell_progress(struct group *group, uint64_t point)
{
    group->done += !group->told[point];
    group->told[point] = true;
    if (group->options->progress)
        group->options->progress(group->options->argument,
                                 (double)group->done / (double)group->total);
}

static enum status take_point(void *argument, uint64_t point, const struct metrics *metrics,
                              struct diagnostics *diagnostics)
{
    struct group *group = argument;
    const size_t member = point % group->space.machines, workload = point / group->space.machines;
    (void)diagnostics;
    for (size_t p = 0; p < group->runs->program_count; p++)
        if (group->workload_of[p * group->count + member] == workload)
            run_of(group, p, member)->metrics = *metrics;
    tell_progress(group, point);
    return STATUS_OK;
}

/* What a model refused: the reason stands in the place of the numbers. */
static enum status refuse_point(struct group *group, uint64_t point, enum status status,
                                const struct diagnostics *found)
{
    const size_t member = point % group->space.machines, workload = point / group->space.machines;
    tell_progress(group, point);
    for (size_t p = 0; p < group->runs->program_count; p++) {
        struct experiment_run *run = run_of(group, p, member);
        if (group->workload_of[p * group->count + member] != workload)
            continue;
        metrics_clear(&run->metrics);
        free(run->why);
        run->why = strdup(diagnostics_first(found, status));
        if (!run->why)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

/* Runs some points. Where a model refuses one, each half is run on its own, until it stands alone.
 */
static enum status run_points(struct group *group, struct evaluator *evaluator,
                              const uint64_t *points, size_t count)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    uint64_t *left = calloc(count + 1, sizeof *left);
    size_t left_count = 0;
    if (!left)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (!group->told[points[i]])
            left[left_count++] = points[i];
    enum status status =
        left_count ? evaluator_run(evaluator, left, left_count, &found) : STATUS_OK;
    if (status && status != STATUS_MEMORY && status != STATUS_CANCELLED) {
        if (left_count == 1) {
            status = refuse_point(group, left[0], status, &found);
        } else {
            status = run_points(group, evaluator, left, left_count / 2);
            if (!status)
                status = run_points(group, evaluator, left + left_count / 2,
                                    left_count - left_count / 2);
        }
    }
    free(left);
    diagnostics_free(&found);
    return status;
}

static void check_time(void *argument, const struct runner_progress *progress)
{
    (void)progress;
    guard_check(((const struct group *)argument)->guard);
}

static int threads_of(const struct group *group)
{
    return group->options->threads > 0 ? group->options->threads : omp_get_num_procs();
}

static enum status run_batches(struct group *group)
{
    const struct evaluator_options how = {.space = &group->space,
                                          .columns = group->columns,
                                          .column_count = group->column_count,
                                          .sources = group->sources,
                                          .cache = group->cache,
                                          .threads = threads_of(group),
                                          .cancel = &group->guard->stop,
                                          .point = take_point,
                                          .tick = check_time,
                                          .argument = group};
    struct evaluator *evaluator;
    enum status status = evaluator_create(&how, &evaluator);
    if (!status)
        status = run_points(group, evaluator, group->points, group->point_count);
    evaluator_free(evaluator);
    return status;
}

/* ---- counts of loads ----
 *
 * They need a run of their own for each machine and workload. Equal machines run once. */

struct load_run {
    struct group *group;
    uint64_t point;
    struct stage_key key;
    size_t first; /* the first run with this machine and workload */
    struct metrics metrics;
    struct experiment_loads *loads;
    char *why;
};

static const struct machine *machine_of(const struct group *group, uint64_t point)
{
    return &group->machines[point % group->space.machines];
}

static const struct trace_source *source_of(const struct group *group, uint64_t point)
{
    return group->sources[point / group->space.machines];
}

static void check_load_time(void *argument, double share)
{
    (void)share;
    guard_check(argument);
}

static enum status run_load(void *argument, size_t i)
{
    struct load_run *run = &((struct load_run *)argument)[i];
    const struct group *group = run->group;
    const struct evaluate_options options = {.depth = group->study.depth,
                                             .needs = group->needs,
                                             .progress = check_load_time,
                                             .argument = group->guard,
                                             .cancel = &group->guard->stop};
    struct diagnostics found = DIAGNOSTICS_INIT;
    if (run->first != i)
        return STATUS_OK;
    run->loads = calloc(1, sizeof *run->loads);
    if (!run->loads)
        return STATUS_MEMORY;
    const enum status status =
        experiment_loads_run(machine_of(group, run->point), source_of(group, run->point), &options,
                             group->cache, &run->metrics, run->loads, &found);
    return paper_job_end(status, &found, &run->why);
}

/* Gives what a run found to all that have its machine and workload. */
static enum status take_load_run(struct group *group, const struct load_run *run,
                                 const struct load_run *first)
{
    const size_t member = run->point % group->space.machines;
    const size_t workload = run->point / group->space.machines;
    struct metrics metrics = first->metrics;
    if (first->why)
        metrics_clear(&metrics);
    area_evaluate(&group->machines[member], &metrics); /* equal keys say nothing of it */
    for (size_t p = 0; p < group->runs->program_count; p++) {
        struct experiment_run *own = run_of(group, p, member);
        if (group->workload_of[p * group->count + member] != workload)
            continue;
        own->metrics = metrics;
        own->loads = first->why ? NULL : first->loads;
        if (first->why && !(own->why = strdup(first->why)))
            return STATUS_MEMORY;
    }
    group->done += !group->told[run->point];
    group->told[run->point] = true;
    return STATUS_OK;
}

static void list_load_runs(struct group *group, struct load_run *runs)
{
    for (size_t i = 0; i < group->point_count; i++) {
        const uint64_t point = group->points[i];
        char identity[SOURCE_IDENTITY];
        evaluate_whole_identity(source_of(group, point), identity);
        runs[i] = (struct load_run){
            .group = group,
            .point = point,
            .key = stage_key(identity, machine_of(group, point), DEPTH_BIT(group->study.depth))};
        while (memcmp(&runs[runs[i].first].key, &runs[i].key, sizeof runs[i].key) != 0)
            runs[i].first++;
    }
}

struct load_progress {
    const struct group *group;
    size_t done; /* before these runs */
};

static void tell_load_progress(void *argument, double share)
{
    const struct load_progress *progress = argument;
    const struct group *group = progress->group;
    if (group->options->progress)
        group->options->progress(group->options->argument,
                                 ((double)progress->done + share * (double)group->point_count) /
                                     (double)group->total);
}

static enum status run_loads(struct group *group)
{
    struct experiment_runs *all = group->runs;
    struct load_run *runs = calloc(group->point_count + 1, sizeof *runs);
    struct load_progress progress = {group, group->done};
    const struct evaluate_options how = {
        .progress = tell_load_progress, .argument = &progress, .cancel = &group->guard->stop};
    if (!runs ||
        array_reserve(&all->loads, &all->load_capacity, all->load_count + group->point_count + 1)) {
        free(runs);
        return STATUS_MEMORY;
    }
    list_load_runs(group, runs);
    enum status status =
        paper_jobs_run(group->point_count, threads_of(group), &how, run_load, runs);
    for (size_t i = 0; i < group->point_count && !status; i++)
        status = take_load_run(group, &runs[i], &runs[runs[i].first]);
    for (size_t i = 0; i < group->point_count; i++) {
        if (runs[i].loads)
            all->loads[all->load_count++] = runs[i].loads;
        free(runs[i].why);
    }
    free(runs);
    return status;
}

/* ---- all groups ---- */

static enum status run_group(struct group *group, struct diagnostics *diagnostics)
{
    enum status status = open_workloads(group, diagnostics);
    if (status)
        return status;
    choose_columns(group);
    list_points(group);
    if (!group->told)
        return STATUS_MEMORY;
    return group->loads ? run_loads(group) : run_batches(group);
}

/* What breaks a rule has the reason in the place of its numbers. */
static enum status refuse_variants(struct experiment_runs *runs)
{
    for (size_t v = 0; v < runs->experiment->variant_count; v++)
        for (size_t p = 0; p < runs->program_count && runs->refused[v]; p++) {
            struct experiment_run *run = experiment_run_at(runs, runs->programs[p], v);
            if (!(run->why = strdup(runs->refused[v])))
                return STATUS_MEMORY;
        }
    return STATUS_OK;
}

static size_t count_runs(const struct experiment_runs *runs, size_t variant)
{
    size_t count = 0;
    for (size_t p = 0; p < runs->program_count; p++)
        count += experiment_run_at(runs, runs->programs[p], variant)->workload != NULL;
    return count;
}

enum status experiment_passes_make(struct experiment_runs *runs,
                                   const struct experiment_demand *demand,
                                   const struct experiment_options *options,
                                   struct diagnostics *diagnostics)
{
    const size_t count = runs->experiment->variant_count;
    bool *grouped = calloc(count + 1, sizeof *grouped);
    struct stage_cache *cache = NULL;
    struct guard guard = {.options = options, .begin = clock_seconds()};
    size_t done = 0, total = 0;
    unsigned needs;
    enum status status = grouped ? refuse_variants(runs) : STATUS_MEMORY;
    for (size_t v = 0; v < count; v++)
        total += asks_runs(runs, demand, v, &needs) ? count_runs(runs, v) : 0;
    if (!status && total && options->cache)
        status = stage_cache_open(options->cache, STAGE_CACHE_BYTES, &cache, diagnostics);
    for (size_t v = 0; v < count && !status; v++) {
        struct group group = {.guard = &guard,
                              .runs = runs,
                              .options = options,
                              .demand = demand,
                              .done = done,
                              .total = total,
                              .cache = cache};
        if (grouped[v] || !asks_runs(runs, demand, v, &needs))
            continue;
        guard_check(&guard);
        status = atomic_load(&guard.stop) ? STATUS_CANCELLED : group_begin(&group, v);
        for (size_t i = 0; i < group.count; i++)
            grouped[group.variants[i]] = true;
        if (!status)
            status = run_group(&group, diagnostics);
        done = group.done;
        group_free(&group);
    }
    stage_cache_close(cache, diagnostics);
    free(grouped);
    if (status == STATUS_CANCELLED && guard.late)
        return diagnostics_error(diagnostics, status,
                                 "stopped by the time limit with %zu of %zu runs made%s", done,
                                 total, options->cache ? "; the same command goes on" : "");
    return status;
}
