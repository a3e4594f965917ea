#include "model/timing/schedulers/schedule_steps.h"

#include <assert.h>
#include <stdio.h>

static void add_block(struct schedule_steps *steps, uint64_t slots)
{
    for (uint64_t rest = slots; rest; rest &= rest - 1)
        scheduler_add(&steps->scheduler, (uint32_t)__builtin_ctzll(rest), steps->warps_came++,
                      steps->blocks_came);
    steps->blocks_came += slots != 0;
}

void schedule_steps_init(struct schedule_steps *steps, const struct scheduler_config *config,
                         uint32_t warps, uint32_t block)
{
    *steps = (struct schedule_steps){0};
    scheduler_init(&steps->scheduler, config, warps);
    scheduler_launch(&steps->scheduler, 0);
    for (uint32_t from = 0; from < warps; from += block) {
        uint64_t slots = 0;
        for (uint32_t slot = from; slot < from + block && slot < warps; slot++)
            slots |= slot_bit(slot);
        add_block(steps, slots);
    }
}

static void note_order(struct scheduler *scheduler, struct schedule_step *step)
{
    uint64_t left = step->looked_at;
    step->ordered = 0;
    for (int slot; left && (slot = scheduler_pick(scheduler, left)) >= 0;
         left &= ~slot_bit((uint32_t)slot))
        step->order[step->ordered++] = (uint8_t)slot;
}

void schedule_steps_cycle(struct schedule_steps *steps, const struct schedule_cycle *cycle,
                          struct schedule_step *step)
{
    struct scheduler *scheduler = &steps->scheduler;
    scheduler->present &= ~cycle->ended;
    add_block(steps, cycle->come);
    assert(!(cycle->ready & ~(scheduler->present & ~cycle->memory & ~cycle->barrier)));
    scheduler->has = scheduler->present & ~cycle->barrier;
    scheduler->ready = cycle->ready;
    scheduler->memory = scheduler->loaded = cycle->memory;
    scheduler->held = cycle->barrier;
    scheduler->waits = ~scheduler->present | cycle->barrier;
    scheduler_begin(scheduler, 0);
    step->looked_at = cycle->ready & scheduler_considers(scheduler, 0);
    note_order(scheduler, step);
    step->slot = step->ordered ? step->order[0] : -1;
    if (!cycle->ready)
        snprintf(step->why, sizeof step->why, "no warp is ready");
    else
        scheduler_kinds[scheduler->policy]->explain(scheduler, step->slot, step->why,
                                                    sizeof step->why);
    if (step->slot >= 0)
        scheduler_issued(scheduler, (uint32_t)step->slot);
}
