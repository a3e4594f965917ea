/* What the warps resident on one SM load next, as line ids: reads a source through small windows,
 * so memory is that of resident warps. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "model/reuse/line_table.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct feed_counts {
    uint64_t warp_instructions, memory_instructions, thread_accesses;
};

struct feed_warp {
    struct access_window window;
    uint32_t next;   /* in the window */
    uint32_t *lines; /* ids of the distinct lines of one load, in the order of its requests */
    size_t line_capacity;
    uint32_t line_count, done; /* lines[done] is the next to look up */
};

struct feed {
    const struct machine *machine;
    const struct trace_source *source;
    uint32_t launch;
    uint32_t slots, warps_per_block;
    struct block_reader **readers; /* [slots] */
    struct feed_warp *warps;       /* [slots x warps_per_block] */
    struct line_table *table;
    struct feed_counts counts;
    struct diagnostics *diagnostics;
};

/* For up to `slots` resident blocks of a launch. */
enum status feed_init(struct feed *feed, const struct machine *machine,
                      const struct trace_source *source, uint32_t launch, uint32_t slots,
                      struct line_table *table, struct diagnostics *diagnostics);
void feed_free(struct feed *feed);

/* Puts a block into a slot. Its warps stand before their first load. */
enum status feed_block(struct feed *feed, uint32_t slot, uint64_t block);

/* Moves a warp (slot x warps_per_block + warp) to its next load; *loads is false where it has none
 * left. */
enum status feed_next(struct feed *feed, uint32_t warp, bool *loads);
