/* Estimates how much work a stream is before it is issued, for progress and predictions. Results
 * never depend on it.
 *
 * The number of blocks says little: most of CORR's work is in 8 of its 2,060 blocks. So this module
 * reads a few warps of a few launches of every kernel, interpolates between those launches, and
 * multiplies by the number of warps. Work is measured in requests plus one for each record. Very
 * long warps are read only in part and count as what was read. Deterministic.
 *
 * Cost: at most 8 warps of 16 launches per kernel, 2^24 records per warp and about 2^26 per source,
 * of which every 16th is coalesced. */
#pragma once

#include <stdatomic.h>

#include "trace/stream.h"

struct extent {
    const struct trace_source *source;
    double *work; /* of each launch */
    double total; /* sum over launches, at least 1 */
};

/* `arch` as for coalesce(). A warp that cannot be read counts as nothing; the pass that reads it
 * later reports the error. `cancel` may be NULL. STATUS_MEMORY, STATUS_CANCELLED. */
enum status extent_measure(const struct trace_source *source, uint64_t arch,
                           const atomic_bool *cancel, struct extent *extent);
void extent_free(struct extent *extent);

/* Tracks a walk over the source and tells which share of the work is done. */
struct extent_walk {
    const struct extent *extent;
    uint32_t launches; /* launches begun */
    double before;     /* work done before the current launch */
    double rest;       /* expected of the launches to come */
    double share;      /* last answer; it never falls */
};
void extent_walk_begin(const struct extent *extent, struct extent_walk *walk);
/* A launch begins when `done` work has been done. */
void extent_walk_launch(struct extent_walk *walk, double done);
/* The share in [0, 1) of the whole that `done` work makes. */
double extent_walk_share(struct extent_walk *walk, double done);
