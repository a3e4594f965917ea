/* The options that evaluate (model/evaluate.h), a pass and a replay have in common: what to
 * measure, how to report progress, and when to stop. All zero means: exact counts only, on the
 * calling thread. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/diag.h"
#include "model/lru/cache_batch.h"
#include "schema/ideals.h"
#include "schema/machine.h"
#include "schema/metrics.h"
#include "trace/stream.h"

/* Measurements that cost extra and are left out unless asked for, as one mask over stages: the
 * classes of misses (at the reuse depth also l1d.reuse.run*), the misses of the optimum, and times.
 */
#define NEED_CLASSES(stages) ((unsigned)(stages))
#define NEED_OPTIMUM(stages) ((unsigned)(stages) << STAGE_BITS)
#define NEED_TIMES(stages)   ((unsigned)(stages) << 2 * STAGE_BITS)
#define NEED_REPORT                                                                                \
    (NEED_CLASSES(STAGE_EVERY) | NEED_TIMES(STAGE_EVERY)) /* what a report shows                   \
                                                           */
#define NEED_ALL (NEED_REPORT | NEED_OPTIMUM(STAGE_EVERY))

/* The needs that must be set for this metric to be measured. */
unsigned metric_needs(const struct metric *metric);

/* The least error of an estimate, as a share of the metric: a dozen samples miss rare events, such
 * as the first and last rows of a grid. */
#define ESTIMATE_ERROR_FLOOR 0.005

struct pass_pool;
struct extent;
struct request_logs;
struct timing_log;
struct pc_table;
struct reuse_histogram;
struct reuse_loads;
struct block_placement;
struct run_proof;
struct event_watch;

/* The times that clock() around a load would show a program. In textbook mode the reuse depth calls
 * `loaded` for each load of a warp, in the order in which loads are served. Times are in issue
 * slots of the SM. `issued` is the warp's first attempt, so refusals by the MSHRs count as waiting.
 */
struct load_time {
    uint32_t launch, warp; /* `warp` counts within the block */
    uint64_t block;
    uint64_t issued, ready;
};
struct load_clock {
    void (*loaded)(void *context, const struct load_time *time);
    void *context;
};

struct evaluate_options {
    enum depth depth; /* the reuse depth answers only for the stream and the L1D */
    /* Limits that are taken out of every machine (model/ideal_machine.h); area and energy stay
     * those of the machine itself. STATUS_INVALID for one that does not exist at this depth. */
    struct ideal_set ideals;
    /* Timing depth: the first launch begins so many cycles later, which are not counted. Such a
     * start means nothing, so what it moves is noise. */
    uint32_t start_delay;
    /* Timing depth, of the first machine and not of estimates (model/gpu/
     * block_placement.h): which SM ran each block is written to the first, or is what the second
     * says. They may be NULL, and must not be the same. */
    struct block_placement *record_placement;
    const struct block_placement *placement;
    /* Timing depth, of all machines (model/timing/run_proof.h): what their runs prove of others;
     * may be NULL. */
    struct run_proof *proofs;
    unsigned needs; /* mask of NEED_... */
    /* How much is wanted of the last caches of a machine (its L2, an L1D without an L2, a TLB
     * without a page-walk cache): with SHARE_LOOKUPS only metrics with METRIC_LOOKUP, with
     * SHARE_TRAFFIC also those with METRIC_TRAFFIC. Their other metrics may then be NaN, and many
     * such caches may share one pass of model/lru/cache_batch.h. */
    enum pass_share share;
    /* Model/pass/request_log.h: records the streams of an exact run; may be NULL. */
    const struct request_logs *record;
    /* Extra results for the first machine; NULL: not wanted. */
    struct pc_table *pcs; /* model/cache/pc_table.h: accesses of its L1D by instruction */
    /* Timing depth: called when progress is due and `pcs` is wanted, with the counts by instruction
     * so far, those of the launch that runs included; may be NULL. It may sort the table. */
    void (*watched)(void *context, struct pc_table *so_far);
    void *watched_context;
    struct reuse_histogram *histogram; /* model/reuse/distance_histogram.h: reuse depth only */
    const struct load_clock *clock;    /* reuse depth in textbook mode only */
    /* At a depth with DEPTH_LAUNCHES: called after each launch with the metrics of all launches so
     * far of the first machine, the area and percentiles of latencies left NaN; may be NULL. */
    void (*launched)(void *context, uint32_t launch, const struct metrics *so_far);
    void *launched_context;
    /* Timing depth: gets what happens in the run of the first machine, event by event
     * (model/timing/base/timing_events.h); may be NULL. */
    const struct event_watch *events;
    /* Model/timing/base/timing_log.h: launches, and of depth timing time; may be NULL. */
    struct timing_log *log;
    /* model/reuse/loads.h: loads that were read earlier; may be NULL. */
    const struct reuse_loads *loads;
    /* Called about every `interval` seconds with the share done in [0, 1]; may be NULL. It is a
     * share of the work if `extent` is known, else of the blocks. */
    void (*progress)(void *argument, double share);
    void *argument;
    double interval; /* seconds; 0: a tenth of a second */
    /* Functional depth: threads that may help, and the most groups into which the machines are
     * split (model/pass/pass_pool.h). NULL and 0: the caller works alone. */
    struct pass_pool *pool;
    size_t groups;
    /* Timing depth: threads that simulate the SMs and memory channels of one machine side by side;
     * 0: one. */
    int threads;
    const struct extent *extent; /* model/gpu/extent.h; may be NULL or belong to another source */
    /* Another thread sets it to end the call with STATUS_CANCELLED; may be NULL. */
    const atomic_bool *cancel;
};

/* What these options change about an answer that parameters, the source and `needs` do not say, for
 * keys of remembered results: "" for nothing. Returns `text`. */
enum { CHANGES_TEXT = IDEAL_TEXT + 64 };
const char *evaluate_changes(const struct evaluate_options *options, char text[CHANGES_TEXT]);

bool evaluate_cancelled(const struct evaluate_options *options);
/* Whether `progress` is due. *reported is the time of its last call, and is updated. */
bool evaluate_due(const struct evaluate_options *options, double *reported);
