#include "model/timing/cache/cache_entries.h"
#include "base/memory.h"

/* The MSHRs of a cache unit. Entries are found by hashing their blocks; the requests that joined
 * one are a list. */

enum { NONE = UINT32_MAX };

static inline uint32_t *entry_head(const struct cache_unit *unit, uint64_t block)
{
    return &unit->heads[(block * UINT64_C(0x9e3779b97f4a7c15) >> 40) & unit->head_mask];
}

uint32_t unit_entry_find(const struct cache_unit *unit, uint64_t block)
{
    if (!unit->entries_used)
        return NONE;
    uint32_t at = *entry_head(unit, block);
    while (at != NONE && unit->entries[at].block != block)
        at = unit->entries[at].next;
    return at;
}

static uint32_t waiter_new(struct cache_unit *unit)
{
    if (unit->free_waiter == NONE && free_list_grow(&unit->waiters, &unit->waiter_count,
                                                    &unit->free_waiter, struct unit_waiter, next)) {
        unit->failed = true;
        return NONE;
    }
    uint32_t waiter = unit->free_waiter;
    unit->free_waiter = unit->waiters[waiter].next;
    return waiter;
}

void unit_entry_join(struct cache_unit *unit, uint32_t at, const struct packet *request,
                     uint64_t now)
{
    const uint32_t waiter = waiter_new(unit);
    if (waiter == NONE)
        return;
    struct unit_entry *entry = &unit->entries[at];
    unit->waiters[waiter] = (struct unit_waiter){
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
    if (entry->first == NONE)
        entry->first = waiter;
    else
        unit->waiters[entry->last].next = waiter;
    entry->last = waiter;
    entry->waiters++;
    if (request->kind == PACKET_WRITE && !(request->flags & PACKET_ALLOCATE))
        entry->writing = true;
    else
        entry->read_after_write |= entry->writing;
}

/* Entries are made as they are needed: few caches ever have all that they may. */
uint32_t unit_entry_new(struct cache_unit *unit, uint64_t block, uint64_t index, uint32_t line)
{
    if (unit->free_entry == NONE && free_list_grow(&unit->entries, &unit->entries_made,
                                                   &unit->free_entry, struct unit_entry, next)) {
        unit->failed = true;
        return NONE;
    }
    const uint32_t at = unit->free_entry;
    struct unit_entry *entry = &unit->entries[at];
    uint32_t *head = entry_head(unit, block);
    unit->free_entry = entry->next;
    *entry = (struct unit_entry){.block = block,
                                 .index = index,
                                 .line = line,
                                 .first = NONE,
                                 .last = NONE,
                                 .parts = 1,
                                 .next = *head};
    *head = at;
    unit->entries_used++;
    return at;
}

static void entry_unlink(struct cache_unit *unit, uint32_t at)
{
    uint32_t *link = entry_head(unit, unit->entries[at].block);
    while (*link != at)
        link = &unit->entries[*link].next;
    *link = unit->entries[at].next;
    unit->entries[at].next = unit->free_entry;
    unit->free_entry = at;
    unit->entries_used--;
}

struct unit_waiter cache_unit_take(struct cache_unit *unit)
{
    const uint32_t at = unit->ready_first;
    unit->changes++;
    struct unit_entry *entry = &unit->entries[at];
    const uint32_t waiter = entry->first;
    struct unit_waiter result = unit->waiters[waiter];
    result.waited = entry->filled > result.joined ? (uint32_t)(entry->filled - result.joined) : 0;
    result.dram = entry->dram;
    if (unit->above)
        result.l2 = entry->l2;
    entry->first = result.next;
    entry->waiters--;
    unit->waiters[waiter].next = unit->free_waiter;
    unit->free_waiter = waiter;
    if (entry->first == NONE) {
        unit->ready_first = entry->ready_next;
        if (unit->ready_first == NONE)
            unit->ready_last = NONE;
        entry_unlink(unit, at);
    }
    return result;
}
