#include "model/timing_estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/student.h"
#include "model/gpu/extent.h"
#include "model/gpu/occupancy.h"
#include "model/timing/timing.h"

/* A part: waves that fill the machine, then counted ones. */
enum { WARM_WAVES = 4, COUNTED_WAVES = 4, PART_WAVES = WARM_WAVES + COUNTED_WAVES };
enum { MARKS = COUNTED_WAVES + 1 }; /* of a part: the ends of its counted waves */
enum { PARTS_LEAST = 2, LAUNCHES_LEAST = 4 };

/* Parts that cover more than one of so many parts of the work save too little. */
enum { WORK_LEFT = 2 };
#define WORK_MOST (1.0 / WORK_LEFT)
_Static_assert(TIMING_WAVES_LEAST == WORK_LEFT * PART_WAVES, "the shortest launch has one part");

/* Warps of a launch begin together and drift apart for some waves, in which they disturb each other
 * less and less. A change that shrinks by a third with each wave comes to twice itself. */
#define DRIFT_TO_COME 2

/* The share of the probability that is spread evenly over blocks, whatever work is expected. */
#define BLIND_SHARE 0.2

enum { COUNTS = sizeof(struct gpu_counts) / sizeof(uint64_t) };
struct totals {
    double at[COUNTS];
};

struct sampled {           /* a launch */
    uint32_t launch, hits; /* hits: how often it was drawn */
    double chance;         /* that one draw takes it; 0 if no launch is left out */
    uint64_t blocks, wave;
    uint64_t parts; /* 0: it is run whole */
    bool warmed;    /* a slice of the launch before comes first, which is not counted */
    size_t slice;   /* of its first part, or of the whole */
    size_t mark;    /* of its first part */
};

struct estimate {
    const struct machine *machine;
    const struct trace_source *source;
    double share;
    struct sampled *launches;
    size_t count;
    uint32_t draws; /* 0: every launch is sampled */
    double work;    /* the expected share of the work in the parts, if launches are drawn */
    struct trace_slice *slices;
    size_t slice_count, mark_count;
    uint64_t *mark_blocks;
    struct gpu_counts *marks, *ends; /* at each mark; at the end of each slice */
};

/* ---- the plan ---- */

static uint64_t wave_of(const struct machine *machine, const struct trace_launch *launch)
{
    return machine->gpu.sms * occupancy_of(machine, launch).blocks;
}

/* How many parts of a launch are run; 0 if it is run whole. */
static uint64_t parts_of(uint64_t blocks, uint64_t wave, double share)
{
    const uint64_t length = PART_WAVES * wave;
    const uint64_t most = length ? (uint64_t)(WORK_MOST * (double)blocks / (double)length) : 0;
    const uint64_t wanted = length ? (uint64_t)(share * (double)blocks / (double)length) : 0;
    const uint64_t parts = wanted > PARTS_LEAST ? wanted : PARTS_LEAST;
    return parts < most ? parts : most;
}

static uint32_t launches_wanted(const struct trace_source *source, double share)
{
    const uint32_t wanted = (uint32_t)(share * source->launch_count);
    return wanted > LAUNCHES_LEAST ? wanted : LAUNCHES_LEAST;
}

bool timing_samples(const struct machine *machine, const struct trace_source *source, double share)
{
    const double launches = launches_wanted(source, share);
    double run = 0, all = 0;
    if (source->tiles)
        return false; /* passes of a scene are no grids */
    for (uint32_t i = 0; i < source->launch_count; i++) {
        const uint64_t blocks = launch_blocks(&source->launches[i]);
        const uint64_t wave = wave_of(machine, &source->launches[i]);
        const uint64_t parts = parts_of(blocks, wave, share);
        if (!wave) /* it does not fit: the exact run says so */
            return false;
        run += parts ? (double)(parts * PART_WAVES * wave) : (double)blocks;
        all += (double)blocks;
    }
    return run * fmin(1, launches / source->launch_count) <= WORK_MOST * all;
}

static void add_launch(struct estimate *estimate, uint32_t launch, double chance, double work)
{
    struct sampled *last = estimate->count ? &estimate->launches[estimate->count - 1] : NULL;
    if (last && last->launch == launch) {
        last->hits++;
        return;
    }
    const struct trace_launch *from = &estimate->source->launches[launch];
    struct sampled *added = &estimate->launches[estimate->count++];
    *added = (struct sampled){.launch = launch,
                              .hits = 1,
                              .chance = chance,
                              .blocks = launch_blocks(from),
                              .wave = wave_of(estimate->machine, from)};
    added->parts = parts_of(added->blocks, added->wave, estimate->share);
    added->warmed = launch && (!last || last->launch != launch - 1);
    estimate->slice_count += added->warmed + (added->parts ? added->parts : 1);
    estimate->mark_count += added->parts * MARKS;
    estimate->work += added->parts ? work * (double)(added->parts * PART_WAVES * added->wave) /
                                         (double)added->blocks
                                   : work;
}

/* Draws launches, one from each of equal strata of the probability. */
static enum status draw_launches(struct estimate *estimate, uint32_t draws,
                                 const struct evaluate_options *options)
{
    const struct trace_source *source = estimate->source;
    const double blocks = (double)trace_source_blocks(source);
    struct extent extent;
    const enum status status =
        extent_measure(source, estimate->machine->coalescer.arch, options->cancel, &extent);
    if (status)
        return status;
    double before = 0;
    for (uint32_t i = 0, drawn = 0; i < source->launch_count; i++) {
        const double chance = BLIND_SHARE * (double)launch_blocks(&source->launches[i]) / blocks +
                              (1 - BLIND_SHARE) * extent.work[i] / extent.total;
        before += chance;
        for (; drawn < draws; drawn++) {
            const uint64_t bits = random_at(estimate->machine->seed, drawn);
            const double point = (drawn + (double)(bits >> 11) * 0x1p-53) / draws;
            if (point >= before && i + 1 < source->launch_count)
                break;
            add_launch(estimate, i, chance, extent.work[i] / extent.total);
        }
    }
    extent_free(&extent);
    estimate->draws = draws;
    return STATUS_OK;
}

/* Parts lie in the middle of equal strata of the grid, but the first one at its start. */
static uint64_t part_first(const struct sampled *launch, uint64_t part)
{
    const uint64_t stratum = launch->blocks / launch->parts, length = PART_WAVES * launch->wave;
    const uint64_t first = part * stratum + (stratum - length) / 2;
    return part ? first - first % launch->wave : 0;
}

/* The last blocks of the launch before, which leave the L2 as the launch finds it, or nearly so. */
static struct trace_slice warming_slice(const struct estimate *estimate,
                                        const struct sampled *launch)
{
    const struct trace_launch *before = &estimate->source->launches[launch->launch - 1];
    const uint64_t blocks = launch_blocks(before);
    const uint64_t length = PART_WAVES * wave_of(estimate->machine, before);
    const uint64_t count = blocks < length ? blocks : length;
    return (struct trace_slice){launch->launch - 1, blocks - count, count};
}

static void cut_parts(struct estimate *estimate)
{
    size_t slice = 0, mark = 0;
    uint64_t given = 0; /* blocks of all slices so far */
    for (size_t i = 0; i < estimate->count; i++) {
        struct sampled *launch = &estimate->launches[i];
        if (launch->warmed) {
            estimate->slices[slice] = warming_slice(estimate, launch);
            given += estimate->slices[slice++].count;
        }
        launch->slice = slice;
        launch->mark = mark;
        for (uint64_t p = 0; p < launch->parts; p++) {
            for (unsigned m = 0; m < MARKS; m++)
                estimate->mark_blocks[mark++] = given + (WARM_WAVES + m) * launch->wave;
            const uint64_t first = part_first(launch, p), count = PART_WAVES * launch->wave;
            estimate->slices[slice++] = (struct trace_slice){launch->launch, first, count};
            given += count;
        }
        if (!launch->parts) {
            estimate->slices[slice++] = (struct trace_slice){launch->launch, 0, launch->blocks};
            given += launch->blocks;
        }
    }
}

static enum status plan(struct estimate *estimate, const struct evaluate_options *options)
{
    const uint32_t launches = estimate->source->launch_count;
    const uint32_t wanted = launches_wanted(estimate->source, estimate->share);
    estimate->launches = calloc(launches, sizeof *estimate->launches);
    if (!estimate->launches)
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    if (launches > wanted)
        status = draw_launches(estimate, wanted, options);
    for (uint32_t i = 0; launches <= wanted && i < launches; i++)
        add_launch(estimate, i, 0, 0);
    if (status)
        return status;
    estimate->slices = calloc(estimate->slice_count, sizeof *estimate->slices);
    estimate->ends = calloc(estimate->slice_count, sizeof *estimate->ends);
    estimate->mark_blocks = calloc(estimate->mark_count + 1, sizeof *estimate->mark_blocks);
    estimate->marks = calloc(estimate->mark_count + 1, sizeof *estimate->marks);
    if (!estimate->slices || !estimate->ends || !estimate->mark_blocks || !estimate->marks)
        return STATUS_MEMORY;
    cut_parts(estimate);
    return STATUS_OK;
}

/* ---- the run ---- */

static void end_slice(void *context, uint32_t slice, const struct gpu_counts *counts)
{
    struct estimate *estimate = context;
    estimate->ends[slice] = *counts;
}

static enum status run_parts(struct estimate *estimate, const struct evaluate_options *options,
                             struct diagnostics *diagnostics)
{
    struct trace_source *parts = NULL;
    struct gpu_counts counts;
    struct gpu_totals *totals = calloc(1, sizeof *totals);
    const struct gpu_marks marks = {estimate->mark_blocks, estimate->marks, estimate->mark_count};
    const struct gpu_options gpu = {.threads =
                                        options->threads > 1 ? (uint32_t)options->threads : 1,
                                    .evaluate = options,
                                    .marks = &marks,
                                    .launched = end_slice,
                                    .context = estimate};
    enum status status = totals ? trace_source_slice(estimate->source, estimate->slices,
                                                     (uint32_t)estimate->slice_count, &parts)
                                : STATUS_MEMORY;
    if (!status)
        status = gpu_run(estimate->machine, parts, &gpu, &counts, totals, diagnostics);
    trace_source_free(parts);
    free(totals);
    return status;
}

/* ---- the estimate ---- */

static void add_difference(struct totals *totals, const struct gpu_counts *begin,
                           const struct gpu_counts *end, double times)
{
    const uint64_t *from = (const uint64_t *)begin, *to = (const uint64_t *)end;
    for (size_t i = 0; i < COUNTS; i++)
        totals->at[i] += times * (double)(to[i] - (from ? from[i] : 0));
}

static double instructions_between(const struct gpu_counts *begin, const struct gpu_counts *end)
{
    return (double)(end->sm.instructions - (begin ? begin->sm.instructions : 0));
}

/* The instructions that are expected of the blocks that the first part of a launch lacks: as many
 * a block as in all its parts. */
static double lacking_instructions(const struct estimate *estimate, const struct sampled *launch,
                                   const struct gpu_counts *begin)
{
    const double length = (double)(PART_WAVES * launch->wave);
    const double all =
        instructions_between(begin, &estimate->ends[launch->slice + launch->parts - 1]);
    return all / ((double)launch->parts * length) * ((double)launch->blocks - length);
}

/* What to leave out, besides one counted wave or one launch by its number: the first or the second
 * half of the counted waves of every part, or nothing. */
#define FIRST_HALVES  (SIZE_MAX - 2)
#define SECOND_HALVES (SIZE_MAX - 1)
#define NOTHING       SIZE_MAX

static bool is_left_out(uint64_t wave, size_t left_out)
{
    const bool second = wave % COUNTED_WAVES >= COUNTED_WAVES / 2;
    return wave == left_out || (left_out == FIRST_HALVES && !second) ||
           (left_out == SECOND_HALVES && second);
}

/* Adds a launch, `weight` times. */
static void add_counts_of(const struct estimate *estimate, const struct sampled *launch,
                          double weight, size_t left_out, struct totals *totals)
{
    const struct gpu_counts *begin = launch->slice ? &estimate->ends[launch->slice - 1] : NULL;
    const uint64_t waves = launch->parts * COUNTED_WAVES;
    struct totals full = {0}; /* of the counted waves */
    double instructions = 0;
    add_difference(totals, begin, &estimate->ends[launch->slice], weight);
    for (uint64_t i = 0; i < waves; i++) {
        const struct gpu_counts *mark =
            &estimate->marks[launch->mark + i / COUNTED_WAVES * MARKS + i % COUNTED_WAVES];
        if (is_left_out(i, left_out))
            continue;
        add_difference(&full, mark, mark + 1, 1);
        instructions += instructions_between(mark, mark + 1);
    }
    if (!waves || !(instructions > 0))
        return;
    const double times = lacking_instructions(estimate, launch, begin) / instructions;
    for (size_t i = 0; i < COUNTS; i++)
        totals->at[i] += weight * times * full.at[i];
}

/* The metrics without `left_out`, which is a launch if `by_launch`. */
static void put_estimate(const struct estimate *estimate, bool by_launch, size_t left_out,
                         struct metrics *metrics)
{
    struct totals totals = {0};
    struct gpu_counts counts;
    uint64_t *rounded = (uint64_t *)&counts;
    uint32_t draws = estimate->draws;
    if (by_launch && left_out < estimate->count)
        draws -= estimate->launches[left_out].hits;
    for (size_t i = 0; i < estimate->count; i++) {
        const struct sampled *launch = &estimate->launches[i];
        const double weight = estimate->draws ? launch->hits / (draws * launch->chance) : 1;
        if (!by_launch || i != left_out)
            add_counts_of(estimate, launch, weight, by_launch ? NOTHING : left_out, &totals);
    }
    for (size_t i = 0; i < COUNTS; i++)
        rounded[i] = (uint64_t)(totals.at[i] + 0.5);
    timing_metrics(estimate->machine, estimate->source, &counts, NULL, metrics);
}

/* An L2 writes back once it is full. If the parts do not fill it long before they end and the whole
 * source may, nothing is known of its write-backs and of what they do to the DRAM. */
static void leave_out_writebacks(const struct estimate *estimate, struct metrics *metrics)
{
    const struct cache_config *l2 = &estimate->machine->l2;
    const struct cache_unit_counts *run = &estimate->ends[estimate->slice_count - 1].l2;
    const uint64_t *reads = run->reads, *writes = run->writes;
    const uint64_t brought = (reads[UNIT_MISS] + reads[UNIT_SECTOR_MISS] + writes[UNIT_MISS] +
                              writes[UNIT_SECTOR_MISS]) *
                             l2->sector;
    if (!l2->enabled || !(write_traits[l2->write] & WRITE_DIRTIES) || brought > 2 * l2->size ||
        metrics->l2_misses * (double)l2->sector < (double)l2->size / 2)
        return;
    metrics->l2_writebacks = metrics->l2_write_bytes = metrics->dram_writes = NAN;
    metrics->dram_bytes = metrics->dram_activates = metrics->dram_busy = NAN;
}

/* How many samples the jackknife leaves out one by one. */
static size_t sample_count(const struct estimate *estimate, bool by_launch)
{
    size_t most = 0;
    for (size_t i = 0; i < estimate->count; i++) {
        const size_t waves = estimate->launches[i].parts * COUNTED_WAVES;
        most = waves > most ? waves : most;
    }
    return by_launch ? estimate->count : most;
}

static void put_error(const struct estimate *estimate, const struct metrics *metrics,
                      struct metrics *error)
{
    const bool by_launch = estimate->draws && estimate->count > 1;
    const size_t count = sample_count(estimate, by_launch);
    const double n = (double)count, width = student_quantile(n - 1) * sqrt((n - 1) / n);
    double squares[METRIC_COUNT] = {0};
    struct metrics others, early, late;
    put_estimate(estimate, false, SECOND_HALVES, &early);
    put_estimate(estimate, false, FIRST_HALVES, &late);
    for (size_t s = 0; s < count; s++) {
        put_estimate(estimate, by_launch, s, &others);
        for (size_t i = 0; i < METRIC_COUNT; i++) {
            const struct metric *metric = &metric_table[i];
            const double moved = metric_get(metric, &others) - metric_get(metric, metrics);
            squares[i] += moved * moved;
        }
    }
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        const bool sampled = metric->provenance == FROM_STREAM || metric->provenance == FROM_MODEL;
        const double drift = fabs(metric_get(metric, &late) - metric_get(metric, &early));
        const bool share = metric->unit == UNIT_PERCENT; /* of a whole that is known */
        const double of = share ? 1 : fabs(metric_get(metric, metrics));
        const double floor = ESTIMATE_ERROR_FLOOR * of;
        const double reach = width * sqrt(squares[i]) + DRIFT_TO_COME * drift;
        metric_set(metric, error, sampled ? fmax(reach, floor) : 0);
    }
}

enum status timing_sample(const struct machine *machine, const struct trace_source *source,
                          double share, const struct evaluate_options *options,
                          struct metrics *metrics, struct metrics *error, bool *exact,
                          struct diagnostics *diagnostics)
{
    struct estimate estimate = {.machine = machine, .source = source, .share = share};
    enum status status = plan(&estimate, options);
    *exact = estimate.work > WORK_MOST;
    if (!status && !*exact)
        status = run_parts(&estimate, options, diagnostics);
    if (!status && !*exact) {
        put_estimate(&estimate, false, NOTHING, metrics);
        leave_out_writebacks(&estimate, metrics);
        put_error(&estimate, metrics, error);
    }
    free(estimate.launches);
    free(estimate.slices);
    free(estimate.mark_blocks);
    free(estimate.marks);
    free(estimate.ends);
    return status;
}
