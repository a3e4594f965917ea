#include "base/memory.h"
#include "model/timing/memory/mmu.h"
#include "model/timing/sm/load_store.h"
#include "model/timing/sm/sm_parts.h"

/* The TLB of an SM: instructions look their pages up and step aside until translations come. */

/* Whether an access before this one in the latch is to the same page. */
static bool page_again(const struct sm *sm, uint32_t access)
{
    const unsigned bits = sm->shared->page_bits;
    const uint64_t page = sm->accesses[access].address >> bits;
    for (uint32_t i = access; i-- > 0;)
        if (sm->accesses[i].address >> bits == page)
            return true;
    return false;
}

/* Sends the miss that the TLB has just noted. It keeps its place in the queue of misses until a
 * walker takes it. */
static void ask_for_page(struct sm *sm, uint32_t at, uint64_t now)
{
    struct packet request = *packet_queue_tail(&sm->tlb.packets, &sm->tlb.misses);
    request.ready = now;
    request.pc = at;
    if (!packet_queue_push(&sm->packets, &sm->untranslated, &request))
        sm->status = STATUS_MEMORY;
}

/* Looks up the distinct pages of the latch's accesses from `access_at` on. Returns false if the TLB
 * refuses one because its misses wait for walkers: the latch tries again after any change. */
static bool look_pages_up(struct sm *sm, uint64_t now)
{
    struct op *op = &sm->ops[sm->memory_latch];
    for (; sm->access_at < sm->access_count; sm->access_at++) {
        if (page_again(sm, sm->access_at))
            continue;
        const uint64_t page = sm->accesses[sm->access_at].address >> sm->shared->page_bits;
        if (cache_unit_read_again(&sm->tlb, page, now))
            continue;
        const struct packet look = {
            .address = page * MMU_LINE, .bytes = MMU_LINE, .id = sm->memory_latch, .issued = now};
        struct unit_effect effect;
        const uint32_t waiting = sm->tlb.misses.count;
        const enum unit_outcome outcome = cache_unit_access(&sm->tlb, &look, page, now, &effect);
        if (outcome >= UNIT_FAIL) {
            sm->translate_tried = sm->tlb.changes;
            return false;
        }
        op->translating += outcome != UNIT_HIT;
        if (sm->tlb.misses.count > waiting)
            ask_for_page(sm, sm->memory_latch, now);
    }
    return true;
}

/* While its pages are looked up, an op counts as one that lacks one more. */
void sm_translate(struct sm *sm, uint64_t now)
{
    struct op *op = &sm->ops[sm->memory_latch];
    struct sm_warp *warp = &sm->warps[op->warp];
    if (!sm->translating) {
        op->translating = 1;
        warp->translating++;
    }
    sm->translating = !look_pages_up(sm, now);
    if (sm->translating)
        return;
    sm->progress = true;
    if (--op->translating) {
        sm->memory_latch = NO_OP;
    } else {
        warp->translating--;
        sm_take_accesses(sm, sm->memory_latch);
    }
}

/* An op has all its translations. */
static enum status add_retry(struct sm *sm, uint32_t at)
{
    sm->ops[at].translated = true;
    sm->warps[sm->ops[at].warp].translating--;
    if (array_reserve(&sm->retries, &sm->retry_capacity, sm->retry_first + sm->retry_count + 1))
        return STATUS_MEMORY;
    sm->retries[sm->retry_first + sm->retry_count++] = at;
    return STATUS_OK;
}

void sm_take_translations(struct sm *sm, uint64_t now)
{
    for (; packet_queue_due(&sm->packets, &sm->answers, now);
         packet_queue_pop(&sm->packets, &sm->answers)) {
        const struct packet *answer = packet_queue_head(&sm->packets, &sm->answers);
        if (answer->id == NO_OP)
            cache_unit_sent(&sm->tlb);
        else
            cache_unit_fill(&sm->tlb, answer, now);
        sm->progress = true;
    }
    while (cache_unit_has_ready(&sm->tlb)) {
        const uint32_t at = cache_unit_take(&sm->tlb).id;
        if (--sm->ops[at].translating == 0 && add_retry(sm, at))
            sm->status = STATUS_MEMORY;
    }
}

uint32_t load_store_retry(struct sm *sm)
{
    const uint32_t at = sm->retries[sm->retry_first];
    sm->retry_first = --sm->retry_count ? sm->retry_first + 1 : 0;
    return at;
}
