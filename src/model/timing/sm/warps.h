/* The warps and blocks of an SM, and what its schedulers know of them (sm.c). */
#pragma once

#include "base/bit_sets.h"
#include "model/timing/sm/sm_machine.h"

struct sm;

enum { NO_WARP = UINT32_MAX, COPY_GROUPS = 8 };

struct register_word { /* sets of a warp's registers: those that ... */
    uint64_t pending;  /* wait for their value */
    uint64_t awaited;  /* ... which a load writes */
    uint64_t loading;  /* a load wrote last (two_level) */
};

struct sm_warp {              /* what most cycles need comes first */
    uint32_t lanes;           /* threads that have not ended */
    uint32_t in_pipe;         /* instructions decoded and not completed */
    uint16_t block;           /* slot */
    uint8_t scheduler, slot;  /* its place there */
    uint8_t first_bank, turn; /* as of its ops */
    uint8_t buffered, next;   /* instructions in `buffer` and the next of them */
    struct warp_instruction buffer[2];
    struct register_word registers[REGISTER_WORDS];
    uint32_t translating;     /* instructions that wait for translations */
    uint32_t inside;          /* accesses that the L1D has not taken yet */
    uint32_t in_shared;       /* instructions under way in shared memory */
    uint32_t stores, atomics; /* not yet acknowledged */
    uint32_t unawaited;       /* loads under way for which no instruction waits (IDEAL_LOADS) */
    uint32_t instruction_at, record_at;
    uint32_t instruction_fills, record_fills; /* how often its windows were filled */
    struct instruction_window instructions;
    struct access_window records;
    uint64_t away; /* cycles that a scheduler saw it wait for what is outside of the SM */
    uint64_t age;  /* order in which warps came to the SM */
    uint16_t copies[COPY_GROUPS]; /* asynchronous copies in flight by group */
    uint8_t copy_group;
    uint8_t copy_wait; /* 1 + groups that may remain; 0: does not wait */
    bool present, barrier, fence;
};

struct sm_block {
    struct block_reader *reader;
    uint32_t warps;   /* not retired; 0: the slot is free */
    uint32_t waiting; /* warps at the barrier */
    uint64_t arrived; /* the cycle in which the last of them has arrived there */
    uint32_t running; /* warps that have not ended */
    uint64_t order;   /* of its coming to the SM */
    uint64_t number;  /* in its launch */
};

static inline void set_bit(uint64_t *set, uint32_t warp, bool value)
{
    if (value)
        set_include(set, warp);
    else
        set_exclude(set, warp);
}

/* The first member at or after `from`, wrapping around; NO_WARP if the set is empty. */
static inline uint32_t set_next(const uint64_t set[WARPS_MAX / 64], uint32_t from)
{
    return set_around(set, WARPS_MAX / 64, from);
}

static inline bool set_empty(const uint64_t set[WARPS_MAX / 64])
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < WARPS_MAX / 64; i++)
        any |= set[i];
    return !any;
}

static inline uint32_t warp_of(const struct sm_machine *shared, uint32_t scheduler, uint32_t slot)
{
    return slot * shared->schedulers + scheduler;
}

/* The registers of an instruction have their values. `forget`: they are no longer marked as a
 * load's. */
void sm_release(struct sm *sm, uint32_t warp, const struct sm_instruction *code, bool forget);
/* All threads of a warp have ended: what it fetched ahead is dropped. */
void sm_end_warp(struct sm *sm, uint32_t warp);
/* A warp's state changed: works out anew what its scheduler knows of it. */
void sm_update(struct sm *sm, uint32_t warp);
/* As sm_update where its buffer was filled and nothing else changed. */
void sm_decoded(struct sm *sm, uint32_t warp);
