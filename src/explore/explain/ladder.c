#include "explore/explain/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/sweep/curve.h"

/* Limits that a rung tries at once. A fixed number, because it decides what is tried, and so at
 * times which limit comes next. */
enum { LADDER_FEW = 2 };

struct climb {
    struct trials *trials;
    const struct question *question;
    struct ladder *ladder;
    struct diagnostics *diagnostics;
    struct ideal_set taken;
    double floor;                 /* of the noise */
    double gain;                  /* of what is taken, beside the machine */
    double hope[IDEAL_COUNT];     /* what each gained more when it was tried last */
    bool fresh[IDEAL_COUNT];      /* it was tried beside just these */
    uint64_t placed[IDEAL_COUNT]; /* trial_result.placed of each alone */
};

/* The limits that can move the metric at all. */
static struct ideal_set offered_limits(const struct question *question)
{
    const struct ideal_set all = ideal_all_of(question->machine, question->depth);
    const unsigned stages = curve_stages(question->metric, question->machine, question->depth);
    struct ideal_set set = {{0}};
    for (int i = 0; i < IDEAL_COUNT; i++) {
        const unsigned stage = ideal_table[i].stage ? ideal_table[i].stage : STAGE_STREAM;
        if (ideal_has(all, (enum ideal)i) && stage & stages)
            ideal_add(&set, (enum ideal)i);
    }
    return set;
}

/* Runs the machine without each of the sets. */
static enum status climb_try(struct climb *climb, const struct ideal_set *sets, size_t count,
                             const struct block_placement *placement, struct trial_result *results)
{
    struct trial *items = calloc(count + 1, sizeof *items);
    if (!items)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        items[i] = (struct trial){
            .machine = *climb->question->machine, .ideals = sets[i], .placement = placement};
    const enum status status = trials_run(climb->trials, items, count, results, climb->diagnostics);
    free(items);
    return status;
}

static double climb_gain(const struct climb *climb, const struct trial_result *result)
{
    return result->state == TRIAL_RAN
               ? question_gain(climb->question,
                               metric_get(climb->question->metric, &result->metrics))
               : NAN;
}

/* ---- each alone ---- */

/* The part of the cycle stack that a limit shows in. The stack says where cycles went, and nothing
 * of other metrics. */
static double stack_share(const struct climb *climb, enum ideal ideal)
{
    const char *path = ideal_table[ideal].relieves;
    const struct metric *metric = path ? metric_find(path) : NULL;
    if (!metric || metric->unit != UNIT_PERCENT || strncmp(path, "core.stall.", 11) != 0)
        return NAN;
    if (climb->question->metric != metric_find("core.time") &&
        climb->question->metric != metric_find("core.cycles"))
        return NAN;
    return metric_get(metric, climb->question->base);
}

static int compare_limits(const void *a, const void *b)
{
    const struct ladder_limit *left = a, *right = b;
    if (left->gain != right->gain && !(isnan(left->gain) && isnan(right->gain)))
        return isnan(right->gain) || left->gain > right->gain ? -1 : 1;
    return left->ideal < right->ideal ? -1 : left->ideal > right->ideal;
}

static void take_limit(const struct climb *climb, const struct trial_result *result,
                       struct ladder_limit *limit)
{
    const bool ran = result->state == TRIAL_RAN;
    limit->share = stack_share(climb, limit->ideal);
    limit->gain = climb_gain(climb, result);
    limit->value = ran ? metric_get(climb->question->metric, &result->metrics) : NAN;
    limit->cycles = ran ? result->metrics.core_cycles : NAN;
    limit->held = NAN;
}

/* Takes out everything: the bound. */
static enum status climb_bound(struct climb *climb, const struct ideal_set *all)
{
    struct trial_result result = {.state = TRIAL_SKIPPED};
    const enum status status = climb_try(climb, all, 1, NULL, &result);
    if (result.state == TRIAL_RAN) {
        climb->ladder->bound = metric_get(climb->question->metric, &result.metrics);
        climb->ladder->bound_cycles = result.metrics.core_cycles;
    }
    return status;
}

/* Limits that are taken out alone, free or with every block held in its place. */
struct alone {
    struct climb *climb;
    enum ideal ideals[IDEAL_COUNT];
    size_t count;
    struct trial_result *results;
};

/* Runs them; `take` makes limits of the results as they come. */
static enum status try_alone(struct alone *alone, const struct block_placement *placement,
                             void (*take)(void *alone))
{
    struct climb *climb = alone->climb;
    struct ideal_set sets[IDEAL_COUNT] = {{{0}}};
    alone->results = calloc(IDEAL_COUNT, sizeof *alone->results);
    if (!alone->results)
        return STATUS_MEMORY;
    for (size_t i = 0; i < alone->count; i++)
        ideal_add(&sets[i], alone->ideals[i]);
    trials_watch(climb->trials, take, alone);
    const enum status status = climb_try(climb, sets, alone->count, placement, alone->results);
    trials_watch(climb->trials, NULL, NULL);
    take(alone);
    return status;
}

/* Without those for which the metric has no value: after Belady's optimum, for one, no cache can be
 * simulated. */
static void take_limits(void *context)
{
    const struct alone *alone = context;
    struct ladder *ladder = alone->climb->ladder;
    ladder->limit_count = 0;
    for (size_t i = 0; i < alone->count; i++) {
        struct ladder_limit *limit = &ladder->limits[ladder->limit_count];
        limit->ideal = alone->ideals[i];
        take_limit(alone->climb, &alone->results[i], limit);
        ladder->limit_count += alone->results[i].state == TRIAL_SKIPPED || !isnan(limit->gain);
    }
    qsort(ladder->limits, ladder->limit_count, sizeof *ladder->limits, compare_limits);
}

/* Leaves the limits in `all`. */
static enum status climb_alone(struct climb *climb, struct ideal_set *all)
{
    const struct ladder *ladder = climb->ladder;
    struct alone alone = {.climb = climb};
    for (int i = 0; i < IDEAL_COUNT; i++)
        if (ideal_has(*all, (enum ideal)i))
            alone.ideals[alone.count++] = (enum ideal)i;
    const enum status status = try_alone(&alone, NULL, take_limits);
    for (size_t i = 0; i < alone.count && alone.results; i++)
        climb->placed[alone.ideals[i]] =
            alone.results[i].state == TRIAL_RAN ? alone.results[i].placed : 0;
    free(alone.results);
    memset(all, 0, sizeof *all);
    for (size_t i = 0; i < ladder->limit_count; i++) {
        ideal_add(all, ladder->limits[i].ideal);
        climb->hope[ladder->limits[i].ideal] = ladder->limits[i].gain;
    }
    return status;
}

static void take_held(void *context)
{
    const struct alone *alone = context;
    struct ladder *ladder = alone->climb->ladder;
    for (size_t i = 0; i < alone->count; i++)
        for (size_t k = 0; k < ladder->limit_count; k++)
            if (ladder->limits[k].ideal == alone->ideals[i])
                ladder->limits[k].held = climb_gain(alone->climb, &alone->results[i]);
}

/* Each alone once more, with every block on the SM where the machine's own run has it: what a limit
 * saves by itself, and not because blocks came to lie elsewhere. Where they lay there anyway, the
 * held run is the free one (model/gpu/block_placement.h). */
static enum status climb_held(struct climb *climb, struct block_placement *placement)
{
    struct ladder *ladder = climb->ladder;
    struct alone alone = {.climb = climb};
    enum status status =
        trials_place(climb->trials, climb->question->machine, placement, climb->diagnostics);
    if (status || !placement->count)
        return status;
    const uint64_t own = block_placement_hash(placement);
    for (size_t i = 0; i < ladder->limit_count; i++)
        if (climb->placed[ladder->limits[i].ideal] == own)
            ladder->limits[i].held = ladder->limits[i].gain;
        else
            alone.ideals[alone.count++] = ladder->limits[i].ideal;
    if (alone.count)
        status = try_alone(&alone, placement, take_held);
    free(alone.results);
    return status;
}

/* ---- one after the other ---- */

static bool climb_offers(const struct climb *climb, enum ideal ideal, int level)
{
    return (int)ideal_table[ideal].level == level && !ideal_has(climb->taken, ideal) &&
           !isnan(climb->hope[ideal]);
}

/* The untried limits of a level that promise most: at most `most` of those that promise more than
 * `least`. */
static size_t climb_choose(const struct climb *climb, const struct ideal_set *all, int level,
                           double least, size_t most, enum ideal chosen[IDEAL_COUNT])
{
    size_t count = 0;
    for (int i = 0; i < IDEAL_COUNT; i++) {
        const enum ideal ideal = (enum ideal)i;
        if (!ideal_has(*all, ideal) || !climb_offers(climb, ideal, level) || climb->fresh[i] ||
            !(climb->hope[i] > least))
            continue;
        size_t at = count < most ? count++ : most;
        for (; at > 0 && climb->hope[chosen[at - 1]] < climb->hope[i]; at--)
            if (at < most)
                chosen[at] = chosen[at - 1];
        if (at < most)
            chosen[at] = ideal;
    }
    return count;
}

/* The best of those that were tried beside what is taken; IDEAL_COUNT: none gains enough. */
static enum ideal climb_best(const struct climb *climb, int level, double least)
{
    int best = IDEAL_COUNT;
    double most = least;
    for (int i = 0; i < IDEAL_COUNT; i++)
        if (climb->fresh[i] && climb_offers(climb, (enum ideal)i, level) &&
            climb->hope[i] >= most && (best == IDEAL_COUNT || climb->hope[i] > climb->hope[best])) {
            best = i;
            most = climb->hope[i];
        }
    return (enum ideal)best;
}

/* Tries limits beside what is taken. */
static enum status climb_refresh(struct climb *climb, const enum ideal *chosen, size_t count,
                                 double values[IDEAL_COUNT], double cycles[IDEAL_COUNT])
{
    struct ideal_set sets[IDEAL_COUNT];
    struct trial_result *results = calloc(count, sizeof *results);
    if (!results)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        sets[i] = climb->taken;
        ideal_add(&sets[i], chosen[i]);
    }
    const enum status status = climb_try(climb, sets, count, NULL, results);
    for (size_t i = 0; i < count && !status; i++) {
        climb->hope[chosen[i]] = climb_gain(climb, &results[i]) - climb->gain;
        climb->fresh[chosen[i]] = true;
        values[chosen[i]] = metric_get(climb->question->metric, &results[i].metrics);
        cycles[chosen[i]] = results[i].metrics.core_cycles;
    }
    free(results);
    return status;
}

/* Finds the next rung of a level; *next is IDEAL_COUNT if there is none. */
static enum status climb_step(struct climb *climb, const struct ideal_set *all, int level,
                              enum ideal *next)
{
    double values[IDEAL_COUNT], cycles[IDEAL_COUNT];
    enum ideal chosen[IDEAL_COUNT];
    enum status status = STATUS_OK;
    double least = LADDER_LEAST;
    memset(climb->fresh, 0, sizeof climb->fresh);
    for (;;) {
        const enum ideal best = climb_best(climb, level, least);
        const double hope = best == IDEAL_COUNT ? least : climb->hope[best];
        size_t count = climb_choose(climb, all, level, hope, LADDER_FEW, chosen);
        if (!count && best == IDEAL_COUNT) { /* none promises enough: try what is left */
            count = climb_choose(climb, all, level, -INFINITY, IDEAL_COUNT, chosen);
            least = fmax(LADDER_LEAST, climb->floor);
        }
        *next = best;
        if (!count)
            break;
        status = climb_refresh(climb, chosen, count, values, cycles);
        if (status)
            return status;
    }
    if (*next == IDEAL_COUNT)
        return STATUS_OK;
    struct ladder_rung *rung = &climb->ladder->rungs[climb->ladder->rung_count++];
    *rung = (struct ladder_rung){
        .value = values[*next], .cycles = cycles[*next], .gain = climb->hope[*next]};
    ideal_add(&rung->added, *next);
    ideal_add(&climb->taken, *next);
    climb->gain += climb->hope[*next];
    return STATUS_OK;
}

/* The last rung: all that is left, at once. */
static void climb_rest(struct climb *climb, const struct ideal_set *all)
{
    struct ladder *ladder = climb->ladder;
    struct ladder_rung rest = {.value = ladder->bound, .cycles = ladder->bound_cycles};
    for (size_t i = 0; i < IDEAL_WORDS; i++)
        rest.added.words[i] = all->words[i] & ~climb->taken.words[i];
    rest.gain = question_gain(climb->question, ladder->bound) - climb->gain;
    if (!ideal_none(rest.added))
        ladder->rungs[ladder->rung_count++] = rest;
}

/* ---- pairs ---- */

static enum status climb_pairs(struct climb *climb)
{
    struct ladder *ladder = climb->ladder;
    struct ideal_set sets[LADDER_PAIRS] = {{{0}}};
    struct trial_result *results = calloc(LADDER_PAIRS, sizeof *results);
    size_t count = 0;
    if (!results)
        return STATUS_MEMORY;
    for (size_t i = 0; i < ladder->limit_count && i < LADDER_PAIRED; i++)
        for (size_t k = i + 1; k < ladder->limit_count && k < LADDER_PAIRED; k++) {
            ladder->pairs[count].ideals[0] = ladder->limits[i].ideal;
            ladder->pairs[count].ideals[1] = ladder->limits[k].ideal;
            ideal_add(&sets[count], ladder->limits[i].ideal);
            ideal_add(&sets[count++], ladder->limits[k].ideal);
        }
    const enum status status = climb_try(climb, sets, count, NULL, results);
    for (size_t i = 0; i < count && !status; i++) {
        ladder->pairs[i].gain = climb_gain(climb, &results[i]);
        ladder->pairs[i].value = metric_get(climb->question->metric, &results[i].metrics);
        ladder->pairs[i].cycles = results[i].metrics.core_cycles;
    }
    ladder->pair_count = status ? 0 : count;
    free(results);
    return status;
}

enum status ladder_climb(struct trials *trials, const struct question *question, double floor,
                         struct ladder *ladder, struct diagnostics *diagnostics)
{
    struct climb climb = {.trials = trials,
                          .question = question,
                          .ladder = ladder,
                          .diagnostics = diagnostics,
                          .floor = floor};
    struct ideal_set all = offered_limits(question);
    struct block_placement placement = {0};
    memset(ladder, 0, sizeof *ladder);
    ladder->bound = ladder->bound_cycles = NAN;
    if (ideal_none(all)) {
        ladder->complete = true;
        return STATUS_OK;
    }
    enum status status = climb_alone(&climb, &all);
    if (!status)
        status = climb_bound(&climb, &all);
    for (int level = 0; level < IDEAL_LEVELS && !status; level++) {
        enum ideal next = IDEAL_COUNT;
        do
            status = climb_step(&climb, &all, level, &next);
        while (!status && next != IDEAL_COUNT);
    }
    if (!status)
        climb_rest(&climb, &all);
    if (!status)
        status = climb_pairs(&climb);
    if (!status)
        status = climb_held(&climb, &placement);
    block_placement_free(&placement);
    ladder->complete = !status;
    return status;
}

size_t ladder_cost(const struct question *question)
{
    enum { ALONE = 1, RUNGS = 2 }; /* for each limit */
    const struct ideal_set all = offered_limits(question);
    size_t count = 0;
    for (int i = 0; i < IDEAL_COUNT; i++)
        count += ideal_has(all, (enum ideal)i);
    return (ALONE + RUNGS) * count + LADDER_PAIRS;
}

const struct ladder_limit *ladder_limit_of(const struct ladder *ladder,
                                           const struct ladder_rung *rung)
{
    const struct ladder_limit *found = NULL;
    for (size_t i = 0; i < ladder->limit_count; i++)
        if (ideal_has(rung->added, ladder->limits[i].ideal)) {
            if (found)
                return NULL;
            found = &ladder->limits[i];
        }
    return found;
}

double ladder_gain_alone(const struct ladder *ladder, enum ideal ideal)
{
    for (size_t i = 0; i < ladder->limit_count; i++)
        if (ladder->limits[i].ideal == ideal)
            return ladder->limits[i].gain;
    return NAN;
}
