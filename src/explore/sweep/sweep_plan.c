/* Predicts what a run would do and how long it would take (sweep_plan of explore/sweep/sweep.h),
 * without running it. Counts follow from the planner; seconds from short measurements of the
 * heaviest task of each workload and part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/search/search.h"
#include "explore/space/sampling.h"
#include "explore/sweep/sweep_cost.h"

/* The levels of a part as indices of their bits; NO_LEVEL if it has no such level. A part with both
 * caches and translation counts as caches. */
#define NO_LEVEL SIZE_MAX

static size_t lowest_level(unsigned readers)
{
    return readers ? stage_index(stage_lowest(readers)) : NO_LEVEL;
}

static bool is_factored(const struct part *part)
{
    return depth_can(part->question.depth, DEPTH_FACTORED);
}

static size_t first_level(const struct part *part)
{
    return is_factored(part) ? lowest_level(part->question.stages & stages_first()) : NO_LEVEL;
}

/* The level after the first one; or, if the depth is not factored, all that it computes. */
static size_t second_level(const struct part *part)
{
    return lowest_level(part->question.stages &
                        (is_factored(part) ? stages_after_first() : ~(unsigned)STAGE_EVERY));
}

/* Counts the distinct levels among the settings that a workload needs; unless `all`, only among
 * those that the stage cache does not have. */
static enum status count_levels(const struct part *part, size_t workload, bool all,
                                uint64_t counts[READER_COUNT])
{
    uint8_t *streams = calloc(settings_distinct(&part->settings, NUMBER_STREAM) / 8 + 1, 1);
    uint8_t *firsts = calloc(settings_distinct(&part->settings, NUMBER_FIRST) / 8 + 1, 1);
    size_t first = first_level(part), second = second_level(part);
    for (size_t s = 0; streams && firsts && s < part->settings.count; s++) {
        const struct setting *setting = &part->settings.items[s];
        if (!bit_test(part->needed[workload], s) ||
            (!all && bit_test(part->remembered[workload], s)))
            continue;
        counts[0] += !bit_test(streams, setting->stream);
        bit_set(streams, setting->stream);
        if (second != NO_LEVEL)
            counts[second]++;
        /* Without a second level each setting is a first level, even if several share a pass. */
        if (first != NO_LEVEL)
            counts[first] += second == NO_LEVEL || !bit_test(firsts, setting->first);
        bit_set(firsts, setting->first);
    }
    enum status status = streams && firsts ? STATUS_OK : STATUS_MEMORY;
    free(streams);
    free(firsts);
    return status;
}

/* Sums up the settings of all parts. The parts share their streams, so those count once. */
static enum status count_settings(const struct plan *plan, size_t workload,
                                  struct workload_plan *result)
{
    uint64_t totals[2][READER_COUNT] = {0}; /* still to simulate, all */
    for (size_t p = 0; p < plan->part_count; p++)
        for (int all = 0; all < 2; all++) {
            uint64_t counts[READER_COUNT] = {0};
            if (!plan->parts[p].question.stages)
                continue;
            enum status status = count_levels(&plan->parts[p], workload, all, counts);
            if (status)
                return status;
            totals[all][0] = counts[0] > totals[all][0] ? counts[0] : totals[all][0];
            for (size_t s = 1; s < READER_COUNT; s++)
                totals[all][s] += counts[s];
        }
    for (size_t s = 0; s < READER_COUNT; s++) {
        result->stages[s].settings = totals[1][s];
        result->stages[s].remembered = totals[1][s] - totals[0][s];
    }
    return STATUS_OK;
}

/* Adds what one task simulates. */
static void add_task(const struct part *part, const struct task *task,
                     const struct stage_costs *costs, struct workload_plan *result)
{
    const struct {
        size_t stage;
        uint64_t simulations;
        double seconds;
    } rows[] = {{STAGE_INDEX_STREAM,
                 depth_can(part->question.depth, DEPTH_GROUPED) ? 1 : task->firsts, costs->stream},
                {first_level(part), task->firsts, costs->first},
                {second_level(part), task->count, costs->second}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].stage == NO_LEVEL)
            continue;
        struct stage_plan *stage = &result->stages[rows[i].stage];
        double seconds = (double)rows[i].simulations * rows[i].seconds;
        stage->simulations += rows[i].simulations;
        stage->seconds += seconds;
        result->seconds += seconds;
    }
    result->passes++;
}

static bool is_simulated(const struct plan *plan, const struct task *task)
{
    return !task->remembered && plan->parts[task->part].question.stages;
}

enum { WORKLOAD_KINDS = PARTS_MAX * 2 };

/* Measures the heaviest task of each workload and part, separately for tasks of shared levels and
 * for others, workloads side by side. */
static enum status measure_tasks(const struct sweep_setup *setup, const struct plan *plan,
                                 const atomic_bool *cancel, struct workload_plan *workloads)
{
    const size_t kinds = setup->space.study->workload_count * WORKLOAD_KINDS;
    struct cost_meter *meter = cost_meter_create(setup, plan, cancel);
    const struct task **heaviest = calloc(kinds, sizeof *heaviest);
    enum status status = meter && heaviest ? STATUS_OK : STATUS_MEMORY;
    for (size_t t = 0; t < plan->task_count && !status; t++) {
        const struct task *task = &plan->tasks[t];
        size_t at = (task->workload * PARTS_MAX + task->part) * 2 + task->shared;
        if (is_simulated(plan, task) && (!heaviest[at] || task->weight > heaviest[at]->weight))
            heaviest[at] = task;
    }
    const int64_t count = status ? 0 : (int64_t)setup->space.study->workload_count;
#pragma omp parallel for schedule(dynamic) num_threads(setup->threads)
    for (int64_t w = 0; w < count; w++)
        for (size_t k = 0; k < WORKLOAD_KINDS; k++) {
            const struct task *task = heaviest[(size_t)w * WORKLOAD_KINDS + k];
            if (task)
                workloads[w].costs[task->part][task->shared] = cost_meter_measure(meter, task);
        }
    free(heaviest);
    cost_meter_free(meter);
    return status;
}

static enum status add_tasks(const struct sweep_setup *setup, const struct plan *plan,
                             const atomic_bool *cancel, struct workload_plan *workloads)
{
    enum status status = measure_tasks(setup, plan, cancel, workloads);
    for (size_t t = 0; t < plan->task_count && !status; t++) {
        const struct task *task = &plan->tasks[t];
        struct workload_plan *workload = &workloads[task->workload];
        if (is_simulated(plan, task))
            add_task(&plan->parts[task->part], task, &workload->costs[task->part][task->shared],
                     workload);
    }
    return status;
}

static uint64_t count_missing(const struct plan *plan, size_t workload)
{
    uint64_t missing = 0;
    for (uint64_t m = 0; m < plan->space->machines; m++)
        missing += bit_test(plan->legal, m) &&
                   !(plan->done && bit_test(plan->done, workload * plan->space->machines + m));
    return missing;
}

/* A lower bound on a run's time: threads may share a pass, but one of them issues its stream. */
static double longest_stream(const struct workload_plan *workload)
{
    double longest = 0;
    for (size_t p = 0; p < PARTS_MAX; p++)
        for (size_t shared = 0; shared < 2; shared++)
            longest = fmax(longest, workload->costs[p][shared].stream);
    return longest;
}

static enum status sweep_plan_explain(const struct sweep_setup *setup, const struct plan *plan,
                                      const atomic_bool *cancel, struct sweep_plan *result)
{
    result->workload_count = setup->space.study->workload_count;
    result->workloads = calloc(result->workload_count + 1, sizeof *result->workloads);
    if (!result->workloads)
        return STATUS_MEMORY;
    enum status status = add_tasks(setup, plan, cancel, result->workloads);
    double seconds = 0, longest = 0;
    for (size_t w = 0; w < result->workload_count && !status; w++) {
        struct workload_plan *workload = &result->workloads[w];
        workload->missing = count_missing(plan, w);
        status = count_settings(plan, w, workload);
        for (size_t s = 0; s < READER_COUNT; s++)
            result->stages[s] += workload->stages[s].settings - workload->stages[s].remembered;
        result->passes += workload->passes;
        seconds += workload->seconds;
        longest = fmax(longest, longest_stream(workload));
    }
    result->threads = setup->threads;
    result->missing = plan->missing;
    result->seconds =
        fmax(seconds / setup->threads, longest) + (double)plan->missing * POINT_SECONDS;
    return status;
}

/* Reads which points the store has, if there is a store that this study could resume. */
static enum status read_done(const struct sweep_setup *setup, const struct sweep_options *options,
                             uint8_t *done, struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *kept;
    const struct search *search = &setup->space.study->search;
    const bool summary = search->method == SEARCH_EXHAUSTIVE && sweep_setup_summary(setup, options);
    struct diagnostics opened = DIAGNOSTICS_INIT;
    enum status status =
        options->store ? store_open(options->store, &store, &kept, &opened) : STATUS_NOT_FOUND;
    if (status == STATUS_NOT_FOUND) {
        diagnostics_free(&opened);
        return STATUS_OK;
    }
    if (diagnostics)
        diagnostics_move(diagnostics, &opened);
    else
        diagnostics_free(&opened);
    if (status)
        return status;
    status = store_matches(store, &setup->space, setup->digests, diagnostics);
    if (!status && !search->prune) /* only the run knows whether bounds apply */
        status = store_check_content(store, summary, diagnostics);
    if (!status)
        status = store_done(store, done, NULL, diagnostics);
    store_close(store);
    return status;
}

/* An exhaustive run, or halving, which may simulate every point: makes the plan of a full run,
 * then measures and sums up its tasks. */
static enum status plan_everything(const struct sweep_options *options, struct sweep_plan *result,
                                   struct diagnostics *diagnostics)
{
    const struct sweep_setup *setup = &result->setup;
    result->done = calloc(setup->space.points / 8 + 1, 1);
    enum status status =
        result->done ? read_done(setup, options, result->done, diagnostics) : STATUS_MEMORY;
    if (!status)
        status = sweep_setup_share(setup, options, result->done, &result->points);
    if (!status)
        status = sweep_setup_plan(setup, result->done, &result->passes_planned);
    if (!status)
        status = sweep_plan_explain(setup, result->passes_planned, options->cancel, result);
    if (!status)
        status = sweep_proofs(setup, &result->proofs);
    return status;
}

/* Limit for measuring points that share nothing, on all workloads together. */
#define ALONE_SECONDS 1.0

/* What points cost if each is evaluated alone. */
struct alone {
    struct plan plan;          /* only its parts */
    bool found;                /* a legal machine was found to measure; else all seconds are 0 */
    double seconds[PARTS_MAX]; /* per setting on one thread, averaged over the workloads */
};

static double measure_part(const struct sweep_setup *setup, const struct part *part,
                           const struct machine *machine, double most, const atomic_bool *cancel)
{
    const size_t workloads = setup->space.study->workload_count;
    struct machine reduced;
    double seconds = 0;
    stage_machine(machine, part->question.stages, &reduced);
    for (size_t w = 0; w < workloads; w++) {
        const struct simulation simulation = {
            .question = part->question, .source = setup->sources[w], .extent = &setup->extents[w]};
        seconds += cost_of_pass(&simulation, &reduced, 1, most, cancel);
    }
    return seconds / (double)workloads;
}

/* Measures each part of one random legal machine. */
static enum status measure_alone(const struct sweep_setup *setup, const atomic_bool *cancel,
                                 struct alone *alone, struct diagnostics *diagnostics)
{
    struct legality *legality;
    uint64_t point, found;
    *alone = (struct alone){0};
    enum status status =
        legality_create(&setup->space, setup->census.bitmap, &legality, diagnostics);
    if (status)
        return status;
    status = sample_random(&setup->space, legality, setup->space.study->seed, 1, &point, &found,
                           diagnostics);
    legality_free(legality);
    if (status || !found)
        return status;
    struct machine machine;
    alone->found = true;
    space_machine(&setup->space, point % setup->space.machines, &machine);
    plan_choose_parts(&alone->plan, &setup->space, setup->columns, setup->column_count);
    const double kinds =
        (double)alone->plan.part_count * (double)setup->space.study->workload_count;
    for (size_t p = 0; p < alone->plan.part_count; p++)
        if (alone->plan.parts[p].question.stages)
            alone->seconds[p] = measure_part(setup, &alone->plan.parts[p], &machine,
                                             fmin(ALONE_SECONDS / kinds, PROBE_SECONDS), cancel);
    return STATUS_OK;
}

/* An upper limit on the settings of a part: no setting is simulated twice. */
static uint64_t settings_at_most(const struct study *study, const struct part *part)
{
    uint64_t settings = study->workload_count;
    for (size_t a = 0; a < study->axis_count; a++)
        if (study->axes[a].parameter->stages & part->question.stages)
            settings *= study->axes[a].count;
    return settings;
}

/* Of a plan for all points: halving has them on windows, and some in full. Points of a timed depth
 * share nothing, those of others perhaps all that they need. */
static void plan_halving(struct sweep_plan *result)
{
    const struct study *study = result->setup.space.study;
    const double missing = (double)result->missing,
                 full = fmin((double)study->search.points, missing);
    double seconds = 0, windows = 0;
    for (size_t w = 0; w < result->workload_count; w++) {
        const double share = search_windows_share(study, result->setup.sources[w]);
        seconds += result->workloads[w].seconds;
        windows += share > 0 ? share * result->workloads[w].seconds : 0;
    }
    if (!(windows > 0)) { /* too short, or all is there */
        result->seconds *= missing > 0 ? full / missing : 1;
        return;
    }
    for (size_t w = 0; w < result->workload_count; w++)
        if (!(search_windows_share(study, result->setup.sources[w]) > 0))
            windows += result->workloads[w].seconds;
    result->windows = windows / seconds;
    result->seconds *= result->windows * (double)result->points / missing +
                       (depth_can(study->depth, DEPTH_FACTORED) ? 1 : full / missing);
}

/* Predicts a search that does not look at every point. */
static enum status plan_search(const struct sweep_options *options, struct sweep_plan *result,
                               struct diagnostics *diagnostics)
{
    const struct sweep_setup *setup = &result->setup;
    struct alone alone;
    enum status status = measure_alone(setup, options->cancel, &alone, diagnostics);
    result->threads = setup->threads;
    result->missing = result->points;
    if (status || !alone.found)
        return status;
    for (size_t p = 0; p < alone.plan.part_count; p++) {
        uint64_t most = settings_at_most(setup->space.study, &alone.plan.parts[p]);
        double settings = (double)(most < result->points ? most : result->points);
        result->seconds += alone.seconds[p] * settings / setup->threads;
    }
    result->seconds += (double)result->points * POINT_SECONDS;
    return STATUS_OK;
}

static enum status plan_verification(const struct sweep_options *options, struct sweep_plan *result,
                                     struct diagnostics *diagnostics)
{
    const struct sweep_setup *setup = &result->setup;
    struct alone alone;
    double rounds =
        ceil((double)sweep_verify_rows(options->verify, result->points) / setup->threads);
    enum status status = measure_alone(setup, options->cancel, &alone, diagnostics);
    for (size_t p = 0; p < PARTS_MAX && !status; p++)
        result->verify_seconds += alone.seconds[p] * rounds;
    return status;
}

/* Whoever gets no plan gets all that was found. */
static enum status plan_failed(struct sweep_plan *plan, enum status status,
                               struct diagnostics *diagnostics)
{
    if (diagnostics)
        diagnostics_move(diagnostics, &plan->opened);
    sweep_plan_free(plan);
    return status;
}

enum status sweep_plan(const struct study *study, const struct sweep_options *options,
                       struct sweep_plan *result, struct diagnostics *diagnostics)
{
    struct sweep_setup *setup = &result->setup;
    *result = (struct sweep_plan){0};
    enum status status = search_check(study, options, diagnostics);
    if (!status)
        status = sweep_setup_open(study, options, setup, &result->opened);
    if (status)
        return plan_failed(result, status, diagnostics);
    int method = study->search.method;
    bool everything = method == SEARCH_EXHAUSTIVE || method == SEARCH_HALVING;
    uint64_t legal =
        setup->census.bitmap ? setup->census.legal * study->workload_count : UINT64_MAX;
    result->machines = setup->space.machines;
    result->points = search_points(study, legal);
    if (everything && !setup->census.bitmap)
        status =
            space_census(&setup->space, &setup->census, diagnostics); /* says that it is large */
    if (!status)
        status = (everything ? plan_everything : plan_search)(options, result, diagnostics);
    if (!status && method == SEARCH_HALVING)
        plan_halving(result);
    if (!status && options->verify > 0)
        status = plan_verification(options, result, diagnostics);
    if (!status && options->cancel && atomic_load(options->cancel))
        status = STATUS_CANCELLED;
    return status ? plan_failed(result, status, diagnostics) : STATUS_OK;
}

void sweep_plan_free(struct sweep_plan *plan)
{
    plan_free(plan->passes_planned);
    sweep_setup_close(&plan->setup, NULL);
    diagnostics_free(&plan->opened);
    free(plan->done);
    free(plan->workloads);
    free(plan->proofs);
    *plan = (struct sweep_plan){0};
}
