/* Feeds the loads of the warps resident on one SM, as line ids. It takes them from loads that were
 * read before (model/reuse/loads.h) or, without these, from the source through a window of 32
 * records per resident warp. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "model/reuse/dependences.h"
#include "model/reuse/loads.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct feed_warp {
    struct access_window window;
    uint32_t next;        /* next record of the window, or next of the loads read before */
    uint32_t end;         /* end of the loads read before */
    struct load_list own; /* requests made here, if the source is read, */
    struct dependences dependences; /* and what warps of known instructions wait for */
    /* What the current load looks up (load_list); `done` is next. */
    const uint32_t *lines;
    const uint8_t *sectors; /* NULL if the L1D has none */
    uint32_t line_count, done;
    uint32_t needs; /* the loads that it waits for (dependences.h) */
    uint32_t pc;    /* its pc */
};

struct feed {
    const struct machine *machine;
    const struct trace_source *source;
    uint32_t launch;
    uint32_t slots, warps_per_block;
    struct block_reader **readers; /* [slots] */
    struct feed_warp *warps;       /* [slots x warps_per_block] */
    const struct sm_loads *loads;  /* NULL: read the source, which uses the fields below */
    const struct trace_code *code; /* reuse_code */
    struct key_table *table;
    struct record_counts counts;
    struct diagnostics *diagnostics;
};

/* Prepares for up to `slots` resident blocks of a launch. With `loads` NULL the source is read and
 * new lines are added to `table`. Call feed_free on failure too. */
enum status feed_init(struct feed *feed, const struct machine *machine,
                      const struct trace_source *source, uint32_t launch, uint32_t slots,
                      const struct sm_loads *loads, struct key_table *table,
                      struct diagnostics *diagnostics);
void feed_free(struct feed *feed);

/* Puts a block, the index-th of this SM in the launch, into a slot. Call feed_next before using its
 * warps. */
enum status feed_block(struct feed *feed, uint32_t slot, uint64_t block, uint64_t index);

/* Moves a warp (slot x warps_per_block + warp) to its next load; *loads is false if none is left.
 */
enum status feed_next(struct feed *feed, uint32_t warp, bool *loads);

/* The table that maps ids to line numbers. */
static inline const struct key_table *feed_table(const struct feed *feed)
{
    return feed->loads ? &feed->loads->table : feed->table;
}
