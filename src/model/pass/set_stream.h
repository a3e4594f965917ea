/* The accesses of a workload to one set of one cache, step by step: what `warpscape replace -w` and
 * the screen show. It issues the source again through the machine's stages at the functional
 * depth, up to the cache that is watched (model/cache/cache_watch.h), and keeps nothing. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "model/cache/cache_watch.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct set_place {
    unsigned stage;    /* STAGE_L1D, STAGE_L2 or STAGE_L1I, or in runs in time STAGE_TILE */
    unsigned instance; /* the SM, the slice of the L2, or the bank of the tile cache */
    uint64_t set;
};

/* The configuration of the machine's cache of a stage, and how many of them there are. */
struct cache_config set_stream_cache(const struct machine *machine, unsigned stage,
                                     uint64_t *instances);

/* Why there is no such place, as an error; STATUS_OK: there is. */
enum status set_place_check(const struct machine *machine, const struct set_place *place,
                            struct diagnostics *diagnostics);
/* ... and why nothing can be watched there at the functional depth. */
enum status set_stream_check(const struct machine *machine, const struct set_place *place,
                             struct diagnostics *diagnostics);

/* Calls `step` for the accesses to the set, from the start of a source, until it returns something
 * else than STATUS_OK: with STATUS_CANCELLED the stream ends there and well. *whole: it went to the
 * end. `cancel` may be NULL; the machine must be legal. */
enum status set_stream(const struct machine *machine, const struct trace_source *source,
                       const struct set_place *place,
                       enum status (*step)(void *argument, const struct set_step *step),
                       void *argument, const atomic_bool *cancel, bool *whole,
                       struct diagnostics *diagnostics);
