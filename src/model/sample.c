/* Estimates from windows (evaluate_sampled of model/evaluate.h).
 *
 * The blocks of all launches stand in one row; each of equal strata gives one window, never a
 * prefix: a prefix sees one phase only. A wave is what all SMs hold at once. The first waves of a
 * window fill the caches and are not counted, the last two are. Counts are scaled to the whole,
 * rates come from the scaled counts. The error is the spread between windows (jackknife), and what
 * no window sees: filling each structure once, at the start of the whole run.
 *
 * One wave warms an L1D and a TLB; an L2 and a shared TLB need as many as bring in what they hold.
 * A probe measures how many that are; where the source has not enough blocks for such windows, the
 * estimate says nothing about them and what is behind them, rather than something that a cold cache
 * made up. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "model/evaluate.h"
#include "model/gpu/occupancy.h"
#include "model/pass/pass.h"

enum { WINDOWS_LEAST = 12, COUNTED_WAVES = 2 };

/* How often the warm-up brings in what a shared level holds: hashed or conflicting sets fill late.
 */
#define TURNOVERS 1.5

/* A dozen windows do not see what is rarer, such as the first and last rows of a grid. */
#define SPREAD_FLOOR 0.005

struct windows {
    uint64_t blocks; /* of the source */
    uint64_t wave;   /* blocks */
    uint64_t warm;   /* blocks of a window that are not counted */
    uint64_t length; /* blocks of a window */
    uint64_t count;
    bool l2, l2tlb; /* the warm-up is long enough for it */
};

static void set_warmup(struct windows *windows, uint64_t waves, double share)
{
    windows->warm = waves * windows->wave;
    windows->length = windows->warm + COUNTED_WAVES * windows->wave;
    double wanted = share * (double)windows->blocks / (double)windows->length;
    windows->count = wanted < WINDOWS_LEAST ? WINDOWS_LEAST : (uint64_t)wanted;
}

/* Windows that would cover more than half of the source save nothing. */
static bool windows_fit(const struct windows *windows)
{
    return windows->wave && windows->count * windows->length * 2 <= windows->blocks;
}

static struct windows plan_windows(const struct machine *machine, const struct trace_source *source,
                                   double share)
{
    struct windows windows = {0};
    double resident = 0;
    for (uint32_t i = 0; i < source->launch_count; i++) {
        uint64_t blocks = launch_blocks(&source->launches[i]);
        windows.blocks += blocks;
        resident +=
            (double)occupancy_of(&machine->gpu, &source->launches[i]).blocks * (double)blocks;
    }
    if (windows.blocks)
        windows.wave = (uint64_t)ceil(resident / (double)windows.blocks * (double)machine->gpu.sms);
    set_warmup(&windows, 1, share);
    return windows;
}

/* The slices that make up blocks [first, first + count) of the row, which closes to a ring: so
 * every block is as likely as any other to be in a window, those at the edges of a grid too. */
static enum status cut_window(const struct trace_source *source, uint64_t first, uint64_t count,
                              struct trace_source **part)
{
    struct trace_slices slices = {0};
    enum status status = trace_slices_add(&slices, source, first, count);
    if (!status)
        status = trace_source_slice(source, slices.items, (uint32_t)slices.count, part);
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

static enum status run_window(const struct machine *machine, const struct trace_source *source,
                              const struct windows *windows, uint64_t index,
                              const struct evaluate_options *options, struct metrics *metrics,
                              struct diagnostics *diagnostics)
{
    /* One window a stratum, at a place drawn in it: even distances would beat with the grid's rows.
     */
    uint64_t stratum = windows->blocks / windows->count;
    uint64_t first = stratum * index + random_below(random_at(machine->seed, index), stratum);
    struct trace_source *part = NULL;
    double counted = 1;
    enum status status = cut_window(source, first, windows->length, &part);
    if (!status)
        status =
            pass_run(&machine, 1, part, options, windows->warm, metrics, &counted, diagnostics);
    trace_source_free(part);
    if (status)
        return status;
    /* What the window would have counted without a warm-up, then all blocks. */
    double scale = (double)windows->blocks / (double)windows->length / (counted > 0 ? counted : 1);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        bool count = metric->unit == UNIT_NONE || metric->unit == UNIT_BYTES;
        if (count && (metric->provenance == FROM_STREAM || metric->provenance == FROM_FUNCTIONAL))
            metric_set(metric, metrics, metric_get(metric, metrics) * scale);
    }
    metrics_derive(metrics);
    return STATUS_OK;
}

/* Waves that bring in what a level of `size` holds, where the whole source brings in `brought`. */
static double filling_waves(double size, double brought, double waves)
{
    return fmax(ceil(TURNOVERS * size * waves / brought), 1);
}

/* Lengthens the warm-up to `needed` waves if there are so many. */
static bool lengthen(struct windows *windows, double needed, double share)
{
    struct windows longer = *windows;
    if (needed >= (double)windows->blocks / (double)windows->wave)
        return false;
    set_warmup(&longer, (uint64_t)needed, share);
    bool fits = windows_fit(&longer);
    if (fits)
        *windows = longer;
    return fits;
}

/* Lengthens the warm-up for what the SMs share, as a window in the middle shows that it must be. */
static enum status plan_shared(const struct machine *machine, const struct trace_source *source,
                               double share, const struct evaluate_options *options,
                               struct windows *windows, struct diagnostics *diagnostics)
{
    bool l2 = machine->l2.enabled, l2tlb = machine->tlb.enabled && machine->l2tlb.enabled;
    if (!l2 && !l2tlb)
        return STATUS_OK;
    struct metrics metrics;
    struct windows probe = *windows;
    probe.count = 3; /* the middle one of three strata */
    enum status status = run_window(machine, source, &probe, 1, options, &metrics, diagnostics);
    if (status)
        return status;
    double waves = (double)windows->blocks / (double)windows->wave;
    double l2_waves = filling_waves((double)machine->l2.size,
                                    metrics.l2_misses * (double)machine->l2.sector, waves);
    double l2tlb_waves = filling_waves((double)machine->l2tlb.entries, metrics.l2tlb_misses, waves);
    l2 = l2 && metrics.l2_misses > 0;
    l2tlb = l2tlb && metrics.l2tlb_misses > 0;
    if (l2 && l2tlb && lengthen(windows, fmax(l2_waves, l2tlb_waves), share)) {
        windows->l2 = windows->l2tlb = true;
        return STATUS_OK;
    }
    windows->l2 = l2 && lengthen(windows, l2_waves, share);
    windows->l2tlb = !windows->l2 && l2tlb && lengthen(windows, l2tlb_waves, share);
    return STATUS_OK;
}

/* The two-sided 95 % quantile of Student's t (Cornish-Fisher expansion, within 1 % from 3 degrees
 * of freedom on). */
static double student_quantile(double freedom)
{
    return 1.96 + 2.372 / freedom + 2.823 / (freedom * freedom) +
           2.556 / (freedom * freedom * freedom);
}

/* The metrics of all windows but `left_out` (or of all): means of the scaled counts, and the rates
 * that follow from them. A window without any access has no rate (NaN) and is passed over. */
static void mean_metrics(const struct metrics *samples, const struct windows *windows,
                         uint64_t left_out, struct metrics *mean)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        double sum = 0;
        uint64_t used = 0;
        for (uint64_t w = 0; w < windows->count; w++) {
            double value = metric_get(&metric_table[i], &samples[w]);
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
 * windows' own rates it is right for ratios of sums too. */
static void add_spread(const struct metrics *samples, const struct windows *windows,
                       const struct metrics *metrics, struct metrics *error)
{
    double n = (double)windows->count;
    double taken = n * (double)windows->length / (double)windows->blocks;
    double width = student_quantile(n - 1) * sqrt((n - 1) / n) * sqrt(taken < 1 ? 1 - taken : 0);
    double squares[METRIC_COUNT] = {0};
    for (uint64_t w = 0; w < windows->count; w++) {
        struct metrics others;
        mean_metrics(samples, windows, w, &others);
        for (size_t i = 0; i < METRIC_COUNT; i++) {
            double moved =
                metric_get(&metric_table[i], &others) - metric_get(&metric_table[i], metrics);
            squares[i] += moved * moved;
        }
    }
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        double floor = SPREAD_FLOOR * fabs(metric_get(&metric_table[i], metrics));
        metric_set(&metric_table[i], error, fmax(width * sqrt(squares[i]), floor));
    }
}

/* Misses that fill the structures of a stage from empty, at most; *bytes is what one brings in. */
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

/* Likewise of the metrics behind the TLBs: how many walks more, and what a walk may read more: up
 * to three entries, as often as the page-walk cache has entries to fill. */
static double filling_walks(const struct machine *machine)
{
    return machine->l2tlb.enabled ? (double)machine->l2tlb.entries
                                  : (double)machine->tlb.entries * (double)machine->gpu.sms;
}

static double filling_reads(const struct machine *machine)
{
    return machine->pwc.organization == PWC_NONE ? 0 : 3 * (double)machine->pwc.entries;
}

/* How far filling can move a metric behind the TLBs. */
static double walk_reach(const struct machine *machine, const struct metric *metric,
                         const struct metrics *metrics)
{
    double value = metric_get(metric, metrics), reads = filling_reads(machine);
    if (metric->unit == UNIT_PERCENT) /* of the page-walk cache; the others are derived */
        return -fmin(value, reads / 3 / metrics->walk_count);
    bool entries = metric->offset == offsetof(struct metrics, walk_memory_accesses) ||
                   metric->offset == offsetof(struct metrics, walk_tpc_accesses);
    return filling_walks(machine) + (entries ? reads : 0);
}

/* The windows see warm caches; the whole run starts cold. Moves every count by what that can cost
 * and takes what it does to the rates from metrics_derive. */
static void add_filling(const struct machine *machine, double launches,
                        const struct metrics *metrics, struct metrics *error)
{
    struct metrics moved = *metrics;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        double bytes, misses = filling_misses(machine, metric->stage, launches, &bytes);
        double value = metric_get(metric, metrics), reach = misses;
        /* A number without a direction is no miss, but for the reads of the TPC beside the cache.
         */
        bool misses_too = metric->direction != NO_DIRECTION ||
                          metric->offset == offsetof(struct metrics, walk_tpc_accesses);
        if (metric->provenance != FROM_FUNCTIONAL || !misses_too)
            continue;
        if (metric->stage == STAGE_PWC)
            reach = walk_reach(machine, metric, metrics);
        else if (metric->unit == UNIT_BYTES)
            reach *= bytes;
        /* Where windows saw none at all, as sector misses of an unsectored cache, there is none. */
        if (value > 0)
            metric_set(metric, &moved, value + reach);
    }
    metrics_derive(&moved);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        double reach = fabs(metric_get(metric, &moved) - metric_get(metric, metrics));
        metric_set(metric, error, metric_get(metric, error) + reach);
    }
}

static void combine(const struct machine *machine, double launches, const struct metrics *samples,
                    const struct windows *windows, struct metrics *metrics, struct metrics *error)
{
    mean_metrics(samples, windows, windows->count, metrics);
    add_spread(samples, windows, metrics, error);
    add_filling(machine, launches, metrics, error);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        bool sampled = metric->provenance == FROM_STREAM || metric->provenance == FROM_FUNCTIONAL;
        bool cold = (metric->stage == STAGE_L2 && !windows->l2) ||
                    (metric->stage == STAGE_PWC && machine->l2tlb.enabled && !windows->l2tlb);
        if (cold)
            metric_set(metric, metrics, NAN);
        if (!sampled)
            metric_set(metric, error, 0);
        if (metric->stage == STAGE_AREA) /* no mean of equal numbers, which would round them */
            metric_set(metric, metrics, metric_get(metric, &samples[0]));
    }
    /* What a page-walk cache holds comes from far more of the grid than a window and its warm-up.
     */
    metrics->pwc_redundancy = error->pwc_redundancy = NAN;
}

bool evaluate_samples(const struct machine *machine, const struct trace_source *source,
                      double share)
{
    struct windows windows = plan_windows(machine, source, share);
    return windows_fit(&windows);
}

enum status evaluate_sampled(const struct machine *machine, const struct trace_source *source,
                             double share, const struct evaluate_options *options,
                             struct metrics *metrics, struct metrics *error, bool *exact,
                             struct diagnostics *diagnostics)
{
    static const struct evaluate_options nothing = {0};
    if (!options)
        options = &nothing;
    struct windows windows = plan_windows(machine, source, share);
    *exact = !windows_fit(&windows);
    if (*exact) {
        for (size_t i = 0; i < METRIC_COUNT; i++)
            metric_set(&metric_table[i], error, 0);
        return evaluate(machine, source, options, metrics, diagnostics);
    }
    struct evaluate_options inner = {.cancel = options->cancel};
    enum status status = plan_shared(machine, source, share, &inner, &windows, diagnostics);
    if (status)
        return status;
    struct window_progress progress = {options, 0, windows.count};
    if (options->progress) {
        inner.progress = report_progress;
        inner.argument = &progress;
    }
    struct metrics *samples = calloc(windows.count, sizeof *samples);
    if (!samples)
        return STATUS_MEMORY;
    for (; progress.done < windows.count && !status; progress.done++)
        status = run_window(machine, source, &windows, progress.done, &inner,
                            &samples[progress.done], diagnostics);
    if (!status)
        combine(machine, source->launch_count, samples, &windows, metrics, error);
    free(samples);
    return status;
}
