#include "model/gpu/coalesce_memo.h"

enum { SEGMENT = 128, HALF_WARPS = 20 /* older architectures coalesce half-warps */ };

static uint64_t rest_of(const struct warp_access *access, uint64_t place)
{
    return access->mask | place << 32 | (uint64_t)access->bytes << 39 | (uint64_t)access->op << 45 |
           (uint64_t)access->space << 48 | (uint64_t)access->flags << 56;
}

/* Whether the requests of an entry, moved to `base`, are still in order: they are not where some
 * pass the end of the address space. */
static bool stays_in_order(const struct memo_entry *entry, uint64_t base, int order)
{
    const uint64_t first = base + entry->requests[0].address;
    const uint64_t last = base + entry->requests[entry->count - 1].address;
    return order == ORDER_RISING ? first <= last : first >= last;
}

static void remember(struct memo_entry *entry, uint64_t form, uint64_t rest, uint64_t base,
                     const struct request *requests, unsigned count)
{
    entry->form = form;
    entry->rest = rest;
    entry->count = count;
    for (unsigned i = 0; i < count; i++) {
        entry->requests[i] = requests[i];
        entry->requests[i].address -= base;
    }
}

unsigned coalesce_remembered(struct coalesce_memo *memo, const struct coalescer_config *coalescer,
                             const struct warp_access *access, const struct access_window *window,
                             uint16_t instance, struct request out[COALESCED_MAX])
{
    if (access->flags & ACCESS_LISTED || coalescer->arch < HALF_WARPS)
        return coalesce(coalescer, access, window, instance, out);
    const uint64_t form = access->flags & ACCESS_PATTERN
                              ? (uintptr_t)(window->offsets + access->stride)
                              : (uint64_t)(int64_t)access->stride;
    const uint64_t base = access->base, place = base % SEGMENT;
    const uint64_t rest = rest_of(access, place);
    const uint64_t slot =
        ((form / 4 + form / SEGMENT + access->op) * 37 + place / 4) % MEMO_ENTRIES;
    struct memo_entry *entry = &memo->entries[slot];
    if (entry->form != form || entry->rest != rest ||
        !stays_in_order(entry, base, coalescer->order)) {
        const unsigned count = coalesce(coalescer, access, window, instance, out);
        if (count <= MEMO_REQUESTS)
            remember(entry, form, rest, base, out, count);
        return count;
    }
    for (unsigned i = 0; i < entry->count; i++) {
        out[i] = entry->requests[i];
        out[i].address += base;
        out[i].pc = access->pc;
        out[i].instance = instance;
    }
    return (unsigned)entry->count;
}
