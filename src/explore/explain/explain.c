#include "explore/explain/explain.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far a metric comes before others: a time does before all counts, a count after many stages
 * before one after few. */
static int metric_rank(const struct metric *metric)
{
    const bool time = metric->unit == UNIT_SECONDS || metric->unit == UNIT_CYCLES;
    return time ? INT_MAX : __builtin_popcount(stage_chain(metric->stage, false));
}

const struct metric *explain_metric(const struct metrics *metrics)
{
    const struct metric *best = NULL;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (metric->traits & METRIC_EXPLAINED && metric_get(metric, metrics) > 0 &&
            (!best || metric_rank(metric) > metric_rank(best)))
            best = metric;
    }
    return best;
}

/* Runs the machine itself and chooses the metric. */
static enum status explain_base(struct trials *trials, const struct machine *machine,
                                const struct explain_options *options,
                                struct explanation *explanation, struct diagnostics *diagnostics)
{
    const struct trial trial = {.machine = *machine};
    struct trial_result result;
    const struct metric *metric = options->metric;
    const enum status status = trials_run(trials, &trial, 1, &result, diagnostics);
    if (status == STATUS_CANCELLED)
        return diagnostics_error(diagnostics, status,
                                 "stopped before the machine itself had run to its end");
    if (status)
        return status;
    if (result.state != TRIAL_RAN)
        return diagnostics_error(
            diagnostics, STATUS_INVALID,
            "the workload does not fit the machine: 'warpscape run --depth %s' says why",
            depth_name(options->depth));
    explanation->base = result.metrics;
    if (!metric)
        metric = explain_metric(&result.metrics);
    if (!metric)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "nothing takes time or misses here: say which --metric");
    if (isnan(metric_get(metric, &result.metrics)))
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s has no value here", metric->path);
    if (metric_get(metric, &result.metrics) == 0)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s is 0 here, so no change can be a share of it", metric->path);
    explanation->metric = metric;
    return STATUS_OK;
}

/* An explanation while it is made. */
struct making {
    const struct explain_options *options;
    struct question question;
    struct trials *trials;
    struct explanation *explanation;
};

static void making_progressed(void *argument, double share)
{
    const struct explain_options *options = ((const struct making *)argument)->options;
    if (options->progress)
        options->progress(options->argument, share);
}

static void making_speak(const struct making *making)
{
    struct explanation *explanation = making->explanation;
    explanation->count = trials_counted(making->trials);
    if (explanation->metric)
        sentences_make(&making->question, &explanation->noise, &explanation->ladder,
                       &explanation->levers, &explanation->sentences);
}

static void making_grown(void *argument)
{
    const struct making *making = argument;
    const struct explain_options *options = making->options;
    if (!options->grown || !making->explanation->metric)
        return;
    making_speak(making);
    options->grown(options->argument, making->explanation);
}

static enum status check_metric(const struct explain_options *options,
                                struct diagnostics *diagnostics)
{
    const struct metric *metric = options->metric;
    char why[METRIC_UNANSWERED];
    if (!metric)
        return STATUS_OK;
    if (!metric_answered(metric, options->depth))
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s %s", metric->path,
                                 metric_unanswered(metric, options->depth, why));
    if (metric->direction == NO_DIRECTION)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s is neither better where it is lower nor where it is higher",
                                 metric->path);
    return STATUS_OK;
}

/* About how many experiments an explanation takes beside the machine's own run. */
static size_t explain_cost(const struct explain_options *options, const struct question *question)
{
    return NOISE_STARTS + (options->parts & EXPLAIN_LADDER ? ladder_cost(question) : 0) +
           (options->parts & EXPLAIN_LEVERS ? levers_cost(question) : 0);
}

enum status explain(const struct machine *machine, const struct trace_source *source,
                    const struct explain_options *options, struct explanation *explanation,
                    struct diagnostics *diagnostics)
{
    struct making making = {.options = options, .explanation = explanation};
    const struct trials_options how = {.source = source,
                                       .depth = options->depth,
                                       .needs = options->metric ? metric_needs(options->metric) : 0,
                                       .cache = options->cache,
                                       .threads = options->threads,
                                       .time_limit = options->time_limit,
                                       .cancel = options->cancel,
                                       .progress = making_progressed,
                                       .grown = making_grown,
                                       .argument = &making};
    memset(explanation, 0, sizeof *explanation);
    explanation->ladder.bound = explanation->ladder.bound_cycles = NAN;
    explanation->parts = options->parts;
    enum status status = check_metric(options, diagnostics);
    if (status)
        return status;
    struct trials *trials = making.trials = trials_open(&how);
    if (!trials)
        return STATUS_MEMORY;
    status = explain_base(trials, machine, options, explanation, diagnostics);
    const struct question *question = &making.question;
    making.question =
        (struct question){machine, explanation->metric, options->depth, &explanation->base};
    if (!status) {
        trials_expect(trials, explain_cost(options, question));
        status = noise_measure(trials, question, &explanation->noise, diagnostics);
    }
    if (!status && options->parts & EXPLAIN_LADDER)
        status = ladder_climb(trials, question, explanation->noise.floor, &explanation->ladder,
                              diagnostics);
    if (!status && options->parts & EXPLAIN_LEVERS) {
        trials_expect(trials, levers_cost(question));
        status =
            levers_find(trials, question, &explanation->noise, &explanation->levers, diagnostics);
    }
    if (status != STATUS_MEMORY)
        making_speak(&making);
    explanation->complete = !status;
    trials_free(trials);
    return status;
}

static enum status copy_levers(struct lever **levers, size_t count)
{
    struct lever *own = count ? malloc(count * sizeof *own) : NULL;
    if (count && own)
        memcpy(own, *levers, count * sizeof *own);
    *levers = own;
    return count && !own ? STATUS_MEMORY : STATUS_OK;
}

enum status explanation_copy(const struct explanation *from, struct explanation *to)
{
    *to = *from;
    const enum status singles = copy_levers(&to->levers.singles, to->levers.single_count);
    const enum status pairs = copy_levers(&to->levers.pairs, to->levers.pair_count);
    if (!singles && !pairs) {
        levers_sort(&to->levers);
        return STATUS_OK;
    }
    explanation_free(to);
    return STATUS_MEMORY;
}

void explanation_free(struct explanation *explanation)
{
    levers_free(&explanation->levers);
    memset(explanation, 0, sizeof *explanation);
}
