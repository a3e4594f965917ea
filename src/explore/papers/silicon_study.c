#include "explore/papers/silicon_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/row_words.h"
#include "model/gpu/extent.h"
#include "model/gpu/stream_stats.h"
#include "workload/workload.h"

/* Requests and records that a row may have at each depth with an effort of 1: about half a minute
 * on one core. */
static const double work_max[DEPTH_COUNT] = {
    [DEPTH_FUNCTIONAL] = 2e7, [DEPTH_REUSE] = 5e6, [DEPTH_TIMING] = 4e6};

struct job {
    struct silicon_study *study;
    unsigned depths;
    double effort;
    const struct evaluate_options *options;
};

/* Whether the row contains every word of `only`. */
static bool is_chosen(const struct silicon_row *row, const char *only)
{
    const char *const places[] = {row->id, row->gpu, row->kernel, row->workload, row->machine};
    return row_has_words(only, places, sizeof places / sizeof *places);
}

enum status silicon_study_init(struct silicon_study *study, const char *only,
                               struct diagnostics *diagnostics)
{
    size_t all = 0;
    while (silicon_rows[all].id)
        all++;
    *study = (struct silicon_study){.results = calloc(all, sizeof *study->results)};
    if (!study->results)
        return STATUS_MEMORY;
    for (size_t i = 0; i < all; i++) {
        if (!is_chosen(&silicon_rows[i], only))
            continue;
        struct silicon_result *result = &study->results[study->count++];
        result->row = &silicon_rows[i];
        for (int depth = 0; depth < DEPTH_COUNT; depth++)
            for (int counter = 0; counter < SILICON_COUNTERS; counter++)
                result->ours[depth][counter] = NAN;
    }
    if (study->count)
        return STATUS_OK;
    silicon_study_free(study);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no row has all the words of '%s'",
                             only);
}

void silicon_study_free(struct silicon_study *study)
{
    for (size_t i = 0; i < study->count; i++)
        free(study->results[i].why);
    free(study->results);
    *study = (struct silicon_study){0};
}

static void take_metrics(const struct machine *machine, const struct metrics *metrics,
                         enum depth depth, double ours[SILICON_COUNTERS])
{
    if (depth == DEPTH_REUSE) { /* whole lines, and loads only */
        ours[SILICON_L1_HITS] = 100 * (1 - metrics->l1d_miss_rate);
        return;
    }
    ours[SILICON_LOAD_SECTORS] = metrics->l1d_reads + metrics->stream_past_l1;
    ours[SILICON_STORE_SECTORS] = metrics->l1d_writes;
    ours[SILICON_L1_HITS] = 100 * metrics->l1d_hw_hit_rate;
    ours[SILICON_L2_HITS] = 100 * metrics->l2_hw_hit_rate;
    ours[SILICON_CYCLES] = metrics->core_cycles;
    ours[SILICON_TIME] = ours[SILICON_CYCLES] / (double)machine->gpu.clock * 1e6;
}

/* The first `count` launches, `times` over. */
static enum status open_launches(const struct trace_source *source, uint32_t count, uint32_t times,
                                 struct trace_source **part)
{
    struct trace_slice *slices = calloc((size_t)times * count, sizeof *slices);
    if (!slices)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < times * count; i++)
        slices[i] = (struct trace_slice){
            .launch = i % count, .first = 0, .count = launch_blocks(&source->launches[i % count])};
    const enum status status = trace_source_slice(source, slices, times * count, part);
    free(slices);
    return status;
}

struct halfway {
    uint32_t launches;
    struct metrics metrics; /* after that many */
};

static void remember(void *context, uint32_t launch, const struct metrics *so_far)
{
    struct halfway *halfway = context;
    if (launch + 1 == halfway->launches)
        halfway->metrics = *so_far;
}

/* Time over an L2 that an earlier launch of the same filled: that of the second of two. What the
 * SMs count is the same in both, because launches begin with an empty L1. */
static enum status time_warm(const struct machine *machine, const struct trace_source *source,
                             const struct evaluate_options *options, struct metrics *metrics,
                             struct diagnostics *diagnostics)
{
    struct trace_source *twice;
    struct halfway halfway = {.launches = source->launch_count};
    struct evaluate_options how = *options;
    how.launched = remember;
    how.launched_context = &halfway;
    enum status status = open_launches(source, source->launch_count, 2, &twice);
    if (status)
        return status;
    status = evaluate(machine, twice, &how, metrics, diagnostics);
    const double cycles = metrics->core_cycles - halfway.metrics.core_cycles;
    if (!status) {
        *metrics = halfway.metrics;
        metrics->core_cycles = cycles;
    }
    trace_source_free(twice);
    return status;
}

/* A depth that has no answer for this machine leaves its numbers blank. */
static enum status run_depth(const struct job *job, const struct machine *machine,
                             const struct trace_source *source, enum depth depth,
                             struct silicon_result *result)
{
    const struct evaluate_options how = {.depth = depth,
                                         .cancel = job->options ? job->options->cancel : NULL};
    struct metrics metrics;
    struct diagnostics found = DIAGNOSTICS_INIT;
    enum status status = depth == DEPTH_TIMING && result->row->warm
                             ? time_warm(machine, source, &how, &metrics, &found)
                             : evaluate(machine, source, &how, &metrics, &found);
    char *why = NULL;
    if (!status)
        take_metrics(machine, &metrics, depth, result->ours[depth]);
    status = paper_job_end(status, &found, &why);
    if (result->why)
        free(why);
    else
        result->why = why;
    return status;
}

static enum status run_source(const struct job *job, const struct machine *machine,
                              const struct trace_source *source, struct silicon_result *result)
{
    struct extent extent;
    enum status status = extent_measure(source, machine->coalescer.arch,
                                        job->options ? job->options->cancel : NULL, &extent);
    if (status)
        return status;
    const double work = extent.total;
    extent_free(&extent);
    if (job->depths >> DEPTH_FUNCTIONAL & 1 && work <= work_max[DEPTH_FUNCTIONAL] * job->effort) {
        struct stream_stats stats;
        status = stream_stats(source, &stats, NULL, NULL);
        result->ours[DEPTH_FUNCTIONAL][SILICON_LOADS] = (double)stats.loads;
        result->ours[DEPTH_FUNCTIONAL][SILICON_STORES] = (double)stats.stores;
    }
    for (int depth = 0; depth < DEPTH_COUNT && !status; depth++) {
        if (!(job->depths >> depth & 1))
            continue;
        result->left_out[depth] = work > work_max[depth] * job->effort;
        if (!result->left_out[depth])
            status = run_depth(job, machine, source, (enum depth)depth, result);
    }
    return status;
}

/* Launches that were not counted on the GPU are left out here too. */
static enum status run_counted(const struct job *job, const struct machine *machine,
                               const struct trace_source *source, struct silicon_result *result)
{
    const uint32_t counted = result->row->launches;
    if (!counted || counted >= source->launch_count)
        return run_source(job, machine, source, result);
    struct trace_source *part;
    enum status status = open_launches(source, counted, 1, &part);
    if (status)
        return status;
    status = run_source(job, machine, part, result);
    trace_source_free(part);
    return status;
}

static enum status run_one(void *argument, size_t i)
{
    const struct job *job = argument;
    struct silicon_result *result = &job->study->results[i];
    const struct silicon_row *row = result->row;
    struct machine machine;
    struct trace_source *source;
    enum status status = paper_machine(row->machine, row->sets, &machine, NULL);
    if (!status)
        status = paper_machine_check(row->machine, row->sets, &machine, NULL);
    if (status)
        return status;
    machine.tlb.enabled = false; /* how these GPUs translate is not known well enough */
    status = workload_open(row->workload, &source, NULL);
    if (status)
        return status;
    status = run_counted(job, &machine, source, result);
    trace_source_free(source);
    return status;
}

enum status silicon_study_run(struct silicon_study *study, unsigned depths, double effort,
                              int threads, const struct evaluate_options *options)
{
    struct job job = {study, depths, effort, options};
    return paper_jobs_run(study->count, threads, options, run_one, &job);
}
