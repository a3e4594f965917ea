#include "explore/profiles/measured.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/card_table.h"

enum { KERNELS_NAMED = 8, PARTS_MAX = 31 };

/* A counter over the launches taken. */
struct total {
    uint64_t launches; /* that have it */
    double sum, weighted, weights, plain;
    bool used;
};

struct taking {
    const struct profile *profile;
    double *times;        /* by launch: how often its counts are added; 0: it is left out */
    double *weights;      /* by launch */
    struct total *totals; /* by counter */
    uint64_t launches;    /* taken, without their invocations */
};

static enum status none_chosen(const struct profile *profile, const struct measured_choice *choice,
                               uint64_t found, struct diagnostics *diagnostics)
{
    if (found)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                 "the profile has %" PRIu64 " such launches, no launch %" PRIu64,
                                 found, choice->launch);
    diagnostics_error(diagnostics, STATUS_NOT_FOUND, "the profile has no kernel '%s'",
                      choice->kernel ? choice->kernel : "");
    for (size_t i = 0; i < profile->launch_count && i < KERNELS_NAMED; i++)
        if (!i || strcmp(profile->launches[i].kernel, profile->launches[i - 1].kernel) != 0)
            diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "it has '%s'",
                            profile->launches[i].kernel);
    return STATUS_NOT_FOUND;
}

static void add_kernel(struct measured *measured, const char *kernel)
{
    for (size_t i = 0; i < measured->kernel_count; i++)
        if (!strcmp(measured->kernels[i], kernel))
            return;
    if (measured->kernel_count < MEASURED_KERNELS)
        measured->kernels[measured->kernel_count++] = kernel;
}

/* Sets `times` to 1 for the launches that the user chose, which are still to be paired. */
static enum status choose_runs(struct taking *taking, const struct measured_choice *choice,
                               struct diagnostics *diagnostics)
{
    const struct profile *profile = taking->profile;
    uint64_t found = 0;
    bool any = false;
    for (size_t i = 0; i < profile->launch_count; i++) {
        if (choice->kernel && !strstr(profile->launches[i].kernel, choice->kernel))
            continue;
        found++;
        if (choice->launch && choice->launch != found)
            continue;
        taking->times[i] = 1;
        any = true;
    }
    return any ? STATUS_OK : none_chosen(profile, choice, found, diagnostics);
}

static void note_taken(struct taking *taking, struct measured *measured)
{
    for (size_t i = 0; i < taking->profile->launch_count; i++) {
        const struct profile_launch *launch = &taking->profile->launches[i];
        if (!(taking->times[i] > 0))
            continue;
        add_kernel(measured, launch->kernel);
        taking->launches++;
    }
}

/* Weights by cycles if a counter of cycles is in every launch taken, else by invocations. */
static void weigh(struct taking *taking)
{
    const struct profile *profile = taking->profile;
    size_t cycles = SIZE_MAX, part;
    for (size_t i = 0; i < profile->launch_count; i++)
        taking->weights[i] = taking->times[i] * (double)profile->launches[i].invocations;
    for (size_t r = 0; r < counter_count && cycles == SIZE_MAX; r++)
        for (size_t c = 0; c < profile->counter_count && cycles == SIZE_MAX; c++)
            if (!strncmp(counter_table[r].expression, COUNTER_CYCLES, strlen(COUNTER_CYCLES)) &&
                counter_names(&counter_table[r], profile->counters[c].tool,
                              profile->counters[c].name, false, &part) &&
                taking->totals[c].launches == taking->launches)
                cycles = c;
    for (size_t i = 0; i < profile->launch_count && cycles != SIZE_MAX; i++)
        for (size_t k = 0; k < profile->launches[i].count; k++)
            if (profile->launches[i].values[k].counter == cycles)
                taking->weights[i] *= profile->launches[i].values[k].value;
}

/* Adds up; called once to know which counters every launch has, and once with the weights. */
static void add_up(struct taking *taking)
{
    const struct profile *profile = taking->profile;
    memset(taking->totals, 0, profile->counter_count * sizeof *taking->totals);
    for (size_t i = 0; i < profile->launch_count; i++) {
        const struct profile_launch *launch = &profile->launches[i];
        const double count = taking->times[i] * (double)launch->invocations;
        for (size_t k = 0; k < launch->count && count > 0; k++) {
            struct total *total = &taking->totals[launch->values[k].counter];
            const double value = launch->values[k].value;
            total->launches++;
            total->sum += value * count;
            total->plain += value;
            total->weighted += value * taking->weights[i];
            total->weights += taking->weights[i];
        }
    }
}

static double mean(const struct total *total)
{
    return total->weights > 0 ? total->weighted / total->weights
                              : total->plain / (double)total->launches;
}

/* Whether every chosen launch has a counter, once or as often as every other. */
static bool in_every(const struct taking *taking, const struct total *total)
{
    return taking->launches && total->launches && total->launches % taking->launches == 0;
}

/* Whether a row names a counter that every launch taken has; `part` is which of its summands. */
static bool row_has(const struct taking *taking, const struct counter_row *row, size_t counter,
                    size_t *part)
{
    const struct profile_counter *named = &taking->profile->counters[counter];
    return in_every(taking, &taking->totals[counter]) &&
           counter_names(row, named->tool, named->name, !strcmp(named->unit, "%"), part) &&
           *part < PARTS_MAX;
}

/* Fills a row from all counters that it names; false if one of its summands is not there. A counter
 * that a launch has twice (two sections of a page show it) counts once. */
static bool measured_take_row(struct taking *taking, const struct counter_row *counter,
                              unsigned capability, struct measured_row *row)
{
    const size_t counters = taking->profile->counter_count;
    uint32_t there = 0;
    size_t part;
    for (size_t c = 0; c < counters; c++)
        if (row_has(taking, counter, c, &part))
            there |= UINT32_C(1) << part;
    if (there != (UINT32_C(1) << counter_parts(counter)) - 1)
        return false;
    *row = (struct measured_row){.counter = counter, .near = counter_near(counter, capability)};
    for (size_t c = 0; c < counters; c++) {
        struct total *total = &taking->totals[c];
        if (!row_has(taking, counter, c, &part))
            continue;
        const double times = (double)total->launches / (double)taking->launches;
        row->value += counter->traits & COUNTER_ADDS ? total->sum / times : mean(total);
        total->used = true;
    }
    return true;
}

/* The first row with an expression that means the same as theirs; NULL if there is none. */
static const struct measured_row *find_row(const struct measured *measured, const char *expression,
                                           bool near)
{
    for (size_t i = 0; i < measured->count; i++) {
        const struct counter_row *counter = measured->rows[i].counter;
        assert(counter);
        if (!strcmp(counter->expression, expression) && (near || !measured->rows[i].near))
            return &measured->rows[i];
    }
    return NULL;
}

static double find_clock(const struct measured *measured)
{
    const struct measured_row *stated = find_row(measured, COUNTER_CLOCK, true);
    const struct measured_row *cycles = find_row(measured, COUNTER_CYCLES, false);
    const struct measured_row *time = find_row(measured, COUNTER_TIME, false);
    if (stated)
        return stated->value;
    return cycles && time && time->value > 0 ? cycles->value / time->value : NAN;
}

/* "CC 8.6" */
static unsigned stated_capability(const char *device)
{
    static const char mark[] = "CC ";
    char *end;
    if (strncmp(device, mark, sizeof mark - 1) != 0)
        return 0;
    const unsigned long major = strtoul(device + sizeof mark - 1, &end, 10);
    const bool minor = *end == '.' && end[1] >= '0' && end[1] <= '9';
    return major && major < 100 ? 10 * (unsigned)major + (unsigned)(minor ? end[1] - '0' : 0) : 0;
}

/* "GeForce GTX 1080 Ti (0)", after the table of data sheets; 0 if it has no such card. */
static enum status named_capability(const char *device, unsigned *capability,
                                    struct diagnostics *diagnostics)
{
    struct card_table table;
    char name[CARD_NAME];
    bool near;
    const char *number = strrchr(device, '(');
    const bool cut = number && isdigit((unsigned char)number[1]);
    snprintf(name, sizeof name, "%.*s", cut ? (int)(number - device) : CARD_NAME, device);
    const enum status status = card_table_open(&table, diagnostics);
    if (status)
        return status;
    const struct card_row *row = card_table_find(&table, name, 0, &near);
    *capability = row ? row->chip->capability->number : 0;
    card_table_free(&table);
    return STATUS_OK;
}

/* What the profile says of its GPU, or else what the user's choice says. */
static enum status find_capability(const struct profile *profile,
                                   const struct measured_choice *choice, unsigned *capability,
                                   struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    *capability = profile->device ? stated_capability(profile->device) : 0;
    if (profile->device && !*capability)
        status = named_capability(profile->device, capability, diagnostics);
    if (!*capability)
        *capability = choice->capability;
    return status;
}

static enum status take_rows(struct taking *taking, struct measured *measured)
{
    const struct profile *profile = taking->profile;
    measured->rows = calloc(counter_count, sizeof *measured->rows);
    measured->others = calloc(profile->counter_count + 1, sizeof *measured->others);
    if (!measured->rows || !measured->others)
        return STATUS_MEMORY;
    for (size_t r = 0; r < counter_count; r++)
        measured->count += measured_take_row(taking, &counter_table[r], measured->capability,
                                             &measured->rows[measured->count]);
    measured->clock = find_clock(measured);
    for (size_t c = 0; c < profile->counter_count; c++) {
        const struct total *total = &taking->totals[c];
        if (!total->launches || (total->used && in_every(taking, total)))
            continue;
        measured->others[measured->other_count++] = (struct measured_other){
            &profile->counters[c], mean(total),
            in_every(taking, total) ? "no metric of ours" : "not in every launch"};
    }
    return STATUS_OK;
}

enum status measured_take(const struct profile *profile, const struct measured_choice *choice,
                          struct measured *measured, struct diagnostics *diagnostics)
{
    *measured = (struct measured){0};
    struct taking taking = {.profile = profile,
                            .times = calloc(profile->launch_count + 1, sizeof *taking.times),
                            .weights = calloc(profile->launch_count + 1, sizeof *taking.weights),
                            .totals = calloc(profile->counter_count + 1, sizeof *taking.totals)};
    enum status status =
        taking.times && taking.weights && taking.totals ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = choose_runs(&taking, choice, diagnostics);
    if (!status)
        status = pairing_make(profile, choice->launches, choice->launch_count, choice->pairing,
                              taking.times, &measured->pairing, diagnostics);
    if (!status)
        status = find_capability(profile, choice, &measured->capability, diagnostics);
    if (!status) {
        note_taken(&taking, measured);
        add_up(&taking);
        weigh(&taking);
        add_up(&taking);
        status = take_rows(&taking, measured);
    }
    free(taking.times);
    free(taking.weights);
    free(taking.totals);
    if (status)
        measured_free(measured);
    return status;
}

void measured_free(struct measured *measured)
{
    free(measured->rows);
    free(measured->others);
    *measured = (struct measured){0};
}

size_t measured_metrics(const struct measured *measured, struct metrics *metrics)
{
    static const char rest[] = "1 - ";
    size_t count = 0;
    metrics_clear(metrics);
    for (size_t i = 0; i < measured->count; i++) {
        const struct measured_row *row = &measured->rows[i];
        const char *text = row->counter->expression;
        const bool complement = !strncmp(text, rest, sizeof rest - 1);
        const struct metric *metric = metric_find(complement ? text + sizeof rest - 1 : text);
        if (!metric || row->near || !isnan(metric_get(metric, metrics)))
            continue;
        metric_set(metric, metrics, complement ? 1 - row->value : row->value);
        count++;
    }
    return count;
}

double measured_distance(enum unit unit, double measured, double ours)
{
    const double apart = fabs(measured - ours);
    if (isnan(apart))
        return NAN;
    if (unit == UNIT_PERCENT)
        return fmin(apart, 1);
    return apart > 0 ? fmin(apart / fmax(fabs(measured), fabs(ours)), 1) : 0;
}
