/* What the warps resident on one SM load next, as line ids: from loads that were read before
 * (model/reuse/loads.h), or from the source through small windows, so that memory is that of
 * resident warps. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "model/reuse/loads.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct feed_warp {
    struct access_window window;
    uint32_t next;         /* in the window, or among the loads read before */
    uint32_t end;          /* of the latter */
    uint32_t *own;         /* ids made here */
    const uint32_t *lines; /* ids of the distinct lines of one load, in the order of its requests */
    size_t own_capacity;
    uint32_t line_count, done; /* lines[done] is the next to look up */
    uint32_t pc;               /* of the load */
};

struct feed {
    const struct machine *machine;
    const struct trace_source *source;
    uint32_t launch;
    uint32_t slots, warps_per_block;
    struct block_reader **readers; /* [slots] */
    struct feed_warp *warps;       /* [slots x warps_per_block] */
    const struct sm_loads *loads;  /* NULL: everything below is used */
    struct key_table *table;
    struct feed_counts counts;
    struct diagnostics *diagnostics;
};

/* For up to `slots` resident blocks of a launch. `loads` may be NULL: then the source is read, and
 * lines that it brings are added to the table. */
enum status feed_init(struct feed *feed, const struct machine *machine,
                      const struct trace_source *source, uint32_t launch, uint32_t slots,
                      const struct sm_loads *loads, struct key_table *table,
                      struct diagnostics *diagnostics);
void feed_free(struct feed *feed);

/* Puts a block, the index-th of the SM in this launch, into a slot. Its warps stand before their
 * first load. */
enum status feed_block(struct feed *feed, uint32_t slot, uint64_t block, uint64_t index);

/* Moves a warp (slot x warps_per_block + warp) to its next load; *loads is false where it has none
 * left. */
enum status feed_next(struct feed *feed, uint32_t warp, bool *loads);

/* The lines behind the ids. */
static inline const struct key_table *feed_table(const struct feed *feed)
{
    return feed->loads ? &feed->loads->table : feed->table;
}
