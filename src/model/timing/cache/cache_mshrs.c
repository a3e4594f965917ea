#include "model/timing/cache/cache_mshrs.h"
#include "base/memory.h"

/* The MSHRs of a cache unit (Kroft, ISCA 1981). They are found by hashing their blocks; the
 * requests merged into one, its targets, are a list. */

enum { NONE = UINT32_MAX };

static inline uint32_t *mshr_head(const struct cache_unit *unit, uint64_t block)
{
    return &unit->heads[(block * UINT64_C(0x9e3779b97f4a7c15) >> 40) & unit->head_mask];
}

uint32_t mshr_find(const struct cache_unit *unit, uint64_t block)
{
    if (!unit->mshrs_used)
        return NONE;
    uint32_t at = *mshr_head(unit, block);
    while (at != NONE && unit->mshrs[at].block != block)
        at = unit->mshrs[at].next;
    return at;
}

static uint32_t target_allocate(struct cache_unit *unit)
{
    if (unit->free_target == NONE && free_list_grow(&unit->targets, &unit->target_count,
                                                    &unit->free_target, struct mshr_target, next)) {
        unit->failed = true;
        return NONE;
    }
    uint32_t target = unit->free_target;
    unit->free_target = unit->targets[target].next;
    return target;
}

void mshr_merge(struct cache_unit *unit, uint32_t at, const struct packet *request, uint64_t now)
{
    const uint32_t target = target_allocate(unit);
    if (target == NONE)
        return;
    struct mshr *mshr = &unit->mshrs[at];
    unit->targets[target] = (struct mshr_target){
        .id = request->id,
        .next = NONE,
        .issued = request->issued,
        .joined = now,
        .l2 = request->l2,
        .touched = request->touched,
        .sm = request->sm,
        .kind = request->kind,
        .flags = request->flags,
        .address = request->address,
        .pc = request->pc,
        .bytes = request->bytes,
        .warp = request->warp,
    };
    if (mshr->first == NONE)
        mshr->first = target;
    else
        unit->targets[mshr->last].next = target;
    mshr->last = target;
    mshr->targets++;
    gauge_enter(&unit->merged, now, mshr->targets);
    if (request->kind == PACKET_WRITE && !(request->flags & PACKET_ALLOCATE))
        mshr->writing = true;
    else
        mshr->read_after_write |= mshr->writing;
}

/* MSHRs are made as they are needed: few caches ever have all that they may. */
uint32_t mshr_allocate(struct cache_unit *unit, uint64_t block, uint64_t index, uint32_t line)
{
    if (unit->free_mshr == NONE &&
        free_list_grow(&unit->mshrs, &unit->mshrs_made, &unit->free_mshr, struct mshr, next)) {
        unit->failed = true;
        return NONE;
    }
    const uint32_t at = unit->free_mshr;
    struct mshr *mshr = &unit->mshrs[at];
    uint32_t *head = mshr_head(unit, block);
    unit->free_mshr = mshr->next;
    *mshr = (struct mshr){.block = block,
                          .index = index,
                          .line = line,
                          .first = NONE,
                          .last = NONE,
                          .parts = 1,
                          .next = *head};
    *head = at;
    unit->mshrs_used++;
    return at;
}

static void mshr_free(struct cache_unit *unit, uint32_t at)
{
    uint32_t *link = mshr_head(unit, unit->mshrs[at].block);
    while (*link != at)
        link = &unit->mshrs[*link].next;
    *link = unit->mshrs[at].next;
    unit->mshrs[at].next = unit->free_mshr;
    unit->free_mshr = at;
    unit->mshrs_used--;
}

uint64_t cache_unit_waiting(const struct cache_unit *unit)
{
    uint64_t count = 0;
    for (uint32_t i = 0; unit->mshrs_used && i <= unit->head_mask; i++)
        for (uint32_t at = unit->heads[i]; at != NONE; at = unit->mshrs[at].next)
            count += unit->mshrs[at].targets;
    return count;
}

struct mshr_target cache_unit_take(struct cache_unit *unit, uint64_t now)
{
    const uint32_t at = unit->ready_first;
    unit->changes++;
    struct mshr *mshr = &unit->mshrs[at];
    const uint32_t target = mshr->first;
    struct mshr_target result = unit->targets[target];
    result.waited = mshr->filled > result.joined ? (uint32_t)(mshr->filled - result.joined) : 0;
    result.dram = mshr->dram;
    if (unit->above)
        result.l2 = mshr->l2;
    mshr->first = result.next;
    mshr->targets--;
    gauge_leave(&unit->merged, now);
    unit->targets[target].next = unit->free_target;
    unit->free_target = target;
    if (mshr->first == NONE) {
        unit->ready_first = mshr->ready_next;
        if (unit->ready_first == NONE)
            unit->ready_last = NONE;
        mshr_free(unit, at);
        gauge_leave(&unit->in_use, now);
    }
    return result;
}
