/* A warp scheduler on its own, cycle by cycle: for people who want to see a policy at work on
 * cycles of their own. It goes through a cycle as an SM does, and says why the policy picked its
 * warp. */
#pragma once

#include "model/timing/schedulers/scheduler.h"

struct schedule_steps {
    struct scheduler scheduler;
    uint64_t warps_came, blocks_came; /* number those that come next */
};

struct schedule_cycle { /* sets of slots; a warp in none of them waits for its registers */
    uint64_t ended;     /* their warps end before this cycle */
    uint64_t come;      /* to these the warps of a new block come */
    uint64_t ready, memory, barrier;
};

enum { SCHEDULE_TEXT = 640 };

struct schedule_step {
    uint64_t looked_at; /* the ready slots that the policy looks at */
    int slot;           /* that issues; -1: none */
    char why[SCHEDULE_TEXT];
    uint8_t order[SCHEDULER_WARPS], ordered; /* the ready slots that may issue, as the policy
                                              * would take them */
};

/* `warps` slots with a warp each, in blocks of `block` warps that came one after another. */
void schedule_steps_init(struct schedule_steps *steps, const struct scheduler_config *config,
                         uint32_t warps, uint32_t block);
/* Ready warps must be there, and neither at a barrier nor waiting for memory. */
void schedule_steps_cycle(struct schedule_steps *steps, const struct schedule_cycle *cycle,
                          struct schedule_step *step);
