/* evaluate(machine, source) -> metrics, and the pass that it is made of.
 *
 * A pass walks a source once: blocks are dealt to SMs, warps issue in order, their accesses are
 * coalesced, and the requests flow through a tree of stages: any number of L1Ds, behind each any
 * number of L2s, any number of TLBs, behind each any number of page-walk caches. So machines that
 * agree in a stage share its simulation, and all share decoding and coalescing. Deterministic: one
 * pass is sequential, passes are independent of each other. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/diag.h"
#include "model/lru/cache_batch.h"
#include "schema/machine.h"
#include "schema/metrics.h"
#include "trace/stream.h"

/* What costs extra and is left out unless asked for. */
enum evaluate_needs {
    NEED_CLASSES_L1D = 1 << 0, /* l1d.miss.*; at the reuse depth also l1d.reuse.run* */
    NEED_CLASSES_L2 = 1 << 1,
    NEED_OPT_L1D = 1 << 2, /* l1d.opt.miss_rate */
    NEED_OPT_L2 = 1 << 3,
    NEED_WALKERS = 1 << 4, /* walk.wait.*, walk.latency.*, walk.instruction.*, walker.* */
    NEED_REPORT = NEED_CLASSES_L1D | NEED_CLASSES_L2 | NEED_WALKERS, /* what people look at */
    NEED_ALL = 31
};

/* The needs that a metric has. */
unsigned metric_needs(const struct metric *metric);

struct pass_pool;
struct extent;
struct request_logs;
struct pc_table;
struct reuse_histogram;
struct reuse_loads;

/* What clock() around a load would tell a program: the reuse depth in textbook mode calls `loaded`
 * for each load of a warp, in the order in which they are served. Times are in issue slots of the
 * SM. `issued` is when the warp first tried (refusals count as waiting). */
struct load_time {
    uint32_t launch, warp; /* warp of its block */
    uint64_t block;
    uint64_t issued, ready;
};
struct load_clock {
    void (*loaded)(void *context, const struct load_time *time);
    void *context;
};

struct evaluate_options {
    enum depth depth; /* reuse answers for the stream and the L1D, and not for samples */
    unsigned needs;
    /* Of L2s, of an L1D without an L2 and of a TLB without a page-walk cache only those metrics are
     * asked that are METRIC_LOOKUP (SHARE_LOOKUPS), or these and METRIC_TRAFFIC: the others may be
     * NaN, and many caches may share a pass of model/lru/cache_batch.h. */
    enum pass_share share;
    const struct request_logs *record; /* model/pass/request_log.h: of an exact run; may be NULL */
    /* Of the first machine, beside its metrics; NULL: not wanted. */
    struct pc_table *pcs; /* model/cache/pc_table.h: its L1D's accesses by instruction */
    struct reuse_histogram *histogram; /* model/reuse/histogram.h: at the reuse depth */
    const struct load_clock *clock;    /* at the reuse depth, textbook */
    const struct reuse_loads *loads;   /* model/reuse/loads.h: read before; may be NULL */
    /* Called about every `interval` seconds with the share done in [0, 1]; may be NULL. The share
     * is one of blocks, or of work where the source's extent is known. */
    void (*progress)(void *argument, double share);
    void *argument;
    double interval; /* 0: a tenth of a second */
    /* At the functional depth: who may help, and into how many groups the machines are dealt at
     * most (model/pass/pass_pool.h); NULL, 0: the caller is alone. */
    struct pass_pool *pool;
    size_t groups;
    const struct extent *extent; /* model/gpu/extent.h; may be NULL, or of another source */
    const atomic_bool *cancel; /* set by another thread: ends with STATUS_CANCELLED; may be NULL */
};

bool evaluate_cancelled(const struct evaluate_options *options);
/* Whether it is time for a call of `progress`, the last one of which was at *reported. */
bool evaluate_due(const struct evaluate_options *options, double *reported);

/* All metrics of one machine on one source. `options` may be NULL (no extra needs). The machine
 * must have no violations. Metrics that were not asked for or do not exist are NaN. */
enum status evaluate(const struct machine *machine, const struct trace_source *source,
                     const struct evaluate_options *options, struct metrics *metrics,
                     struct diagnostics *diagnostics);

/* Many machines in one pass. They must agree in all STAGE_STREAM parameters (machine_same); results
 * go to metrics[i]. Machines with equal stages share them, whatever their order. */
enum status evaluate_many(const struct machine *const *machines, size_t count,
                          const struct trace_source *source, const struct evaluate_options *options,
                          struct metrics *metrics, struct diagnostics *diagnostics);

/* An estimate from evenly spaced windows of blocks, each warmed up first. error[] holds the half
 * width of a 95 % interval for every metric, 0 where the metric needs no stream. `share` in (0, 1]
 * is about how much of the source is simulated; where the source is too small to sample, everything
 * is simulated, *exact is true and error is 0. Miss classes, OPT and the times of page walks (how
 * full the buffer is) depend on everything before, so an estimate leaves them NaN, and the metrics
 * of the L2 and behind a shared TLB where no window could warm it. */
enum status evaluate_sampled(const struct machine *machine, const struct trace_source *source,
                             double share, const struct evaluate_options *options,
                             struct metrics *metrics, struct metrics *error, bool *exact,
                             struct diagnostics *diagnostics);

/* False where the source is so small for this machine and share that evaluate_sampled would
 * simulate all of it. */
bool evaluate_samples(const struct machine *machine, const struct trace_source *source,
                      double share);

/* Sentences that a reader of the numbers must know ("scheduler.policy gto is replayed as round
 * robin at the functional depth"). Writes up to `max` pointers to static text; returns how many. */
size_t evaluate_notes(const struct machine *machine, enum depth depth, const char *notes[],
                      size_t max);
