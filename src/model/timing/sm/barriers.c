#include "model/timing/sm/sm.h"

/* An SM takes `core.barrier_threads` arrivals a cycle, whatever their blocks (CUDA C++ Programming
 * Guide, Synchronization Instruction), and whole warps however many of their threads are active. */
void barrier_arrive(struct sm *sm, uint32_t slot)
{
    struct sm_block *block = &sm->blocks[slot];
    const uint64_t rate = sm->shared->machine->core.barrier_threads;
    block->waiting++;
    if (!rate)
        return;
    if (sm->barriers.work < sm->now * rate)
        sm->barriers.work = sm->now * rate;
    sm->barriers.work += WARP_SIZE;
    block->arrived = (sm->barriers.work + rate - 1) / rate;
}

void barrier_release(struct sm *sm, uint32_t slot)
{
    struct sm_block *block = &sm->blocks[slot];
    if (!block->waiting || block->waiting < block->running)
        return;
    if (block->arrived > sm->now) {
        if (block->arrived < sm->barriers.next)
            sm->barriers.next = block->arrived;
        return;
    }
    block->waiting = 0;
    if (sm->events)
        sm_tell(sm, EVENT_release, sm->now, NO_SLOT, slot);
    for (uint32_t i = 0; i < sm->warps_per_block; i++) {
        const uint32_t index = slot * sm->warps_per_block + i;
        if (!sm->warps[index].barrier)
            continue;
        sm->warps[index].barrier = false;
        sm_update(sm, index);
    }
}

void barriers_release_due(struct sm *sm)
{
    sm->barriers.next = UINT64_MAX;
    for (uint32_t slot = 0; slot < sm->block_slots; slot++)
        barrier_release(sm, slot);
    sm->progress = true;
}
