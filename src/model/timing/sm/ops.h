/* Instructions of an SM between issue and completion, and copies of the records of those that
 * access memory. Both are named by number; free places are lists. */
#pragma once

#include "base/memory.h"
#include "model/timing/sm/sm_machine.h"

enum { NO_OP = UINT32_MAX, NO_RECORD = UINT32_MAX, ABSENT_LINES = 4 };

struct op {
    const struct sm_instruction *code;
    uint64_t issued;
    uint32_t order;     /* of issue */
    uint32_t next;      /* in the list of free ops or of completions */
    uint32_t remaining; /* accesses that have no data yet */
    uint32_t record;    /* index of the copy of its record; NO_RECORD */
    uint16_t warp;
    uint8_t scheduler, pipe, unit, banks;
    uint8_t first_bank,
        turn;            /* of its scheduler's register banks; by how many its warp turns them */
    uint8_t translating; /* pages whose translations it waits for */
    bool translated;     /* it has them all */
    uint8_t copy_group;
    bool passed;           /* it passes the L1D by */
    uint8_t tried, missed; /* its accesses at the L1D so far, of an SM that counts by instruction */
    uint64_t absent[ABSENT_LINES]; /* of a store: 1 + the line that it lacked last, by place */
};

struct record_copy { /* a memory record with its lanes, between issue and the load/store unit */
    struct warp_access access;
    const uint64_t *offsets;   /* of a pattern: the window's */
    uint64_t lanes[WARP_SIZE]; /* of a listed record */
    uint32_t next;
};

struct ops {
    struct op *items;
    uint32_t count, free;
    uint32_t orders; /* of issue */
};

struct records {
    struct record_copy *items;
    uint32_t count, free;
};

/* NO_OP, NO_RECORD: there is no memory. */
static inline uint32_t op_new(struct ops *ops)
{
    if (ops->free == NO_OP && free_list_grow(&ops->items, &ops->count, &ops->free, struct op, next))
        return NO_OP;
    const uint32_t at = ops->free;
    ops->free = ops->items[at].next;
    return at;
}
static inline uint32_t record_new(struct records *records)
{
    if (records->free == NO_RECORD &&
        free_list_grow(&records->items, &records->count, &records->free, struct record_copy, next))
        return NO_RECORD;
    const uint32_t at = records->free;
    records->free = records->items[at].next;
    return at;
}

static inline void op_free(struct ops *ops, uint32_t op)
{
    ops->items[op].next = ops->free;
    ops->free = op;
}
static inline void record_free(struct records *records, uint32_t record)
{
    records->items[record].next = records->free;
    records->free = record;
}

static inline bool op_before(const struct ops *ops, uint32_t a, uint32_t b)
{
    return (int32_t)(ops->items[a].order - ops->items[b].order) < 0;
}

/* The latch whose instruction was issued first; NULL: all are empty. */
static inline uint32_t *oldest_latch(const struct ops *ops, uint32_t *latches, uint32_t count)
{
    uint32_t *oldest = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (latches[i] != NO_OP && (!oldest || op_before(ops, latches[i], *oldest)))
            oldest = &latches[i];
    return oldest;
}
