/* Warp schedulers: which of the warps that can issue goes first. Each row of SCHEDULER_LIST
 * (schema/families.h) holds the facts about a policy, and a file scheduler_*.c its functions;
 * policies of one mechanism share a file.
 *
 * The SM keeps sets of a scheduler's warps as bit masks, by slots: those with an instruction, those
 * whose registers are ready, those per pipe. In each cycle it calls scheduler_begin, takes those
 * ready warps that scheduler_considers lets it look at and whose pipe has room, asks
 * scheduler_pick for one of them, and tells it by scheduler_issued.
 *
 * Invariant: all that a policy knows is what these calls and sets tell it. A struct scheduler holds
 * no pointers, so a copy of it is a scheduler in the same state. Orders are those of GPGPU-Sim 4.2,
 * and for tb_priority and tb_first of the paper on convolutions (docs/MODELS.md). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/families.h"
#include "schema/machine.h"

enum {
    SCHEDULER_WARPS = 64,
    SCHEDULER_STATE = 152 /* bytes that a policy may keep */
};

struct scheduler {
    int policy;        /* enum scheduler_policy */
    bool begins;       /* its policy wants to know of each cycle */
    bool chooses;      /* ... does not look at all warps */
    bool follows;      /* ... wants to know of each issue */
    bool picked;       /* scheduler_pick has had more than one to pick from, or it chooses */
    uint32_t warps;    /* slots */
    uint32_t limit;    /* scheduler.active, at most `warps` */
    uint32_t last;     /* the slot that issued last */
    uint64_t present;  /* slots with a warp that has not retired */
    uint64_t has;      /* ... that have an instruction and wait for nothing but its registers */
    uint64_t ready;    /* ... whose registers are ready */
    uint64_t pipe[16]; /* slots by the pipe of their instruction */
    uint64_t waits;    /* at a barrier, a fence, for atomics or copies, or ended */
    uint64_t memory;   /* slots whose instruction waits for a load, or whose warp for accesses */
    uint64_t held;     /* slots at a barrier or a fence that does not wait for memory */
    uint64_t loaded;   /* slots whose instruction reads what a load wrote last */
    uint8_t slot_pipe[SCHEDULER_WARPS];
    uint64_t age[SCHEDULER_WARPS];
    uint32_t block[SCHEDULER_WARPS];     /* in order of their coming */
    uint32_t first;                      /* the number of the launch's first block */
    uint64_t state[SCHEDULER_STATE / 8]; /* the policy's own */
};

struct scheduler_kind { /* functions may be NULL but for `pick` and `explain` */
    void (*init)(struct scheduler *scheduler);
    /* Before a cycle's picks; slots in `held` will not issue. Returns whether anything moved. */
    bool (*begin)(struct scheduler *scheduler, uint64_t held);
    /* The slots that it looks at in this cycle. NULL: all. */
    uint64_t (*considers)(const struct scheduler *scheduler, uint64_t held);
    /* The slot of `candidates`, which are not empty, that goes first; -1: it lets none issue. */
    int (*pick)(const struct scheduler *scheduler, uint64_t candidates);
    void (*issued)(struct scheduler *scheduler, uint32_t slot);
    /* Says in words why `slot` is picked in this cycle, or why nothing is (-1) although warps are
     * ready; nothing else is held back. Returns `text`. */
    const char *(*explain)(const struct scheduler *scheduler, int slot, char *text, size_t size);
};

/* Declares scheduler_kind_SCHEDULER_LRR and so on. */
#define SCHEDULER_DECLARATION(constant, ...)                                                       \
    extern const struct scheduler_kind scheduler_kind_##constant;
SCHEDULER_LIST(SCHEDULER_DECLARATION)

extern const struct scheduler_kind *const scheduler_kinds[SCHEDULER_COUNT];

/* Whether a policy looks at all warps and does nothing but pick: two of these differ only where
 * there is more than one to pick from. */
static inline bool scheduler_only_picks(int policy)
{
    const struct scheduler_kind *kind = scheduler_kinds[policy];
    return !kind->begin && !kind->considers && !kind->issued;
}

void scheduler_init(struct scheduler *scheduler, const struct scheduler_config *config,
                    uint32_t warps);

/* A warp comes to a slot. */
void scheduler_add(struct scheduler *scheduler, uint32_t slot, uint64_t age, uint64_t block);

/* A launch begins whose first block will have this number. */
static inline void scheduler_launch(struct scheduler *scheduler, uint64_t first)
{
    scheduler->first = (uint32_t)first;
}

static inline bool scheduler_begin(struct scheduler *scheduler, uint64_t held)
{
    return scheduler->begins && scheduler_kinds[scheduler->policy]->begin(scheduler, held);
}

/* It passes over slots in `held`, or a warp that is held back could keep its turn from the warps
 * that it waits for. */
static inline uint64_t scheduler_considers(const struct scheduler *scheduler, uint64_t held)
{
    return scheduler->chooses ? scheduler_kinds[scheduler->policy]->considers(scheduler, held)
                              : ~held;
}

static inline int scheduler_pick(struct scheduler *scheduler, uint64_t candidates)
{
    if (!(candidates & (candidates - 1)) && !scheduler->chooses)
        return __builtin_ctzll(candidates);
    scheduler->picked = true;
    return scheduler_kinds[scheduler->policy]->pick(scheduler, candidates);
}

static inline void scheduler_issued(struct scheduler *scheduler, uint32_t slot)
{
    scheduler->last = slot;
    if (scheduler->follows)
        scheduler_kinds[scheduler->policy]->issued(scheduler, slot);
}

/* ---- for members ---- */

static inline uint64_t slot_bit(uint32_t slot)
{
    return UINT64_C(1) << slot;
}
/* The lowest set bit at or after `from`, wrapping around. */
static inline uint32_t slot_cyclic(uint64_t mask, uint32_t from)
{
    const uint64_t after = from < SCHEDULER_WARPS ? mask & (~UINT64_C(0) << from) : 0;
    return (uint32_t)__builtin_ctzll(after ? after : mask);
}
/* The slot after the one that issued last. */
static inline uint32_t scheduler_turn(const struct scheduler *scheduler)
{
    return scheduler->last + 1 < scheduler->warps ? scheduler->last + 1 : 0;
}
/* Those that could issue if their instructions were ready. */
static inline uint64_t scheduler_able(const struct scheduler *scheduler, uint64_t held)
{
    return scheduler->present & ~scheduler->waits & ~held;
}

enum { SLOTS_TEXT = 256 }; /* "w0 w1 w5", and "none" */
const char *slots_print(uint64_t mask, char text[SLOTS_TEXT]);
