/* How much work a stream is, before it is issued: for progress and predictions, never for results.
 *
 * Blocks say little about it: most of CORR's work is in 8 of its 2,060 blocks. So a few warps of a
 * few launches of every kernel are read, those between are taken to lie between, and the work of a
 * launch is what its warps would come to: requests, and one for each record. A warp that is longer
 * than anybody wants to read counts as what was read of it. Deterministic. */
#pragma once

#include <stdatomic.h>

#include "trace/stream.h"

struct extent {
    const struct trace_source *source;
    double *work; /* of each launch */
    double total; /* at least 1 */
};

/* `arch` is that of coalesce(). A warp that cannot be read counts for nothing: who reads it says
 * so. `cancel` may be NULL. STATUS_MEMORY, STATUS_CANCELLED. */
enum status extent_measure(const struct trace_source *source, uint64_t arch,
                           const atomic_bool *cancel, struct extent *extent);
void extent_free(struct extent *extent);

/* A walk over the source, for the share of it that is behind. */
struct extent_walk {
    const struct extent *extent;
    uint32_t launches; /* begun */
    double before;     /* work done before the current launch */
    double rest;       /* expected of the launches to come */
    double share;      /* told so far: it never falls */
};
void extent_walk_begin(const struct extent *extent, struct extent_walk *walk);
/* A launch begins after `done` of work. */
void extent_walk_launch(struct extent_walk *walk, double done);
/* The share in [0, 1) that `done` of work makes. */
double extent_walk_share(struct extent_walk *walk, double done);
