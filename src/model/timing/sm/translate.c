#include "base/memory.h"
#include "model/timing/memory/mmu.h"
#include "model/timing/sm/load_store.h"
#include "model/timing/sm/sm.h"

/* Whether an access before this one in the latch is to the same page. */
static bool page_again(const struct sm *sm, uint32_t access)
{
    const unsigned bits = sm->shared->page_bits;
    const uint64_t page = sm->load_store.accesses[access].address >> bits;
    for (uint32_t i = access; i-- > 0;)
        if (sm->load_store.accesses[i].address >> bits == page)
            return true;
    return false;
}

/* Sends the miss that the TLB has just noted. It keeps its place in the queue of misses until a
 * walker takes it. */
static void ask_for_page(struct sm *sm, uint32_t at, uint64_t now)
{
    struct packet request =
        *packet_queue_tail(&sm->translate.tlb.packets, &sm->translate.tlb.misses);
    request.ready = now;
    request.pc = at;
    if (!packet_queue_push(&sm->packets, &sm->translate.untranslated, &request))
        sm->status = STATUS_MEMORY;
}

static void tell_page(const struct sm *sm, enum event_kind kind, uint64_t page, const struct op *op)
{
    const struct timing_event event = {.cycle = sm->now,
                                       .address = page << sm->shared->page_bits,
                                       .pc = op ? op->code->code->pc : 0,
                                       .id = op ? op->order : 0,
                                       .place = sm->number,
                                       .slot = op ? op->warp : NO_SLOT,
                                       .kind = (uint8_t)kind,
                                       .detail = EVENT_NO_DETAIL};
    event_log_put(sm->events, &event);
}

/* Of a refusal that lasts the first look alone. */
static void tell_look(const struct sm *sm, enum unit_outcome outcome, uint64_t page,
                      const struct op *op)
{
    if (outcome < UNIT_FAIL)
        tell_page(sm, (enum event_kind)(EVENT_tlb_hit + outcome), page, op);
    else if (!sm->translate.refused)
        tell_page(sm, EVENT_tlb_refusal, page, op);
}

/* Looks up the distinct pages of the latch's accesses from `access_at` on. Returns false if the TLB
 * refuses one because its misses wait for walkers: the latch tries again after any change. */
static bool look_pages_up(struct sm *sm, uint64_t now)
{
    struct load_store *unit = &sm->load_store;
    struct translate *translate = &sm->translate;
    struct op *op = &sm->ops.items[unit->latch];
    for (; unit->access_at < unit->access_count; unit->access_at++) {
        if (page_again(sm, unit->access_at))
            continue;
        const uint64_t page = unit->accesses[unit->access_at].address >> sm->shared->page_bits;
        if (cache_unit_read_again(&translate->tlb, page, now)) {
            if (sm->events)
                tell_look(sm, UNIT_HIT, page, op);
            continue;
        }
        const struct packet look = {
            .address = page * MMU_LINE, .bytes = MMU_LINE, .id = unit->latch, .issued = now};
        struct unit_effect effect;
        const uint32_t waiting = translate->tlb.misses.count;
        const enum unit_outcome outcome =
            cache_unit_access(&translate->tlb, &look, page, now, &effect);
        if (sm->events)
            tell_look(sm, outcome, page, op);
        if (outcome >= UNIT_FAIL) {
            translate->tried = translate->tlb.changes;
            return false;
        }
        op->translating += outcome != UNIT_HIT;
        if (translate->tlb.misses.count > waiting)
            ask_for_page(sm, unit->latch, now);
    }
    return true;
}

/* While its pages are looked up, an op counts as one that lacks one more. */
void sm_translate(struct sm *sm, uint64_t now)
{
    struct op *op = &sm->ops.items[sm->load_store.latch];
    struct sm_warp *warp = &sm->warps[op->warp];
    if (!sm->translate.refused) {
        op->translating = 1;
        warp->translating++;
    }
    sm->stalls.changed = true;
    sm->translate.refused = !look_pages_up(sm, now);
    if (sm->translate.refused)
        return;
    sm->progress = true;
    if (--op->translating) {
        sm->load_store.latch = NO_OP;
    } else {
        warp->translating--;
        sm_take_accesses(sm, sm->load_store.latch);
    }
}

/* An op has all its translations. */
static enum status add_retry(struct sm *sm, uint32_t at)
{
    struct translate *translate = &sm->translate;
    sm->ops.items[at].translated = true;
    sm->warps[sm->ops.items[at].warp].translating--;
    sm->stalls.changed = true;
    if (array_reserve(&translate->retries, &translate->retry_capacity,
                      translate->retry_first + translate->retry_count + 1))
        return STATUS_MEMORY;
    translate->retries[translate->retry_first + translate->retry_count++] = at;
    return STATUS_OK;
}

static void fill_tlb(struct sm *sm, const struct packet *answer, uint64_t now)
{
    struct cache_unit *tlb = &sm->translate.tlb;
    if (sm->events)
        tell_page(sm, EVENT_tlb_fill,
                  (tlb->mshrs[answer->id].block << tlb->geometry.sector_bits) / MMU_LINE, NULL);
    cache_unit_fill(tlb, answer, now);
}

void sm_take_translations(struct sm *sm, uint64_t now)
{
    struct translate *translate = &sm->translate;
    for (; packet_queue_due(&sm->packets, &translate->answers, now);
         packet_queue_pop(&sm->packets, &translate->answers)) {
        const struct packet *answer = packet_queue_head(&sm->packets, &translate->answers);
        if (answer->id == NO_OP)
            cache_unit_sent(&translate->tlb, now);
        else
            fill_tlb(sm, answer, now);
        sm->progress = true;
    }
    while (cache_unit_has_ready(&translate->tlb)) {
        const uint32_t at = cache_unit_take(&translate->tlb, sm->now).id;
        if (--sm->ops.items[at].translating == 0 && add_retry(sm, at))
            sm->status = STATUS_MEMORY;
    }
}

uint32_t translate_retry(struct translate *translate)
{
    const uint32_t at = translate->retries[translate->retry_first];
    translate->retry_first = --translate->retry_count ? translate->retry_first + 1 : 0;
    return at;
}
