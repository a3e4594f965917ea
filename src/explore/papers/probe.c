#include "explore/papers/probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "explore/papers/probe_state.h"

/* Limit on the capacity: larger caches take too long to fill again and again. */
enum { LINES_MOST = 1 << 17, LINE_MOST = 4096, SAMPLES = 256, STRIDE_COUNT_LEAST = 256 };

uint64_t micro_run_loads(const struct micro_run *run)
{
    if (run->per_warp)
        return (run->lines + run->per_warp - 1) / run->per_warp;
    return 2 * run->lines + (run->again > 0) + (run->extra > 0);
}

void finding_fail(struct finding *finding, const char *format, ...)
{
    finding->kind = FOUND_NOTHING;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->why, sizeof finding->why, format, arguments);
    va_end(arguments);
}

void finding_set(struct finding *finding, enum finding_kind kind, uint64_t value)
{
    *finding = (struct finding){.kind = kind, .value = value};
}

enum status probing_measure(struct probing *probing, const struct micro_run *run)
{
    uint64_t loads = micro_run_loads(run);
    if (array_reserve(&probing->spans, &probing->capacity, loads))
        return STATUS_MEMORY;
    probing->probe->runs++;
    probing->probe->loads += loads;
    return probing->lab->measure(probing->lab->context, run, probing->spans);
}

uint64_t probing_time(const struct probing *probing, uint64_t load)
{
    return probing->spans[load].ready - probing->spans[load].issued;
}

/* Takes the middle between the longest hit and the shortest miss as the limit. */
bool probing_missed(const struct probing *probing, uint64_t load)
{
    const struct probe *probe = probing->probe;
    return 2 * probing_time(probing, load) > probe->hit_time.value + probe->miss_time.value;
}

/* Measures a hit (a load of something loaded before) and misses (loads of something new). *why says
 * why they tell nothing, or is NULL. */
static enum status find_times(struct probing *probing, const char **why)
{
    struct probe *probe = probing->probe;
    enum status status = probing_measure(probing, &(struct micro_run){.lines = 1, .stride = 4});
    if (status)
        return status;
    if (probing->spans[1].issued < probing->spans[0].ready) {
        *why = "a warp does not wait for its data, so loads overlap";
        finding_fail(&probe->hit_time, "%s", *why);
        finding_fail(&probe->miss_time, "%s", *why);
        return STATUS_OK;
    }
    finding_set(&probe->hit_time, FOUND, probing_time(probing, 1));
    status = probing_measure(probing, &(struct micro_run){.lines = SAMPLES, .stride = LINE_MOST});
    if (status)
        return status;
    uint64_t least = UINT64_MAX, most = 0;
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t time = probing_time(probing, i);
        least = time < least ? time : least;
        most = time > most ? time : most;
    }
    finding_set(&probe->miss_time, FOUND, least);
    probe->miss_time_most = most;
    *why = probe->hit_time.value < least ? NULL : "hits and misses take the same time";
    return STATUS_OK;
}

/* Gives a reason to every finding that has neither a value nor a reason. */
static void fail_all(struct probe *probe, const char *why)
{
    struct finding *const all[] = {&probe->line,          &probe->lines,       &probe->ways,
                                   &probe->sets,          &probe->replacement, &probe->index,
                                   &probe->mshr_per_warp, &probe->mshr_per_sm};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->kind == FOUND_NOTHING && !*all[i]->why)
            finding_fail(all[i], "%s", why);
}

/* Finds the shortest distance of two places at which the second still misses after the first. */
static enum status find_line(struct probing *probing)
{
    struct probe *probe = probing->probe;
    if (probing->lab->line) {
        finding_set(&probe->line, FOUND, probing->lab->line);
        return STATUS_OK;
    }
    for (uint64_t stride = 4; stride <= LINE_MOST; stride *= 2) {
        enum status status =
            probing_measure(probing, &(struct micro_run){.lines = 2, .stride = stride});
        if (status)
            return status;
        if (probing_missed(probing, 1)) {
            finding_set(&probe->line, FOUND, stride);
            return STATUS_OK;
        }
    }
    finding_fail(&probe->line, "places %d bytes apart are still in one line", LINE_MOST);
    return STATUS_OK;
}

/* Runs two loops over the same lines and counts the loads of the second that miss. */
static enum status count_second(struct probing *probing, uint64_t lines, uint64_t stride,
                                uint64_t *misses)
{
    enum status status =
        probing_measure(probing, &(struct micro_run){.lines = lines, .stride = stride});
    *misses = 0;
    for (uint64_t i = 0; i < lines && !status; i++)
        *misses += probing_missed(probing, lines + i);
    return status;
}

/* Finds the longest contiguous array that is kept whole: doubles the length, then bisects. */
static enum status find_lines(struct probing *probing)
{
    struct probe *probe = probing->probe;
    uint64_t fits = 0, fails = 0, misses;
    for (uint64_t lines = 1; lines <= LINES_MOST && !fails; lines *= 2) {
        enum status status = count_second(probing, lines, probe->line.value, &misses);
        if (status)
            return status;
        if (misses)
            fails = lines;
        else
            fits = lines;
    }
    while (fails && fails - fits > 1) {
        uint64_t middle = fits + (fails - fits) / 2;
        enum status status = count_second(probing, middle, probe->line.value, &misses);
        if (status)
            return status;
        if (misses)
            fails = middle;
        else
            fits = middle;
    }
    finding_set(&probe->lines, fails ? FOUND : FOUND_AT_LEAST, fits);
    if (!fails)
        snprintf(probe->lines.why, FINDING_TEXT, "larger arrays were not tried");
    else if (!fits)
        finding_fail(&probe->lines, "even a single line is not kept");
    return STATUS_OK;
}

/* Whether the memory has this address bit. */
static bool within(const struct probing *probing, unsigned bit)
{
    return !probing->lab->memory || probing->lab->memory >> bit;
}

/* Tries powers of two of loads up to the first above the capacity, and at least up to
 * STRIDE_COUNT_LEAST. More loads would always miss. */
static enum status run_strides(struct probing *probing)
{
    struct probe *probe = probing->probe;
    unsigned counts = log2_floor(STRIDE_COUNT_LEAST) + 1;
    while (counts < PROBE_COUNTS && UINT64_C(1) << (counts - 1) <= probe->lines.value)
        counts++;
    probe->stride_bit = log2_floor(probe->line.value);
    probe->stride_counts = counts;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < PROBE_STRIDES; i++)
        for (unsigned k = 0; k < counts && !status && within(probing, probe->stride_bit + i + k);
             k++)
            status = count_second(probing, UINT64_C(1) << k, UINT64_C(1) << (probe->stride_bit + i),
                                  &probe->stride_misses[i][k]);
    return status;
}

uint64_t probe_stride_limit(const struct probe *probe, unsigned stride)
{
    for (unsigned k = 0; k < probe->stride_counts; k++)
        if (probe->stride_misses[stride][k])
            return UINT64_C(1) << k;
    return 0;
}

/* The order matters: MSHRs and capacity need the line size, and sets need the capacity. */
static enum status find_organization(struct probing *probing)
{
    struct probe *probe = probing->probe;
    enum status status = find_line(probing);
    if (status || probe->line.kind != FOUND)
        return status;
    status = probing_find_mshrs(probing);
    if (!status)
        status = find_lines(probing);
    if (!status && probe->lines.kind == FOUND)
        status = probing_find_sets(probing);
    if (!status && probe->lines.kind != FOUND_NOTHING)
        status = run_strides(probing);
    return status;
}

/* Sets are compared with those of lines at twice the highest bit. */
static unsigned address_bits(const struct probe_lab *lab)
{
    const unsigned bits = lab->memory > 1 ? log2_floor(lab->memory) - 1 : PROBE_ADDRESS_BITS;
    return bits < PROBE_ADDRESS_BITS ? bits : PROBE_ADDRESS_BITS;
}

enum status probe_run(const struct probe_lab *lab, struct probe *probe)
{
    *probe = (struct probe){.address_bits = address_bits(lab)};
    struct probing probing = {.lab = lab, .probe = probe};
    const char *why = NULL;
    enum status status = find_times(&probing, &why);
    if (!status && why)
        fail_all(probe, why);
    else if (!status)
        status = find_organization(&probing);
    if (!status)
        fail_all(probe, "it needs what could not be determined above");
    free(probing.spans);
    return status;
}
