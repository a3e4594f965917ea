/* Warp schedulers written from their definitions: the twin of model/timing/schedulers. A policy
 * lists all warps in the order in which it would let them issue, and the first of the list that can
 * issue does. Invariant: it shares no code and no sets with the fast one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "schema/families.h"

enum { SLOW_WARPS = 64 };

struct slow_scheduler_warp {
    bool present;
    bool waits;  /* at a barrier or a fence, or for atomics or copies */
    bool loaded; /* its next instruction reads what a load wrote last */
    bool held;   /* something else than its scheduler holds it back in this cycle */
    bool ready;  /* its next instruction has its registers and its pipe */
    uint64_t age, block;
};

struct slow_scheduler {
    int policy;
    uint32_t count;  /* slots */
    uint32_t active; /* scheduler.active */
    uint32_t last;   /* the slot that issued last */
    uint64_t first;  /* the number of the launch's first block */
    struct slow_scheduler_warp warps[SLOW_WARPS];
    uint32_t issuing[SLOW_WARPS], issuing_count; /* two_level: its two lists */
    uint32_t pending[SLOW_WARPS], pending_count;
};

void slow_scheduler_init(struct slow_scheduler *slow, int policy, uint32_t count, uint64_t active);
/* A cycle, of which the warps say what they do: returns the slot that issues, -1 for none. *moved:
 * whether what the policy keeps changed before the pick. */
int slow_scheduler_cycle(struct slow_scheduler *slow, bool *moved);
/* What slow_scheduler_cycle does after its pick: this slot issued. */
void slow_scheduler_issued(struct slow_scheduler *slow, uint32_t slot);
/* Whether a member of SCHEDULER_LIST has a twin here. */
bool slow_scheduler_has(int policy);
