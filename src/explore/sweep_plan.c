/* What a sweep would do, and how long it would take (sweep_plan of explore/sweep.h). */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "explore/sweep_setup.h"
#include "model/evaluate.h"

/* Longest measurement of one task, and of all together. */
#define MEASURE_SECONDS       0.4
#define MEASURE_TOTAL_SECONDS 3.0
/* Composing and storing a point, and its part in the front. */
#define POINT_SECONDS 2e-6

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Adds the distinct levels among the settings of a part that a workload needs. */
static enum status count_stages(const struct part *part, size_t workload, uint64_t stages[5])
{
    uint8_t *streams = calloc(part->stream_count / 8 + 1, 1);
    uint8_t *firsts = calloc(part->first_count / 8 + 1, 1);
    bool caches = part->stages & STAGE_L1D;
    for (size_t s = 0; streams && firsts && s < part->setting_count; s++) {
        const struct setting *setting = &part->settings[s];
        if (!bit_test(part->needed[workload], s))
            continue;
        stages[0] += !bit_test(streams, setting->stream);
        bit_set(streams, setting->stream);
        if (part->stages & (STAGE_L1D | STAGE_TLB))
            stages[caches ? 1 : 3] += !bit_test(firsts, setting->first);
        bit_set(firsts, setting->first);
        if (part->stages & (STAGE_L2 | STAGE_PWC))
            stages[caches ? 2 : 4]++;
    }
    enum status status = streams && firsts ? STATUS_OK : STATUS_MEMORY;
    free(streams);
    free(firsts);
    return status;
}

/* Streams are shared by both parts: they count once. */
static enum status count_all_stages(const struct plan *plan, size_t workloads, uint64_t stages[5])
{
    for (size_t w = 0; w < workloads; w++) {
        uint64_t streams = 0;
        for (size_t p = 0; p < plan->part_count; p++) {
            uint64_t part[5] = {0};
            enum status status =
                plan->parts[p].stages ? count_stages(&plan->parts[p], w, part) : STATUS_OK;
            if (status)
                return status;
            streams = part[0] > streams ? part[0] : streams;
            for (size_t i = 1; i < 5; i++)
                stages[i] += part[i];
        }
        stages[0] += streams;
    }
    return STATUS_OK;
}

struct measurement {
    const atomic_bool *cancel;
    atomic_bool stop;
    double start, share, seconds;
};

static void measure_progress(void *argument, double share)
{
    struct measurement *measurement = argument;
    double seconds = now() - measurement->start;
    if (share > 0) {
        measurement->share = share;
        measurement->seconds = seconds;
    }
    bool asked = measurement->cancel && atomic_load(measurement->cancel);
    if (asked || (share > 0 && seconds > MEASURE_SECONDS))
        atomic_store(&measurement->stop, true);
}

/* Runs the head of a task and returns the seconds that a unit of its weight takes, or 0. */
static double measure_task(const struct sweep_setup *setup, const struct plan *plan,
                           const struct task *task, const atomic_bool *cancel)
{
    struct machine *machines = calloc(task->count, sizeof *machines);
    const struct machine **pointers = calloc(task->count, sizeof *pointers);
    struct metrics *metrics = calloc(task->count, sizeof *metrics);
    struct measurement measurement = {.cancel = cancel, .start = now()};
    double seconds = 0;
    if (machines && pointers && metrics) {
        const struct part *part = &plan->parts[task->part];
        for (size_t i = 0; i < task->count; i++) {
            plan_machine(plan, part, task->settings[i], &machines[i]);
            pointers[i] = &machines[i];
        }
        const struct evaluate_options options = {.needs = part->needs,
                                                 .progress = measure_progress,
                                                 .argument = &measurement,
                                                 .cancel = &measurement.stop};
        measurement.start = now();
        enum status status = evaluate_many(pointers, task->count, setup->sources[task->workload],
                                           &options, metrics, NULL);
        if (!status)
            seconds = now() - measurement.start;
        else if (measurement.share > 0)
            seconds = measurement.seconds / measurement.share;
    }
    free(machines);
    free(pointers);
    free(metrics);
    return task->weight > 0 ? seconds / task->weight : 0;
}

/* Measures the first task of each part and workload while there is time; a workload without its own
 * measurement takes the mean. */
static double predict(const struct sweep_setup *setup, const struct plan *plan,
                      const atomic_bool *cancel)
{
    double end = now() + MEASURE_TOTAL_SECONDS, seconds = 0, unit = 0, units = 0;
    double measured_sum = 0, measured_count = 0;
    const struct task *last = NULL;
    for (size_t t = 0; t < plan->task_count; t++) {
        const struct task *task = &plan->tasks[t];
        if (!plan->parts[task->part].stages)
            continue;
        if (!last || last->part != task->part || last->workload != task->workload) {
            unit = now() < end ? measure_task(setup, plan, task, cancel) : 0;
            measured_sum += unit;
            measured_count += unit > 0;
        }
        last = task;
        if (unit > 0)
            seconds += unit * task->weight;
        else
            units += task->weight;
    }
    if (measured_count > 0)
        seconds += units * measured_sum / measured_count;
    return seconds / setup->threads + (double)plan->missing * POINT_SECONDS;
}

/* The points that the store has, where there is one that this study may resume. */
static enum status read_done(const struct sweep_setup *setup, const char *path, uint8_t *done,
                             struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *kept;
    if (!path || access(path, F_OK))
        return STATUS_OK;
    enum status status = store_open(path, &store, &kept, diagnostics);
    if (status)
        return status;
    status = store_matches(store, &setup->space, setup->digests, diagnostics);
    if (!status)
        status = store_done(store, done, NULL, diagnostics);
    store_close(store);
    return status;
}

enum status sweep_plan(const struct study *study, const struct sweep_options *options,
                       struct sweep_plan *result, struct diagnostics *diagnostics)
{
    struct sweep_setup setup;
    struct plan *plan = NULL;
    *result = (struct sweep_plan){0};
    enum status status = sweep_setup_open(study, options, &setup, diagnostics);
    if (status)
        return status;
    uint8_t *done = calloc(setup.space.points / 8 + 1, 1);
    status = done ? read_done(&setup, options->store, done, diagnostics) : STATUS_MEMORY;
    if (!status)
        status = sweep_setup_share(&setup, options, done, &result->points);
    if (!status)
        status = plan_create(&setup.space, setup.census.bitmap, done, setup.columns,
                             setup.column_count, setup.threads, setup.sizes, &plan);
    if (!status)
        status = count_all_stages(plan, study->workload_count, result->stages);
    if (!status) {
        result->missing = plan->missing;
        result->passes = plan->task_count;
        result->seconds = predict(&setup, plan, options->cancel);
        result->census = setup.census;
        setup.census = (struct census){0};
        if (options->cancel && atomic_load(options->cancel))
            status = STATUS_CANCELLED;
    }
    if (status)
        sweep_plan_free(result);
    plan_free(plan);
    free(done);
    sweep_setup_close(&setup);
    return status;
}

void sweep_plan_free(struct sweep_plan *plan)
{
    census_free(&plan->census);
}
