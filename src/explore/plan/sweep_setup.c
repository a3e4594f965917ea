#include "explore/plan/sweep_setup.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>

#include "explore/space/conditions.h"
#include "explore/space/fit.h"
#include "explore/space/shard.h"
#include "explore/store/store.h"
#include "model/depth_models.h"
#include "workload/workload.h"

/* Whether the depth can run a workload; an error names its line in the study. */
static enum status check_workload(const struct study *study, size_t workload,
                                  const struct trace_source *source,
                                  struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    const struct place place = {
        .file = study->path, .line = study->workload_lines ? study->workload_lines[workload] : 0};
    const enum status status = evaluate_check(source, study->depth, &found);
    diagnostics_locate(&found, &place);
    diagnostics_move(diagnostics, &found);
    return status;
}

static enum status open_workloads(const struct study *study, struct sweep_setup *setup,
                                  struct diagnostics *diagnostics)
{
    size_t count = study->workload_count;
    setup->sources = calloc(count, sizeof *setup->sources);
    setup->digests = calloc(count, sizeof *setup->digests);
    setup->identities = calloc(count, sizeof *setup->identities);
    setup->extents = calloc(count, sizeof *setup->extents);
    setup->sizes = calloc(count, sizeof *setup->sizes);
    if (!setup->sources || !setup->digests || !setup->identities || !setup->extents ||
        !setup->sizes)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    for (size_t w = 0; w < count; w++) {
        enum status opened = workload_open_listed(study, w, &setup->sources[w], diagnostics);
        if (opened) {
            setup->sources[w] = NULL;
            status = status ? status : opened;
            continue;
        }
        setup->digests[w] =
            evaluate_identity(setup->sources[w], study->depth, setup->identities[w]);
        opened = check_workload(study, w, setup->sources[w], diagnostics);
        status = status ? status : opened;
    }
    return status;
}

static enum status measure_workloads(const struct study *study, const atomic_bool *cancel,
                                     struct sweep_setup *setup)
{
    enum status status = STATUS_OK;
    for (size_t w = 0; w < study->workload_count && !status; w++) {
        status = extent_measure(setup->sources[w], study->machine.coalescer.arch, cancel,
                                &setup->extents[w]);
        setup->sizes[w] = setup->extents[w].total;
    }
    return status;
}

/* Running every point is the default only if it takes no longer than minutes or hours. */
static enum status check_size(const struct study *study, const struct census *census,
                              struct diagnostics *diagnostics)
{
    uint64_t points = census->legal * study->workload_count;
    if (points <= SUMMARY_POINTS)
        return STATUS_OK;
    return diagnostics_error(
        diagnostics, STATUS_INVALID,
        "the study has %" PRIu64 " points, more than %d: choose a search "
        "(search: exhaustive, random, latin_hypercube, nsga2, halving or walk)",
        points, SUMMARY_POINTS);
}

static enum status check_depth(const struct study *study, const struct sweep_setup *setup,
                               struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    char why[METRIC_UNANSWERED];
    for (size_t i = 0; i < setup->column_count; i++)
        if (!metric_answered(setup->columns[i], study->depth))
            status =
                diagnostics_error(diagnostics, STATUS_INVALID, "%s %s", setup->columns[i]->path,
                                  metric_unanswered(setup->columns[i], study->depth, why));
    return status;
}

/* The cache is the run's, so that the run reports what became of it. */
static void borrow_setup(struct sweep_setup *from, struct sweep_setup *setup)
{
    *setup = *from;
    setup->borrowed = true;
    from->cache = NULL;
}

enum status sweep_setup_open(const struct study *study, const struct sweep_options *options,
                             struct sweep_setup *setup, struct diagnostics *diagnostics)
{
    if (options->setup && options->setup->sources) {
        borrow_setup(options->setup, setup);
        return STATUS_OK;
    }
    *setup = (struct sweep_setup){0};
    setup->threads = options->threads > 0 ? options->threads : omp_get_num_procs();
    enum status status = space_open(study, &setup->space, diagnostics);
    if (status)
        return status;
    setup->space.cancel = options->cancel;
    if (options->planning)
        options->planning(study, &setup->space);
    status = study_result_columns(study, &setup->columns, &setup->column_count);
    if (!status && !setup->column_count)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "the study has neither objectives nor columns");
    if (!status) {
        status = check_depth(study, setup, diagnostics);
        enum status opened = open_workloads(study, setup, diagnostics);
        status = status ? status : opened;
        enum status checked = study_conditions_check(study, diagnostics);
        status = status ? status : checked;
    }
    bool everything = study->search.method == SEARCH_EXHAUSTIVE;
    if (!status && (everything || setup->space.machines <= CENSUS_MACHINES))
        status = space_census(&setup->space, &setup->census, diagnostics);
    if (!status && !study->search.chosen)
        status = check_size(study, &setup->census, diagnostics);
    if (!status)
        status = fit_check(&setup->space, &setup->census, setup->sources, diagnostics);
    if (!status)
        status = measure_workloads(study, options->cancel, setup);
    if (!status && (options->cache || depth_models[study->depth].covers))
        status = stage_cache_open(options->cache, STAGE_CACHE_BYTES, &setup->cache, diagnostics);
    if (status)
        sweep_setup_close(setup, NULL);
    return status;
}

enum status sweep_setup_plan(const struct sweep_setup *setup, const uint8_t *done,
                             struct plan **plan)
{
    const struct plan_memory memory = {setup->cache, setup->digests};
    return plan_create(&setup->space, setup->census.bitmap, done, setup->columns,
                       setup->column_count, setup->threads, setup->sizes, &memory, plan);
}

struct simulation sweep_setup_simulation(const struct sweep_setup *setup, const struct plan *plan,
                                         const struct task *task)
{
    return (struct simulation){.question = plan->parts[task->part].question,
                               .source = setup->sources[task->workload],
                               .extent = &setup->extents[task->workload],
                               .cache = setup->cache};
}

struct machine *task_machines(const struct plan *plan, const struct task *task)
{
    struct machine *machines = calloc(task->count + 1, sizeof *machines);
    for (size_t i = 0; machines && i < task->count; i++)
        plan_machine(&plan->parts[task->part], task->settings[i], &machines[i]);
    return machines;
}

void sweep_setup_close(struct sweep_setup *setup, struct diagnostics *diagnostics)
{
    stage_cache_close(setup->cache, diagnostics);
    if (setup->borrowed)
        *setup = (struct sweep_setup){0};
    size_t count = setup->space.study ? setup->space.study->workload_count : 0;
    for (size_t w = 0; setup->extents && w < count; w++)
        extent_free(&setup->extents[w]);
    for (size_t w = 0; setup->sources && w < count; w++)
        trace_source_free(setup->sources[w]);
    free(setup->extents);
    free(setup->sources);
    free(setup->digests);
    free(setup->identities);
    free(setup->sizes);
    free(setup->columns);
    census_free(&setup->census);
    *setup = (struct sweep_setup){0};
}

bool sweep_setup_summary(const struct sweep_setup *setup, const struct sweep_options *options)
{
    return options->summary ||
           setup->census.legal * setup->space.study->workload_count > SUMMARY_POINTS;
}

enum status sweep_setup_share(const struct sweep_setup *setup, const struct sweep_options *options,
                              uint8_t *done, uint64_t *points)
{
    *points = setup->census.legal * setup->space.study->workload_count;
    if (!options->shards)
        return STATUS_OK;
    return shard_exclude(&setup->space, &setup->census, options->shard, options->shards, done,
                         points);
}
