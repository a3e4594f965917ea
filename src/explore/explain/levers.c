#include "explore/explain/levers.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- what is tried ---- */

/* A setting to try, and where it leads to. */
struct attempt {
    struct lever_change change;
    int direction; /* of its steps; 0: a choice */
    double before; /* the gain that the next step adds to */
};

struct attempts {
    struct attempt *items;
    size_t count, capacity;
};

static enum status add_attempt(struct attempts *attempts, const struct attempt *attempt)
{
    if (array_reserve(&attempts->items, &attempts->capacity, attempts->count + 1))
        return STATUS_MEMORY;
    attempts->items[attempts->count++] = *attempt;
    return STATUS_OK;
}

static enum status add_lever(struct attempts *attempts, const struct parameter *parameter,
                             const struct machine *machine)
{
    struct attempt attempt = {.before = 0};
    enum status status = STATUS_OK;
    if (lever_has_choices(parameter)) {
        for (uint64_t i = 0; (double)i <= parameter->max && !status; i++)
            if (lever_choice(parameter, i, machine, &attempt.change))
                status = add_attempt(attempts, &attempt);
        return status;
    }
    for (attempt.direction = -1; attempt.direction <= 1 && !status; attempt.direction += 2)
        if (lever_step(parameter, parameter_get(parameter, machine), attempt.direction, machine,
                       &attempt.change))
            status = add_attempt(attempts, &attempt);
    return status;
}

static enum status list_levers(const struct question *question, struct attempts *attempts,
                               size_t *parameters_tried)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < parameter_count && !status; i++) {
        const size_t known = attempts->count;
        if (lever_moves(&parameters[i], question->machine, question->metric, question->depth))
            status = add_lever(attempts, &parameters[i], question->machine);
        *parameters_tried += attempts->count > known;
    }
    return status;
}

/* The next round: steps that go on from those that gained enough. */
static enum status list_further(const struct question *question, const struct attempt *tried,
                                double gain, struct attempts *next)
{
    struct attempt attempt = *tried;
    const struct lever_setting *setting = &tried->change.settings[0];
    if (!tried->direction || !(gain - tried->before >= LEVER_MORE) ||
        !lever_step(setting->parameter, setting->value, tried->direction, question->machine,
                    &attempt.change))
        return STATUS_OK;
    attempt.before = gain;
    return add_attempt(next, &attempt);
}

/* ---- what comes of it ---- */

/* Joules of the run: all of it where the depth has time, else that of the accesses alone. */
static double energy_of(const struct metrics *metrics)
{
    return isnan(metrics->energy_total) ? metrics->energy_accesses : metrics->energy_total;
}

static bool lever_is_counted(const struct lever_change *change)
{
    for (size_t i = 0; i < change->count; i++)
        if (!(change->settings[i].parameter->stages & STAGE_AREA))
            return false;
    return true;
}

static struct lever make_lever(const struct question *question, const struct noise *noise,
                               const struct lever_change *change, const struct metrics *metrics)
{
    const bool counted = lever_is_counted(change);
    const double value = metric_get(question->metric, metrics);
    return (struct lever){.change = *change,
                          .value = value,
                          .cycles = metrics->core_cycles,
                          .gain = question_gain(question, value),
                          .noise = noise->floor,
                          .area = counted ? metrics->total_area - question->base->total_area : NAN,
                          .bits = counted ? metrics->total_bits - question->base->total_bits : NAN,
                          .energy = counted ? energy_of(metrics) - energy_of(question->base) : NAN};
}

struct lever_list {
    struct lever *items;
    size_t count, capacity;
};

/* Attempts that run, and the levers that they become. */
struct attempt_run {
    const struct question *question;
    const struct noise *noise;
    const struct attempts *attempts;
    const struct trial_result *results;
    struct lever_list *list;
    size_t before;         /* levers in the list that are not of these attempts */
    struct lever **levers; /* where they are seen */
    size_t *count;
};

/* Makes levers of the results that there are. */
static void take_levers(void *context)
{
    const struct attempt_run *run = context;
    struct lever_list *list = run->list;
    list->count = run->before;
    for (size_t i = 0; i < run->attempts->count; i++)
        if (run->results[i].state == TRIAL_RAN)
            list->items[list->count++] =
                make_lever(run->question, run->noise, &run->attempts->items[i].change,
                           &run->results[i].metrics);
    *run->levers = list->items;
    *run->count = list->count;
}

/* Runs the attempts, and lists in `next` (may be NULL) the steps that go on from them. */
static enum status try_attempts(struct trials *trials, struct attempt_run *run, size_t *refused,
                                struct attempts *next, struct diagnostics *diagnostics)
{
    const struct question *question = run->question;
    const size_t count = run->attempts->count;
    struct trial *items = calloc(count + 1, sizeof *items);
    struct trial_result *results = calloc(count + 1, sizeof *results);
    enum status status = STATUS_MEMORY;
    run->before = run->list->count;
    run->results = results;
    if (items && results &&
        !array_reserve(&run->list->items, &run->list->capacity, run->before + count)) {
        for (size_t i = 0; i < count; i++) {
            items[i].machine = *question->machine;
            lever_apply(&run->attempts->items[i].change, &items[i].machine);
        }
        trials_watch(trials, take_levers, run);
        status = trials_run(trials, items, count, results, diagnostics);
        trials_watch(trials, NULL, NULL);
        take_levers(run);
    }
    for (size_t i = 0; i < count && (!status || status == STATUS_CANCELLED); i++) {
        *refused += results[i].state == TRIAL_REFUSED;
        if (results[i].state == TRIAL_RAN && !status && next)
            status = list_further(
                question, &run->attempts->items[i],
                question_gain(question, metric_get(question->metric, &results[i].metrics)), next);
    }
    free(items);
    free(results);
    return status;
}

/* Better first: more gain, then less area. Where the values are equal the order is that of the
 * tables. */
static int compare_levers(const void *a, const void *b)
{
    const struct lever *left = a, *right = b;
    const double area[] = {isnan(left->area) ? 0 : left->area,
                           isnan(right->area) ? 0 : right->area};
    if (left->gain != right->gain)
        return isnan(right->gain) || left->gain > right->gain ? -1 : 1;
    if (area[0] != area[1])
        return area[0] < area[1] ? -1 : 1;
    for (size_t i = 0; i < left->change.count && i < right->change.count; i++) {
        const struct lever_setting *one = &left->change.settings[i];
        const struct lever_setting *other = &right->change.settings[i];
        if (one->parameter != other->parameter)
            return one->parameter < other->parameter ? -1 : 1;
        const double numbers[] = {parameter_number(one->parameter, one->value),
                                  parameter_number(other->parameter, other->value)};
        if (numbers[0] != numbers[1])
            return numbers[0] < numbers[1] ? -1 : 1;
    }
    return 0;
}

/* Among levers in order: a later setting of a parameter, which gains no more, is beaten unless it
 * takes less area. */
static void mark_beaten(struct lever *levers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i && !levers[i].beaten; k++)
            levers[i].beaten =
                levers[k].change.settings[0].parameter == levers[i].change.settings[0].parameter &&
                !(levers[i].area < levers[k].area);
}

/* ---- pairs ---- */

static bool lever_overlaps(const struct lever_change *a, const struct lever_change *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++)
            if (a->settings[i].parameter == b->settings[k].parameter)
                return true;
    return false;
}

/* The best setting of each of the best parameters, of those that gain. */
static size_t choose_best(struct lever *levers, size_t count, struct lever *best[LEVER_BEST])
{
    size_t chosen = 0;
    for (size_t i = 0; i < count && chosen < LEVER_BEST && levers[i].gain > 0; i++) {
        bool known = false;
        for (size_t k = 0; k < chosen && !known; k++)
            known = best[k]->change.settings[0].parameter == levers[i].change.settings[0].parameter;
        if (!known)
            best[chosen++] = &levers[i];
    }
    return chosen;
}

static enum status list_pairs(const struct question *question, const struct levers *levers,
                              struct attempts *pairs)
{
    struct lever *best[LEVER_BEST];
    const size_t count = choose_best(levers->singles, levers->single_count, best);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && !status; k++) {
            struct attempt pair = {.change = best[i]->change};
            const struct lever_change *other = &best[k]->change;
            struct machine machine = *question->machine;
            if (lever_overlaps(&pair.change, other))
                continue;
            for (size_t s = 0; s < other->count; s++)
                pair.change.settings[pair.change.count++] = other->settings[s];
            if (lever_apply(&pair.change, &machine))
                status = add_attempt(pairs, &pair);
        }
    return status;
}

/* ---- noise ---- */

/* Begins the best levers later, and learns how far their gains are from certain. */
static enum status measure_noise(struct trials *trials, const struct question *question,
                                 const struct noise *noise, struct levers *levers,
                                 struct diagnostics *diagnostics)
{
    struct lever *best[LEVER_BEST];
    const size_t count = choose_best(levers->singles, levers->single_count, best);
    struct trial *items = calloc(count * NOISE_STARTS + 1, sizeof *items);
    struct trial_result *results = calloc(count * NOISE_STARTS + 1, sizeof *results);
    enum status status = items && results ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count * NOISE_STARTS && !status; i++) {
        items[i].machine = *question->machine;
        items[i].start_delay = noise_delays[i % NOISE_STARTS];
        lever_apply(&best[i / NOISE_STARTS]->change, &items[i].machine);
    }
    if (!status)
        status = trials_run(trials, items, count * NOISE_STARTS, results, diagnostics);
    for (size_t i = 0; i < count && !status; i++) {
        double values[NOISE_STARTS];
        for (size_t k = 0; k < NOISE_STARTS; k++)
            values[k] = metric_get(question->metric, &results[i * NOISE_STARTS + k].metrics);
        best[i]->noise = noise_of_gain(question, noise, best[i]->gain, values);
    }
    free(items);
    free(results);
    return status;
}

/* ---- all of it ---- */

static enum status try_singles(struct trials *trials, const struct question *question,
                               const struct noise *noise, struct levers *levers,
                               struct diagnostics *diagnostics)
{
    struct attempts now = {0}, next = {0};
    struct lever_list list = {0};
    struct attempt_run run = {.question = question,
                              .noise = noise,
                              .attempts = &now,
                              .list = &list,
                              .levers = &levers->singles,
                              .count = &levers->single_count};
    enum status status = list_levers(question, &now, &levers->parameters);
    while (now.count && !status) {
        status = try_attempts(trials, &run, &levers->refused, &next, diagnostics);
        const struct attempts used = now;
        now = next;
        next = used;
        next.count = 0;
    }
    free(now.items);
    free(next.items);
    levers->singles_complete = !status;
    return status;
}

static enum status try_pairs(struct trials *trials, const struct question *question,
                             const struct noise *noise, struct levers *levers,
                             struct diagnostics *diagnostics)
{
    struct attempts pairs = {0};
    struct lever_list list = {0};
    struct attempt_run run = {.question = question,
                              .noise = noise,
                              .attempts = &pairs,
                              .list = &list,
                              .levers = &levers->pairs,
                              .count = &levers->pair_count};
    enum status status = list_pairs(question, levers, &pairs);
    if (!status && pairs.count)
        status = try_attempts(trials, &run, &levers->refused, NULL, diagnostics);
    free(pairs.items);
    levers->pairs_complete = !status;
    return status;
}

void levers_sort(struct levers *levers)
{
    if (levers->single_count)
        qsort(levers->singles, levers->single_count, sizeof *levers->singles, compare_levers);
    mark_beaten(levers->singles, levers->single_count);
    if (levers->pair_count)
        qsort(levers->pairs, levers->pair_count, sizeof *levers->pairs, compare_levers);
}

enum status levers_find(struct trials *trials, const struct question *question,
                        const struct noise *noise, struct levers *levers,
                        struct diagnostics *diagnostics)
{
    *levers = (struct levers){0};
    enum status status = try_singles(trials, question, noise, levers, diagnostics);
    levers_sort(levers);
    if (!status && noise->floor > 0)
        status = measure_noise(trials, question, noise, levers, diagnostics);
    if (!status)
        status = try_pairs(trials, question, noise, levers, diagnostics);
    levers_sort(levers);
    return status;
}

void levers_free(struct levers *levers)
{
    free(levers->singles);
    free(levers->pairs);
    *levers = (struct levers){0};
}
