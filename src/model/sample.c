/* Estimates of the functional depth from windows. model/windows.h chooses them.
 *
 * The first waves of a window fill the caches. The next two waves are counted block by block, not
 * by time: from the first access of each block to its last. One more wave follows to keep the SMs
 * as full as they are in the whole run. Counts are scaled to the whole source, and rates are
 * computed from the scaled counts.
 *
 * The error has three parts. First, the spread between windows (jackknife, Student's t). Second,
 * the unknown contents of the caches at the start of a window: each window is simulated twice, from
 * empty caches and from caches that hold the best, and the truth lies between the two wherever the
 * warm-up has not made them equal. Third, what windows rarely see: the first fill of each structure
 * at the start of the whole run, and events so rare that no window contained one.
 *
 * A probe window measures how many waves it takes to bring in what each level holds, and the
 * warm-up is lengthened to that if the source has enough blocks. If the windows leave more than
 * half of the misses of the L2 or of a shared TLB undecided, the estimate gives no metrics for that
 * level and those after it.
 *
 * Cost: two simulations of each window's blocks; the jackknife is quadratic in the number of
 * windows. */
#include "model/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/student.h"
#include "model/gpu/occupancy.h"
#include "model/pass/pass.h"
#include "model/timing_estimate.h"
#include "model/windows.h"
#include "schema/depths.h"

/* How many times the warm-up brings in what a level holds: once to fill it, once more until lines
 * that were dirty at first have been written back, and half as much again because sets do not fill
 * evenly. */
#define TURNOVERS 2.5

/* If the windows cover more than this share of the work they save nothing, since each is simulated
 * twice. */
#define WORK_MOST 0.5

/* The metrics of a window, simulated from empty caches and from caches that hold the best. */
struct bounds {
    struct metrics at[WINDOW_BOUNDS];
};

static enum status cut_window(const struct trace_source *source, const struct window *window,
                              struct trace_source **part, bool *midway)
{
    struct trace_slices slices = {0};
    enum status status = trace_slices_add(&slices, source, window->first, window->length);
    if (!status) {
        status = trace_source_slice(source, slices.items, (uint32_t)slices.count, part);
        *midway = slices.items[0].first > 0;
    }
    free(slices.items);
    return status;
}

struct window_progress {
    const struct evaluate_options *outer;
    uint64_t done, count;
};

static void report_progress(void *argument, double share)
{
    struct window_progress *progress = argument;
    progress->outer->progress(progress->outer->argument,
                              ((double)progress->done + share) / (double)progress->count);
}

/* Scales the counts of a window to an estimate of the whole. */
static void scale_counts(double chance, struct metrics *metrics)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        bool count = metric->unit == UNIT_NONE || metric->unit == UNIT_BYTES;
        if (count && (metric->provenance == FROM_STREAM || metric->provenance == FROM_MODEL))
            metric_set(metric, metrics, metric_get(metric, metrics) / chance);
    }
    metrics_derive(metrics);
}

static enum status run_window(const struct windows *windows, const struct window *drawn,
                              const struct evaluate_options *options, struct bounds *bounds,
                              struct diagnostics *diagnostics)
{
    struct trace_source *part = NULL;
    struct pass_window window = {.counted = drawn->counted, .fresh = !drawn->first};
    enum status status = cut_window(windows->source, drawn, &part, &window.midway);
    window.source = part;
    if (!status)
        status = pass_run_window(windows->machine, &window, options, bounds->at, diagnostics);
    trace_source_free(part);
    for (unsigned k = 0; k < WINDOW_BOUNDS && !status; k++)
        scale_counts(drawn->chunk->chance, &bounds->at[k]);
    return status;
}

/* Simulates sample `index`. If most of the work is in one chunk, that chunk is drawn several times
 * in a row; its result is then copied. */
static enum status take_sample(const struct windows *windows, uint64_t index,
                               const struct evaluate_options *options, struct bounds *samples,
                               struct diagnostics *diagnostics)
{
    const struct window drawn = windows_draw(windows, index, windows->count);
    if (index && windows_draw(windows, index - 1, windows->count).chunk == drawn.chunk) {
        samples[index] = samples[index - 1];
        return STATUS_OK;
    }
    return run_window(windows, &drawn, options, &samples[index], diagnostics);
}

/* Waves that it takes to bring in what a level of `size` holds, if the whole source brings in
 * `brought`. */
static double filling_waves(double size, double brought, const struct windows *windows)
{
    const double waves = (double)windows->blocks / windows->wave;
    return fmax(ceil(TURNOVERS * size * waves / brought),
                1); /* infinite if nothing is brought in */
}

/* Lengthens the warm-up for each level, smallest first, to what a window in the middle shows to be
 * needed. A level that the longest possible warm-up cannot fill stays open between the two bounds.
 */
static enum status plan_warmup(struct windows *windows, double share,
                               const struct evaluate_options *options,
                               struct diagnostics *diagnostics)
{
    const struct machine *machine = windows->machine;
    const double sms = (double)machine->gpu.sms;
    const struct window middle = windows_draw(windows, 1, 3);
    struct bounds bounds;
    enum status status = run_window(windows, &middle, options, &bounds, diagnostics);
    if (status)
        return status;
    const struct metrics *best = &bounds.at[WINDOW_WARM];
    const struct level {
        bool exists;
        double size, brought;
    } levels[] = {
        {machine->tlb.enabled, (double)machine->tlb.entries * sms, best->tlb_misses},
        {machine->l1d.enabled, (double)machine->l1d.size * sms, best->l1d_read_bytes},
        {machine->tlb.enabled && machine->l2tlb.enabled, (double)machine->l2tlb.entries,
         best->l2tlb_misses},
        {machine->l2.enabled, (double)machine->l2.size,
         best->l2_misses * (double)machine->l2.sector},
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (!levels[i].exists || !(levels[i].brought > 0))
            continue;
        double needed = filling_waves(levels[i].size, levels[i].brought, windows);
        if (needed > windows->warm_waves)
            windows_fit(windows, needed, share);
    }
    return STATUS_OK;
}

/* Means over the windows of one bound, without window `left_out` (pass `count` to use all): counts
 * are averaged after scaling, rates follow from them. A window without accesses has no rate (NaN)
 * and is skipped. */
static void mean_metrics(const struct bounds *samples, unsigned bound,
                         const struct windows *windows, uint64_t left_out, struct metrics *mean)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        double sum = 0;
        uint64_t used = 0;
        for (uint64_t w = 0; w < windows->count; w++) {
            double value = metric_get(&metric_table[i], &samples[w].at[bound]);
            if (w == left_out || isnan(value))
                continue;
            sum += value;
            used++;
        }
        metric_set(&metric_table[i], mean, used ? sum / (double)used : NAN);
    }
    metrics_derive(mean);
}

/* Jackknife: how much the answer moves when one window is left out. Unlike the spread of the
 * windows' own rates, this is also right for ratios of sums. */
static void find_spread(const struct bounds *samples, unsigned bound, const struct windows *windows,
                        const struct metrics *metrics, struct metrics *spread)
{
    double n = (double)windows->count;
    double width = student_quantile(n - 1) * sqrt((n - 1) / n);
    double squares[METRIC_COUNT] = {0};
    for (uint64_t w = 0; w < windows->count; w++) {
        struct metrics others;
        mean_metrics(samples, bound, windows, w, &others);
        for (size_t i = 0; i < METRIC_COUNT; i++) {
            double moved =
                metric_get(&metric_table[i], &others) - metric_get(&metric_table[i], metrics);
            squares[i] += moved * moved;
        }
    }
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        double floor = ESTIMATE_ERROR_FLOOR * fabs(metric_get(&metric_table[i], metrics));
        metric_set(&metric_table[i], spread, fmax(width * sqrt(squares[i]), floor));
    }
}

/* Takes the middle of the two bounds as the estimate, and half their distance plus the wider spread
 * as the error. */
static void put_between(const struct bounds *samples, const struct windows *windows,
                        struct bounds *means, struct metrics *metrics, struct metrics *error)
{
    struct metrics spreads[WINDOW_BOUNDS];
    for (unsigned k = 0; k < WINDOW_BOUNDS; k++) {
        mean_metrics(samples, k, windows, windows->count, &means->at[k]);
        find_spread(samples, k, windows, &means->at[k], &spreads[k]);
    }
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        double cold = metric_get(metric, &means->at[WINDOW_COLD]);
        double warm = metric_get(metric, &means->at[WINDOW_WARM]);
        double spread = fmax(metric_get(metric, &spreads[WINDOW_COLD]),
                             metric_get(metric, &spreads[WINDOW_WARM]));
        metric_set(metric, metrics, (cold + warm) / 2);
        metric_set(metric, error, fabs(cold - warm) / 2 + spread);
    }
}

/* The stages for which the functions below say what a warm window hides. Of the others an estimate
 * says nothing. */
enum { FILLING_STAGES = STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_PWC };

/* The most misses that filling the structures of a stage from empty can cost; *bytes is what one
 * miss brings in. */
static double filling_misses(const struct machine *machine, enum stage stage, double launches,
                             double *bytes)
{
    const struct cache_config *cache = stage == STAGE_L1D ? &machine->l1d : &machine->l2;
    double sms = (double)machine->gpu.sms;
    uint64_t sectors = cache->size / cache->sector;
    *bytes = (double)cache->sector;
    switch (stage) {
    case STAGE_L1D:
        return (double)sectors * sms * (cache->flush ? launches : 1);
    case STAGE_L2:
        return (double)sectors * (cache->flush ? launches : 1);
    case STAGE_TLB:
        return (double)machine->tlb.entries * sms;
    default:
        return 0;
    }
}

/* The same for page walks: how many more walks there may be, and how many more entries they may
 * read: up to three for each entry of the page-walk cache. */
static double filling_walks(const struct machine *machine)
{
    return machine->l2tlb.enabled ? (double)machine->l2tlb.entries
                                  : (double)machine->tlb.entries * (double)machine->gpu.sms;
}

static double filling_reads(const struct machine *machine)
{
    return machine->pwc.organization == PWC_NONE ? 0 : 3 * (double)machine->pwc.entries;
}

/* How far the first fill can move a metric of page walks. */
static double walk_reach(const struct machine *machine, const struct metric *metric,
                         const struct metrics *metrics)
{
    double value = metric_get(metric, metrics), reads = filling_reads(machine);
    if (metric->unit ==
        UNIT_PERCENT) /* a hit rate of the page-walk cache; other percentages are derived */
        return -fmin(value, reads / 3 / metrics->walk_count);
    bool entries = metric->offset == offsetof(struct metrics, walk_memory_accesses) ||
                   metric->offset == offsetof(struct metrics, walk_tpc_accesses);
    return filling_walks(machine) + (entries ? reads : 0);
}

/* The largest share of the whole that an event may have if none of `count` windows saw it: a larger
 * share would go unseen less often than once in twenty. */
static double unseen_share(uint64_t count)
{
    return 1 - pow(0.05, 1 / (double)count);
}

/* The look-ups of the level that produces a metric's misses or walks. */
static double lookups_of(const struct metric *metric, const struct metrics *metrics)
{
    switch (metric->stage) {
    case STAGE_L1D:
        return metrics->l1d_accesses;
    case STAGE_L2:
        return metrics->l2_accesses;
    default:
        return metrics->tlb_accesses;
    }
}

/* The windows see warm caches, but the whole run starts cold. Moves every count by what that can
 * cost; metrics_derive then gives the effect on the rates. */
static void add_filling(const struct windows *windows, const struct metrics *metrics,
                        struct metrics *error)
{
    const struct machine *machine = windows->machine;
    const double launches = windows->source->launch_count;
    struct metrics moved = *metrics;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        double bytes, misses = filling_misses(machine, metric->stage, launches, &bytes);
        double value = metric_get(metric, metrics), reach = misses;
        /* A metric without a direction does not count misses, except the reads of the TPC beside
         * the page-walk cache. */
        bool misses_too = metric->direction != NO_DIRECTION ||
                          metric->offset == offsetof(struct metrics, walk_tpc_accesses);
        if (metric->provenance != FROM_MODEL || !misses_too)
            continue;
        if (metric->stage == STAGE_PWC)
            reach = walk_reach(machine, metric, metrics);
        else if (metric->unit == UNIT_BYTES)
            reach *= bytes;
        bool rare = metric->traits & METRIC_BOUNDED || metric->stage == STAGE_PWC;
        if (value > 0)
            metric_set(metric, &moved, value + reach);
        else if (rare && metric->unit == UNIT_NONE) /* others, as sector misses, may not exist */
            metric_set(metric, &moved, unseen_share(windows->count) * lookups_of(metric, metrics));
    }
    metrics_derive(&moved);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        double reach = fabs(metric_get(metric, &moved) - metric_get(metric, metrics));
        metric_set(metric, error, metric_get(metric, error) + reach);
    }
}

/* Whether the bounds leave more than half of a level's misses undecided. */
static bool left_open(double cold, double warm)
{
    return cold - warm > cold / 2;
}

static void combine(const struct machine *machine, const struct trace_source *source,
                    const struct bounds *samples, const struct windows *windows,
                    struct metrics *metrics, struct metrics *error)
{
    struct bounds means;
    put_between(samples, windows, &means, metrics, error);
    const struct metrics *cold = &means.at[WINDOW_COLD], *warm = &means.at[WINDOW_WARM];
    const bool no_l2 = left_open(cold->l2_misses, warm->l2_misses);
    const bool no_walks = left_open(cold->l2tlb_misses, warm->l2tlb_misses);
    add_filling(windows, cold, error);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        const unsigned stages = metric_stages(metric);
        bool sampled = metric->stage != STAGE_AREA && metric->provenance != FROM_FORMULA;
        bool unknown = metric->provenance == FROM_MODEL && !(metric->stage & FILLING_STAGES);
        if (unknown || (stages & STAGE_L2 && no_l2) || (stages & STAGE_PWC && no_walks))
            metric_set(metric, metrics, NAN);
        if (!sampled)
            metric_set(metric, error, 0);
        if (metric->stage ==
            STAGE_AREA) /* copied, because a mean of equal numbers would round them */
            metric_set(metric, metrics, metric_get(metric, &samples[0].at[WINDOW_COLD]));
    }
    /* The contents of a page-walk cache come from far more of the grid than a window and its
     * warm-up. */
    metrics->pwc_redundancy = error->pwc_redundancy = NAN;
    /* The SMs of a window are full except at its ends; the whole run has no such ends. */
    metrics->occupancy_mean_warps = error->occupancy_mean_warps = NAN;
    const struct occupancy_mean fits = occupancy_mean_of(machine, source);
    metrics->occupancy_blocks = fits.blocks;
    metrics->occupancy_warps = fits.warps;
}

static enum status take_samples(const struct windows *windows,
                                const struct evaluate_options *options, struct bounds *samples,
                                struct diagnostics *diagnostics)
{
    struct window_progress progress = {options, 0, windows->count};
    struct evaluate_options inner = {.cancel = options->cancel};
    enum status status = STATUS_OK;
    if (options->progress) {
        inner.progress = report_progress;
        inner.argument = &progress;
    }
    for (; progress.done < windows->count && !status; progress.done++)
        status = take_sample(windows, progress.done, &inner, samples, diagnostics);
    return status;
}

enum status functional_sample(const struct machine *machine, const struct trace_source *source,
                              double share, const struct evaluate_options *options,
                              struct metrics *metrics, struct metrics *error, bool *exact,
                              struct diagnostics *diagnostics)
{
    const struct evaluate_options probing = {.cancel = options->cancel};
    struct windows windows;
    struct bounds *samples = NULL;
    enum status status = windows_plan(machine, source, share, options->cancel, &windows);
    if (!status && windows_work(&windows) <= WORK_MOST)
        status = plan_warmup(&windows, share, &probing, diagnostics);
    *exact = !status && windows_work(&windows) > WORK_MOST;
    if (!status && !*exact && !(samples = calloc(windows.count, sizeof *samples)))
        status = STATUS_MEMORY;
    if (!status && !*exact)
        status = take_samples(&windows, options, samples, diagnostics);
    if (!status && !*exact)
        combine(machine, source, samples, &windows, metrics, error);
    windows_free(&windows);
    free(samples);
    return status;
}

void sample_whole_note(const struct machine *machine, const struct trace_source *source,
                       enum depth depth, char text[SAMPLE_WHOLE_TEXT])
{
    struct machine built = *machine;
    machine_apply_kind(&built);
    const bool timed = depth_can(depth, DEPTH_TIMED);
    const double blocks = occupancy_mean_of(&built, source).blocks * (double)built.gpu.sms;
    const double waves = (double)trace_source_blocks(source) / blocks;
    const int least = timed ? TIMING_WAVES_LEAST : WINDOWS_WAVES_LEAST;
    if (source->tiles)
        snprintf(text, SAMPLE_WHOLE_TEXT, "the passes of a scene are no grid to sample: all ran");
    else if (waves < least)
        snprintf(text, SAMPLE_WHOLE_TEXT,
                 "too short to sample: %.*f waves of blocks, at least %d%s are needed: all ran",
                 waves < 10, waves, least, timed ? " of one launch" : "");
    else
        snprintf(text, SAMPLE_WHOLE_TEXT,
                 "not sampled: the samples would be more than half of the work: all ran");
}
