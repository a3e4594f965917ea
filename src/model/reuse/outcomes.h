/* Whether each access of a launch on one SM hits in each idealised run, to compare the machine's
 * run with: half a byte an access. Accesses are named by block, warp and number, which no order of
 * execution changes. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct outcome_row {
    uint8_t *pairs; /* two accesses each */
    size_t capacity, used;
};

static inline enum status outcome_hit(struct outcome_row *row, uint64_t access, unsigned run)
{
    size_t need = access / 2 + 1;
    if (array_reserve(&row->pairs, &row->capacity, need))
        return STATUS_MEMORY;
    if (row->used < need) {
        memset(row->pairs + row->used, 0, need - row->used);
        row->used = need;
    }
    row->pairs[access / 2] |= (uint8_t)(1u << (4 * (access % 2) + run));
    return STATUS_OK;
}

/* The runs in which an access hits, bit r = run r. */
static inline unsigned outcome_of(const struct outcome_row *row, uint64_t access)
{
    if (access / 2 >= row->used)
        return 0;
    return row->pairs[access / 2] >> 4 * (access % 2) & 15;
}
