#include "model/timing/schedulers/scheduler.h"

#include <stdio.h>

#define SCHEDULER_ADDRESS(constant, ...) &scheduler_kind_##constant,

const struct scheduler_kind *const scheduler_kinds[SCHEDULER_COUNT] = {
    SCHEDULER_LIST(SCHEDULER_ADDRESS)};

void scheduler_init(struct scheduler *scheduler, const struct scheduler_config *config,
                    uint32_t warps)
{
    const struct scheduler_kind *kind = scheduler_kinds[config->policy];
    *scheduler = (struct scheduler){.policy = config->policy,
                                    .begins = kind->begin,
                                    .chooses = kind->considers,
                                    .follows = kind->issued,
                                    .warps = warps,
                                    .limit = (uint32_t)config->active,
                                    .last = warps ? warps - 1 : 0};
    if (scheduler->limit > warps)
        scheduler->limit = warps;
    if (kind->init)
        kind->init(scheduler);
}

void scheduler_add(struct scheduler *scheduler, uint32_t slot, uint64_t age, uint64_t block)
{
    scheduler->present |= slot_bit(slot);
    scheduler->age[slot] = age;
    scheduler->block[slot] = (uint32_t)block;
}

const char *slots_print(uint64_t mask, char text[SLOTS_TEXT])
{
    size_t used = 0;
    snprintf(text, SLOTS_TEXT, "none");
    for (; mask && used < SLOTS_TEXT; mask &= mask - 1)
        used += (size_t)snprintf(text + used, SLOTS_TEXT - used, "%sw%d", used ? " " : "",
                                 __builtin_ctzll(mask));
    return text;
}
