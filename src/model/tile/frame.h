/* A scene drawn on the tile cache of a machine, with everything that can be looked at afterwards:
 * the surfaces, counts by line, by bank and over time. A machine without such a cache only draws.
 *
 * Cost: that of a run in time with values, where fragments are shaded. */
#pragma once

#include "model/tile/subsystem.h"

struct tile_frame { /* zero-initialized: empty */
    bool cached;    /* a tile cache took part */
    uint32_t banks;
    uint64_t requests[SCREEN_BANKS_MAX]; /* of each bank; in the first one without a cache */
    struct bank_counts counts[SCREEN_BANKS_MAX];
    struct tile_counts sums;
    struct screen screen; /* of the cache */
    struct tile_maps maps;
    struct tile_parts *parts; /* NULL without a cache */
    struct tile_memory memory;
    uint32_t frames; /* that were drawn */
};

/* STATUS_CANCELLED, STATUS_MEMORY, and what the stream reports; *frame is empty then. */
enum status tile_frame_run(const struct machine *machine, const struct tile_stream *stream,
                           const atomic_bool *cancel, struct tile_frame *frame,
                           struct diagnostics *diagnostics);
void tile_frame_free(struct tile_frame *frame);
