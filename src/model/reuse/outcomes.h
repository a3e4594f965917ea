/* Records whether each access of a launch on one SM hits in each idealised run, so that a machine's
 * misses can be classified by comparison. One bit per access and run. Accesses are identified by
 * block, warp and number within the warp, which do not depend on the order of execution. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

struct outcome_row { /* the outcomes of one warp */
    uint8_t *bits;   /* bit access x runs + run */
    size_t capacity, used;
};

/* Records that access number `access` hits in `run` of `runs`. */
static inline enum status outcome_hit(struct outcome_row *row, uint64_t access, size_t runs,
                                      size_t run)
{
    uint64_t bit = access * runs + run;
    size_t need = bit / 8 + 1;
    if (array_reserve(&row->bits, &row->capacity, need))
        return STATUS_MEMORY;
    if (row->used < need) {
        memset(row->bits + row->used, 0, need - row->used);
        row->used = need;
    }
    row->bits[bit / 8] |= (uint8_t)(1u << bit % 8);
    return STATUS_OK;
}

static inline bool outcome_hits(const struct outcome_row *row, uint64_t access, size_t runs,
                                size_t run)
{
    uint64_t bit = access * runs + run;
    return bit / 8 < row->used && row->bits[bit / 8] >> bit % 8 & 1;
}
