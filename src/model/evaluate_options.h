/* What an evaluation is asked, and how it reports and stops: what evaluate (model/evaluate.h), a
 * pass and a replay have in common. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "base/diag.h"
#include "model/lru/cache_batch.h"
#include "schema/machine.h"
#include "schema/metrics.h"
#include "trace/stream.h"

/* What costs extra and is left out unless asked for, as one mask: of which stages the classes of
 * misses (at the reuse depth also l1d.reuse.run*), the optimum's misses, and times. */
#define NEED_CLASSES(stages) ((unsigned)(stages))
#define NEED_OPTIMUM(stages) ((unsigned)(stages) << STAGE_BITS)
#define NEED_TIMES(stages)   ((unsigned)(stages) << 2 * STAGE_BITS)
#define NEED_REPORT                                                                                \
    (NEED_CLASSES(STAGE_EVERY) | NEED_TIMES(STAGE_EVERY)) /* what people look at                   \
                                                           */
#define NEED_ALL (NEED_REPORT | NEED_OPTIMUM(STAGE_EVERY))

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
    unsigned needs;   /* of NEED_... */
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
