#include <assert.h>

#include "model/timing/sm/code_counts.h"
#include "model/timing/sm/sm.h"

/* What cycles were for: each scheduler's, and what the L1D refused. */

/* Part of each of the two that count stalls, most often once a scheduler and cycle. */
#define TEMPLATE static inline __attribute__((always_inline))

static enum memory_slot refusal_slot(const struct sm *sm)
{
    static const uint8_t slots[UNIT_RESULTS - UNIT_FAIL] = {
        MEMORY_SLOT_line, MEMORY_SLOT_miss_queue, MEMORY_SLOT_mshr_entry, MEMORY_SLOT_mshr_merge,
        MEMORY_SLOT_write};
    if (sm->translate.refused)
        return MEMORY_SLOT_translation;
    const uint32_t bank = set_from(sm->load_store.refused, sm->shared->bank_words, 0);
    if (bank != UINT32_MAX)
        return (enum memory_slot)slots[sm->load_store.banks[bank].blocked - UNIT_FAIL];
    return sm->stalls.port_fails ? MEMORY_SLOT_port : MEMORY_SLOT_l1d;
}

/* Whether shared memory still has what a warp waits for, or its result waits for a register bank.
 */
static bool waits_for_shared(const struct sm *sm, uint32_t index)
{
    const uint32_t last = sm->load_store.written_back;
    return sm->warps[index].in_shared ||
           (last != NO_OP && sm->ops.items[last].warp == index && sm->ops.items[last].banks);
}

/* Charges a cycle to the memory that a warp waits for. */
TEMPLATE void account_memory(struct sm *sm, uint32_t index, uint64_t warps)
{
    const uint32_t at = warp_of(sm->shared, index, (uint32_t)__builtin_ctzll(warps));
    const struct sm_warp *warp = &sm->warps[at];
    enum memory_slot slot = MEMORY_SLOT_network;
    if (warp->translating)
        slot = MEMORY_SLOT_translation;
    else if (warp->inside)
        slot = refusal_slot(sm);
    else if (waits_for_shared(sm, at))
        slot = MEMORY_SLOT_l1d;
    else
        sm->stalls.away[index] = at;
    sm->stalls.memory[index] = (uint8_t)slot;
    if (sm->by_code)
        code_counts_awaited(sm, index, at);
}

/* Finds what a cycle in which a scheduler issued nothing was for. */
TEMPLATE void account(struct sm *sm, uint32_t index, uint64_t considered, uint64_t ready)
{
    struct stalls *stalls = &sm->stalls;
    const struct scheduler *scheduler = &sm->schedulers[index];
    const uint64_t has = scheduler->has & considered;
    const uint64_t waiting = scheduler->present & scheduler->waits;
    const uint64_t loading = scheduler->memory & (has | (waiting & considered));
    enum core_slot slot = SLOT_idle;
    stalls->memory[index] = MEMORY_SLOT_COUNT;
    stalls->away[index] = NO_WARP;
    if (ready) {
        const bool memory = !(ready & ~scheduler->pipe[PIPE_MEMORY]);
        slot = memory ? SLOT_memory : SLOT_pipe;
        if (memory)
            stalls->memory[index] = (uint8_t)refusal_slot(sm);
        if (memory && sm->by_code)
            code_counts_blocked(sm, index, (uint32_t)__builtin_ctzll(ready));
    } else if (loading) {
        slot = SLOT_memory;
        account_memory(sm, index, loading);
    } else if (has) {
        slot = SLOT_data;
    } else if (scheduler->present & ~scheduler->waits) {
        slot = SLOT_instruction;
    } else if (waiting & scheduler->memory) { /* two_level looks at none of these */
        slot = SLOT_memory;
        account_memory(sm, index, waiting & scheduler->memory);
    } else if (waiting & scheduler->held) {
        slot = SLOT_barrier;
    }
    stalls->slots[index] = (uint8_t)slot;
}

/* Counts `times` cycles in which a scheduler stalls as in this one. */
TEMPLATE void count_stall(struct sm *sm, uint32_t index, uint64_t times)
{
    struct stalls *stalls = &sm->stalls;
    struct sm_counts *counts = &sm->counts;
    counts->slots[stalls->slots[index]] += times;
    if (stalls->memory[index] == MEMORY_SLOT_COUNT)
        return;
    counts->memory_slots[stalls->memory[index]] += times;
    if (sm->by_code)
        code_counts_stalled(sm, index, times);
    if (stalls->away[index] != NO_WARP)
        sm->warps[stalls->away[index]].away += times;
}

void sm_stall(struct sm *sm, uint32_t index, uint64_t considered, uint64_t ready)
{
    account(sm, index, considered, ready);
    count_stall(sm, index, 1);
}

/* Counts what was refused in this cycle, `times` more times. */
static void count_fails(struct sm *sm, uint64_t times)
{
    for (unsigned i = 0; i < UNIT_RESULTS - UNIT_FAIL; i++)
        sm->counts.fails[i] += times * sm->stalls.fails[i];
    sm->counts.port_fails += times * sm->stalls.port_fails;
}

/* The turn of the schedulers goes on in each cycle. */
void sm_count_owed(struct sm *sm)
{
    const uint64_t owed = sm->stalls.owed;
    const uint32_t schedulers = sm->shared->schedulers;
    assert(schedulers);
    sm->stalls.owed = 0;
    for (uint32_t i = 0; i < schedulers; i++)
        count_stall(sm, i, owed);
    sm->first_scheduler = (uint32_t)((sm->first_scheduler + owed) % schedulers);
}

void sm_count_more(struct sm *sm, uint64_t times)
{
    sm->counts.cycles += times;
    sm->counts.warp_cycles += times * sm->resident;
    sm->stalls.owed += times;
    if (sm->stalls.failed)
        count_fails(sm, times);
    if (sm->fetch.refused) /* while a line is on its way (l1i.blocking) */
        sm->fetch.l1i.counts.fails[UNIT_FAIL_MSHR - UNIT_FAIL] +=
            times * (sm->fetch.l0_count ? 1 : sm->shared->fetches);
}
