/* The tile cache of a machine as metrics: at depth timing, and at the functional depth where it is
 * no cache but a buffer of blocks. */
#pragma once

#include "model/evaluate_options.h"
#include "model/tile/deal.h"
#include "model/tile/subsystem.h"
#include "schema/metrics.h"

/* Whether a machine has a tile cache; otherwise it has none or sorts primitives into blocks. */
bool tile_has_cache(const struct machine *machine);
bool tile_has_bins(const struct machine *machine);
/* STATUS_UNSUPPORTED, and why: it has no such cache. */
enum status tile_check_cache(const struct machine *machine, struct diagnostics *diagnostics);

/* What the functional depth knows of any partition. */
void tile_put_dealt(const struct dealt *dealt, uint32_t banks, struct metrics *metrics);

/* The bytes of a machine with blocks, at the functional depth. */
enum status tile_put_bins(const struct machine *machine, const struct tile_stream *tiles,
                          const struct evaluate_options *options, bool timed,
                          struct metrics *metrics, struct diagnostics *diagnostics);

/* Runs a scene in time and fills the metrics of the tile stage; and the parts of its time if they
 * are not NULL and there are banks. */
enum status tile_time(const struct machine *machine, const struct tile_stream *tiles,
                      const struct evaluate_options *options, struct tile_parts *parts,
                      struct metrics *metrics, struct diagnostics *diagnostics);
/* The metrics that are known of a part of `cycles`; all others are NaN. */
void tile_put_part(const struct tile_part *part, uint32_t banks, uint64_t cycles,
                   struct metrics *metrics);
