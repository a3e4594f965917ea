#include "explore/explain/levers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- what is tried ---- */

/* A setting to try, and where it leads to. */
struct attempt {
    struct lever_change change;
    uint64_t made; /* hash of the machine that it makes */
    int direction; /* of its steps; 0: a choice */
    double before; /* the gain that the next step adds to */
};

struct attempts { /* all of them, singles and then pairs */
    struct attempt *items;
    size_t count, capacity;
    size_t tried; /* the first ones */
};

/* Adds an attempt, unless another one makes the same machine: of an L1D whose ways follow its size,
 * both are one lever. */
static enum status add_attempt(struct attempts *attempts, const struct machine *machine,
                               struct attempt attempt)
{
    struct machine made = *machine;
    lever_apply(&attempt.change, &made);
    attempt.made = machine_hash(&made, ~0u);
    for (size_t i = 0; i < attempts->count; i++)
        if (attempts->items[i].made == attempt.made)
            return STATUS_OK;
    if (array_reserve(&attempts->items, &attempts->capacity, attempts->count + 1))
        return STATUS_MEMORY;
    attempts->items[attempts->count++] = attempt;
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
                status = add_attempt(attempts, machine, attempt);
        return status;
    }
    for (attempt.direction = -1; attempt.direction <= 1 && !status; attempt.direction += 2)
        if (lever_step(parameter, parameter_get(parameter, machine), attempt.direction, machine,
                       &attempt.change))
            status = add_attempt(attempts, machine, attempt);
    return status;
}

/* Notes a lever that is not compared; once, however often it is found. */
static void leave_out(struct levers *levers, struct lever_incomparable lever)
{
    for (size_t i = 0; i < levers->incomparable_count; i++)
        if (levers->incomparable[i].setting.parameter == lever.setting.parameter &&
            parameter_equal(lever.setting.parameter, levers->incomparable[i].setting.value,
                            lever.setting.value))
            return;
    if (levers->incomparable_count < LEVERS_INCOMPARABLE)
        levers->incomparable[levers->incomparable_count++] = lever;
}

static enum status list_levers(const struct question *question, struct attempts *attempts,
                               struct levers *levers)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < parameter_count && !status; i++) {
        const size_t known = attempts->count;
        if (!lever_moves(&parameters[i], question->machine, question->metric, question->depth))
            continue;
        if (lever_compares(&parameters[i], question->metric))
            status = add_lever(attempts, &parameters[i], question->machine);
        else
            leave_out(levers,
                      (struct lever_incomparable){.setting = {.parameter = &parameters[i]}});
        levers->parameters += attempts->count > known;
    }
    return status;
}

/* The next round: steps that go on from those that gained enough. */
static enum status list_further(const struct question *question, const struct attempt *tried,
                                double gain, struct attempts *attempts)
{
    struct attempt attempt = *tried;
    const struct lever_setting *setting = &tried->change.settings[0];
    if (!tried->direction || !(gain - tried->before >= LEVER_MORE) ||
        !lever_step(setting->parameter, setting->value, tried->direction, question->machine,
                    &attempt.change))
        return STATUS_OK;
    attempt.before = gain;
    return add_attempt(attempts, question->machine, attempt);
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
    struct attempts *attempts;
    const struct trial_result *results; /* of those that are not tried yet */
    size_t count;
    struct lever_list list;
    size_t before; /* levers in the list that are not of these attempts */
    struct levers *found;
    struct lever **levers; /* of `found`, where they are seen */
    size_t *lever_count;
};

/* Makes levers of the results that there are. */
static void take_levers(void *context)
{
    struct attempt_run *run = context;
    const struct attempt *attempts = run->attempts->items + run->attempts->tried;
    struct lever_list *list = &run->list;
    list->count = run->before;
    for (size_t i = 0; i < run->count; i++) {
        const struct lever_change *change = &attempts[i].change;
        const struct metrics *metrics = &run->results[i].metrics;
        if (run->results[i].state != TRIAL_RAN)
            continue;
        if (lever_counts_alike(change, run->question->metric, run->question->base, metrics))
            list->items[list->count++] = make_lever(run->question, run->noise, change, metrics);
        else
            leave_out(run->found, (struct lever_incomparable){change->settings[0], true});
    }
    *run->levers = list->items;
    *run->lever_count = list->count;
}

/* Runs the attempts that are not tried yet, and adds the steps that go on from them. */
static enum status try_attempts(struct trials *trials, struct attempt_run *run, size_t *refused,
                                bool further, struct diagnostics *diagnostics)
{
    const struct question *question = run->question;
    struct attempts *attempts = run->attempts;
    const size_t first = attempts->tried, count = attempts->count - first;
    struct trial *items = calloc(count + 1, sizeof *items);
    struct trial_result *results = calloc(count + 1, sizeof *results);
    enum status status = STATUS_MEMORY;
    run->before = run->list.count;
    run->results = results;
    run->count = count;
    if (items && results &&
        !array_reserve(&run->list.items, &run->list.capacity, run->before + count)) {
        for (size_t i = 0; i < count; i++) {
            items[i].machine = *question->machine;
            lever_apply(&attempts->items[first + i].change, &items[i].machine);
        }
        trials_watch(trials, take_levers, run);
        status = trials_run(trials, items, count, results, diagnostics);
        trials_watch(trials, NULL, NULL);
        take_levers(run);
    }
    for (size_t i = 0; i < count && (!status || status == STATUS_CANCELLED); i++) {
        *refused += results[i].state == TRIAL_REFUSED;
        if (results[i].state == TRIAL_RAN && !status && further)
            status = list_further(
                question, &attempts->items[first + i],
                question_gain(question, metric_get(question->metric, &results[i].metrics)),
                attempts);
    }
    attempts->tried = first + count;
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
                status = add_attempt(pairs, question->machine, pair);
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

static enum status try_singles(struct trials *trials, struct attempt_run run,
                               struct diagnostics *diagnostics)
{
    struct levers *levers = run.found;
    run.levers = &levers->singles;
    run.lever_count = &levers->single_count;
    enum status status = list_levers(run.question, run.attempts, levers);
    while (run.attempts->tried < run.attempts->count && !status)
        status = try_attempts(trials, &run, &levers->refused, true, diagnostics);
    levers->singles_complete = !status;
    return status;
}

static enum status try_pairs(struct trials *trials, struct attempt_run run,
                             struct diagnostics *diagnostics)
{
    struct levers *levers = run.found;
    run.levers = &levers->pairs;
    run.lever_count = &levers->pair_count;
    enum status status = list_pairs(run.question, levers, run.attempts);
    if (!status && run.attempts->tried < run.attempts->count)
        status = try_attempts(trials, &run, &levers->refused, false, diagnostics);
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
    struct attempts attempts = {0};
    const struct attempt_run run = {
        .question = question, .noise = noise, .attempts = &attempts, .found = levers};
    *levers = (struct levers){0};
    enum status status = try_singles(trials, run, diagnostics);
    levers_sort(levers);
    if (!status && noise->floor > 0)
        status = measure_noise(trials, question, noise, levers, diagnostics);
    if (!status)
        status = try_pairs(trials, run, diagnostics);
    free(attempts.items);
    levers_sort(levers);
    return status;
}

const char *lever_incomparable_print(const struct lever_incomparable *lever, char text[LEVER_TEXT])
{
    if (lever->choice)
        return lever_setting_print(&lever->setting, text);
    snprintf(text, LEVER_TEXT, "%s", lever->setting.parameter->path);
    return text;
}

const char *lever_incomparable_why(const struct lever_incomparable *lever)
{
    return counting_whys[lever->choice ? COUNTS_OTHER_REQUESTS
                                       : lever->setting.parameter->counting];
}

size_t levers_cost(const struct question *question)
{
    struct attempts attempts = {0};
    struct levers none = {0};
    (void)list_levers(question, &attempts, &none); /* without memory the progress is off */
    free(attempts.items);
    return attempts.count + LEVER_BEST * NOISE_STARTS + LEVER_BEST * (LEVER_BEST - 1) / 2;
}

void levers_free(struct levers *levers)
{
    free(levers->singles);
    free(levers->pairs);
    *levers = (struct levers){0};
}
