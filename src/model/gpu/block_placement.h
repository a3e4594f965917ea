/* Which SM ran each block of a source: recorded from one run at depth timing, and held by another
 * one, so that what else differs between the two is not mixed with where blocks come to lie.
 *
 * Invariant: a run that is held to its own placement is the same run, because each SM gets its
 * blocks in the order of their numbers, when it has room, as before. Cost: two bytes a block. */
#pragma once

#include <stdint.h>

#include "base/diag.h"

struct block_placement {
    uint16_t *sms; /* [count]: of the blocks of all launches, one launch after the other */
    uint64_t count;
};

/* Makes room for the blocks of a run; what was recorded before is dropped. STATUS_MEMORY. */
enum status block_placement_begin(struct block_placement *placement, uint64_t blocks);
void block_placement_free(struct block_placement *placement);

/* Refuses one that was recorded of another number of blocks or of more SMs. */
enum status block_placement_check(const struct block_placement *placement, uint64_t blocks,
                                  uint32_t sms, struct diagnostics *diagnostics);

/* The first block of `sm` from `from` on and before `end`; `end` if it has none. */
static inline uint64_t block_placement_next(const struct block_placement *placement, uint32_t sm,
                                            uint64_t from, uint64_t end)
{
    while (from < end && placement->sms[from] != sm)
        from++;
    return from;
}

/* Equal placements have equal hashes, on every platform. */
uint64_t block_placement_hash(const struct block_placement *placement);
