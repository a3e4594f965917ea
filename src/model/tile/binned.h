/* The rival of a tile cache in mobile GPUs: primitives are sorted by the blocks of the screen that
 * they touch, and each block is drawn in a buffer on the chip, so its depth and its colours meet
 * memory at most once a pass.
 *
 * Counted are bytes: a block of a surface is read where the pass does not clear the surface, and
 * written where something changed. Depth beside a colour surface is scratch: it is written only if
 * a later pass goes on with it. The sorting is paid for with lists: each primitive's data are
 * written once (tile.bin.primitive) and read for each block that it touches, and each pair of a
 * primitive and a block is an entry of BIN_ENTRY bytes, written and read. With tile.bin.eliminate a
 * block that equals what memory holds is not written (as signatures find it, without their rare
 * errors). Time is a bound, not a simulation: drawing takes tile.pipelines requests per cycle,
 * memory tile.bandwidth bytes, and the larger of the two is the time of a pass.
 *
 * Requests of different blocks touch different lines, so the order of the blocks cannot change the
 * picture. Cost: one walk over the stream. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "schema/machine.h"
#include "trace/tile_stream.h"

enum { BIN_ENTRY = 4 };

struct binned_counts {
    uint64_t requests, reads, writes; /* reads, writes: blocks */
    uint64_t read_bytes, write_bytes; /* with the lists */
    uint64_t list_bytes, eliminated;
    uint64_t cycles;
};

/* `memory` gets the surfaces as they are in memory at the end if it is not NULL; the caller frees
 * it then (tile_memory_free). STATUS_CANCELLED, STATUS_MEMORY, and what the stream reports. */
enum status binned_run(const struct machine *machine, const struct tile_stream *stream,
                       const atomic_bool *cancel, struct binned_counts *counts,
                       struct tile_memory *memory, struct diagnostics *diagnostics);
