#include "model/timing/sm/warp_counts.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "model/timing/sm/sm.h"

struct warp_counts {
    struct timing_warp running[WARPS_MAX];
    uint64_t empty_since[WARPS_MAX]; /* the cycle in which a warp's buffer became empty */
    struct timing_warps ended;
};

enum status warp_counts_new(struct sm *sm)
{
    sm->by_warp = calloc(1, sizeof *sm->by_warp);
    return sm->by_warp ? STATUS_OK : STATUS_MEMORY;
}

void warp_counts_free(struct sm *sm)
{
    if (sm->by_warp)
        free(sm->by_warp->ended.items);
    free(sm->by_warp);
    sm->by_warp = NULL;
}

bool warp_counts_copy(struct sm *sm)
{
    if (!array_copy(&sm->by_warp, sizeof *sm->by_warp))
        return false;
    struct timing_warps *ended = sm->by_warp ? &sm->by_warp->ended : NULL;
    return !ended || array_copy(&ended->items, ended->capacity * sizeof *ended->items);
}

enum status warp_counts_report(struct sm *sm, struct timing_warps *warps)
{
    struct timing_warps *ended = &sm->by_warp->ended;
    if (array_reserve(&warps->items, &warps->capacity, warps->count + ended->count))
        return STATUS_MEMORY;
    for (size_t i = 0; i < ended->count; i++)
        warps->items[warps->count++] = ended->items[i];
    ended->count = 0;
    return STATUS_OK;
}

void warp_counts_started(struct sm *sm, uint32_t warp, uint32_t number)
{
    sm->by_warp->running[warp] =
        (struct timing_warp){.launch = sm->launch,
                             .sm = sm->number,
                             .warp = number,
                             .scheduler = sm->warps[warp].scheduler,
                             .block = sm->blocks[sm->warps[warp].block].number,
                             .begin = sm->now};
    sm->by_warp->empty_since[warp] = sm->now;
}

static void count(struct timing_lookups *lookups, enum unit_outcome outcome)
{
    lookups->accesses++;
    lookups->misses += unit_missed(outcome);
    lookups->pending += outcome == UNIT_PENDING;
}

void warp_counts_fetched(struct sm *sm, uint32_t warp, enum unit_outcome outcome)
{
    count(&sm->by_warp->running[warp].l1i, outcome);
}

void warp_counts_decoded(struct sm *sm, uint32_t warp)
{
    struct warp_counts *counts = sm->by_warp;
    counts->running[warp].fetching += sm->now - counts->empty_since[warp];
}

void warp_counts_issued(struct sm *sm, uint32_t warp, uint32_t mask)
{
    struct timing_warp *row = &sm->by_warp->running[warp];
    row->instructions++;
    row->lanes += bits_count(mask);
    if (!sm->warps[warp].buffered)
        sm->by_warp->empty_since[warp] = sm->now;
}

void warp_counts_accessed(struct sm *sm, uint32_t warp, enum unit_outcome outcome)
{
    count(&sm->by_warp->running[warp].l1d, outcome);
}

void warp_counts_loaded(struct sm *sm, uint32_t warp, uint64_t cycles)
{
    struct timing_warp *row = &sm->by_warp->running[warp];
    if (sm->now - cycles < row->begin)
        return; /* a load whose value nobody waited for has outlived its warp */
    row->loads++;
    row->load_cycles += cycles;
}

void warp_counts_ended(struct sm *sm, uint32_t warp)
{
    struct timing_warps *ended = &sm->by_warp->ended;
    struct timing_warp *row = &sm->by_warp->running[warp];
    row->end = sm->now + 1;
    if (array_reserve(&ended->items, &ended->capacity, ended->count + 1))
        sm->status = STATUS_MEMORY;
    else
        ended->items[ended->count++] = *row;
}
