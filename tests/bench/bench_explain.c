/* The first lever of an explanation beside the truth: every lever at every value of its curve, one
 * at a time. Each line is a machine, a program and a metric; "best" and "noise" are as they should
 * be, "WRONG" names what explain does not try. Arguments "MACHINE WORKLOAD METRIC DEPTH" ask for
 * one line instead of all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "config/machine_file.h"
#include "explore/explain/explain.h"
#include "explore/sweep/curve.h"
#include "workload/workload.h"

enum { VALUES_MOST = 48, NUMBERS_REACH = 64 };

struct best {
    struct lever_change change;
    double gain;
    size_t tried;
};

static void try_value(struct trials *trials, const struct question *question,
                      const struct parameter *parameter, struct value value, struct best *best)
{
    const struct parameter *follower = curve_follower(question->machine, parameter);
    struct trial trial = {.machine = *question->machine};
    struct trial_result result;
    curve_set(&trial.machine, parameter, follower, value);
    if (trials_run(trials, &trial, 1, &result, NULL) || result.state != TRIAL_RAN)
        return;
    const double gain = question_gain(question, metric_get(question->metric, &result.metrics));
    struct lever_change change = {.settings = {{parameter, value}}, .count = 1};
    if (follower)
        change.settings[change.count++] =
            (struct lever_setting){follower, parameter_get(follower, &trial.machine)};
    best->tried++;
    if (!(gain > best->gain) ||
        !lever_counts_alike(&change, question->metric, question->base, &result.metrics))
        return;
    best->gain = gain;
    best->change = change;
}

static void try_parameter(struct trials *trials, const struct question *question,
                          const struct parameter *parameter, struct best *best)
{
    struct value values[VALUES_MOST];
    const double own = parameter_number(parameter, parameter_get(parameter, question->machine));
    const bool choices = lever_has_choices(parameter);
    const double low = choices ? 0 : own / NUMBERS_REACH;
    const double high = choices ? parameter->max : fmax(own, 1) * NUMBERS_REACH;
    const size_t count =
        curve_values(question->machine, parameter, curve_follower(question->machine, parameter),
                     low, high, values, VALUES_MOST);
    for (size_t i = 0; i < count; i++)
        if (!parameter_is_limit(parameter, values[i]))
            try_value(trials, question, parameter, values[i], best);
}

static struct best brute_force(const struct trace_source *source, const struct question *question,
                               unsigned needs)
{
    const struct trials_options options = {
        .source = source, .depth = question->depth, .needs = needs};
    struct best best = {.gain = -INFINITY};
    struct trials *trials = trials_open(&options);
    for (size_t i = 0; trials && i < parameter_count; i++)
        if (lever_moves(&parameters[i], question->machine, question->metric, question->depth) &&
            lever_compares(&parameters[i], question->metric))
            try_parameter(trials, question, &parameters[i], &best);
    trials_free(trials);
    return best;
}

static const char *verdict(const struct lever *first, const struct best *best, double floor)
{
    const double gain = first ? fmax(first->gain, 0) : 0;
    if (gain >= best->gain)
        return "best";
    return gain >= best->gain - fmax(floor, first ? first->noise : 0) ? "noise" : "WRONG";
}

/* False: it could not be run, or the first lever is wrong. */
static bool try_line(const char *name, const char *workload, const char *metric, enum depth depth)
{
    const struct explain_options options = {
        .depth = depth, .parts = EXPLAIN_LEVERS, .metric = metric_find(metric)};
    struct trace_source *source = NULL;
    struct explanation found = {0};
    struct machine machine;
    if (machine_load(name, NULL, &machine, NULL, NULL) || workload_open(workload, &source, NULL) ||
        explain(&machine, source, &options, &found, NULL)) {
        printf("%-16s %-16s %-12s nothing to explain\n", name, workload, metric);
        explanation_free(&found);
        trace_source_free(source);
        return true;
    }
    const struct question question = {&machine, found.metric, depth, &found.base};
    const struct best best = brute_force(source, &question, metric_needs(found.metric));
    const struct lever *first = found.levers.single_count ? &found.levers.singles[0] : NULL;
    const char *said = verdict(first, &best, found.noise.floor);
    char own[LEVER_CHANGE_TEXT] = "none", brute[LEVER_CHANGE_TEXT] = "none";
    if (first)
        lever_change_print(&first->change, "", own);
    if (best.tried)
        lever_change_print(&best.change, "", brute);
    printf("%-16s %-16s %-12s %-5s %6.2f %% %-36s of %6.2f %% %-36s noise %.2f, %zu of %zu runs\n",
           name, workload, metric, said, first ? 100 * first->gain : 0, own, 100 * best.gain, brute,
           100 * found.noise.floor, found.levers.single_count, best.tried);
    fflush(stdout);
    explanation_free(&found);
    trace_source_free(source);
    return strcmp(said, "WRONG") != 0;
}

int main(int argc, char **argv)
{
    static const char *const machines[] = {"gtx480", "gtx480-accelsim", "rtx3070-accelsim"};
    static const char *const programs[] = {"GEMM:n=32", "2DCONV:n=64", "GESUMMV:n=64",
                                           "TRANSPOSE:n=64"};
    static const struct {
        const char *metric;
        enum depth depth;
    } asked[] = {{"core.time", DEPTH_TIMING},
                 {"l1d.misses", DEPTH_FUNCTIONAL},
                 {"l2.misses", DEPTH_FUNCTIONAL}};
    enum depth depth = DEPTH_TIMING;
    bool right = true;
    if (argc == 5)
        return !depth_find(argv[4], &depth) || !try_line(argv[1], argv[2], argv[3], depth);
    for (size_t a = 0; a < sizeof asked / sizeof *asked; a++)
        for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
            for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
                right &= try_line(machines[m], programs[p], asked[a].metric, asked[a].depth);
    return !right;
}
