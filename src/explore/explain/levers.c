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

static struct lever make_lever(const struct question *question, const struct lever_change *change,
                               const struct metrics *metrics)
{
    const bool counted = lever_is_counted(change);
    const double value = metric_get(question->metric, metrics);
    return (struct lever){.change = *change,
                          .value = value,
                          .cycles = metrics->core_cycles,
                          .gain = question_gain(question, value),
                          .area = counted ? metrics->total_area - question->base->total_area : NAN,
                          .bits = counted ? metrics->total_bits - question->base->total_bits : NAN,
                          .energy = counted ? energy_of(metrics) - energy_of(question->base) : NAN};
}

struct lever_list {
    struct lever *items;
    size_t count, capacity;
};

/* Tries the attempts; adds levers, and to `next` (may be NULL) the steps that go on from them. */
static enum status try_attempts(struct trials *trials, const struct question *question,
                                const struct attempts *attempts, struct lever_list *list,
                                size_t *refused, struct attempts *next,
                                struct diagnostics *diagnostics)
{
    const size_t count = attempts->count;
    struct trial *items = calloc(count + 1, sizeof *items);
    struct trial_result *results = calloc(count + 1, sizeof *results);
    enum status status = STATUS_MEMORY;
    if (items && results && !array_reserve(&list->items, &list->capacity, list->count + count)) {
        for (size_t i = 0; i < count; i++) {
            items[i].machine = *question->machine;
            lever_apply(&attempts->items[i].change, &items[i].machine);
        }
        status = trials_run(trials, items, count, results, diagnostics);
    }
    for (size_t i = 0; i < count && (!status || status == STATUS_CANCELLED); i++) {
        *refused += results[i].state == TRIAL_REFUSED;
        if (results[i].state != TRIAL_RAN)
            continue;
        struct lever *lever = &list->items[list->count++];
        *lever = make_lever(question, &attempts->items[i].change, &results[i].metrics);
        if (!status && next)
            status = list_further(question, &attempts->items[i], lever->gain, next);
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
                               struct levers *levers, struct diagnostics *diagnostics)
{
    struct attempts now = {0}, next = {0};
    struct lever_list list = {0};
    enum status status = list_levers(question, &now, &levers->parameters);
    while (now.count && !status) {
        status = try_attempts(trials, question, &now, &list, &levers->refused, &next, diagnostics);
        const struct attempts used = now;
        now = next;
        next = used;
        next.count = 0;
    }
    free(now.items);
    free(next.items);
    levers->singles = list.items;
    levers->single_count = list.count;
    levers->singles_complete = !status;
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_levers);
    mark_beaten(list.items, list.count);
    return status;
}

static enum status try_pairs(struct trials *trials, const struct question *question,
                             struct levers *levers, struct diagnostics *diagnostics)
{
    struct attempts pairs = {0};
    struct lever_list list = {0};
    enum status status = list_pairs(question, levers, &pairs);
    if (!status && pairs.count)
        status = try_attempts(trials, question, &pairs, &list, &levers->refused, NULL, diagnostics);
    free(pairs.items);
    levers->pairs = list.items;
    levers->pair_count = list.count;
    levers->pairs_complete = !status;
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_levers);
    return status;
}

enum status levers_find(struct trials *trials, const struct question *question,
                        const struct noise *noise, struct levers *levers,
                        struct diagnostics *diagnostics)
{
    *levers = (struct levers){0};
    enum status status = try_singles(trials, question, levers, diagnostics);
    for (size_t i = 0; i < levers->single_count; i++)
        levers->singles[i].noise = noise->floor;
    if (!status && noise->floor > 0)
        status = measure_noise(trials, question, noise, levers, diagnostics);
    if (!status)
        status = try_pairs(trials, question, levers, diagnostics);
    for (size_t i = 0; i < levers->pair_count; i++)
        levers->pairs[i].noise = noise->floor;
    return status;
}

void levers_free(struct levers *levers)
{
    free(levers->singles);
    free(levers->pairs);
    *levers = (struct levers){0};
}
