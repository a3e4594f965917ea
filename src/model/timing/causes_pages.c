#include "model/timing/causes_notes.h"

/* The causes of what happens in TLBs and walkers. Reads of the page table come to the L2 as events
 * of no SM in particular: they are known by their addresses. */

/* ---- what is noted of a page ---- */

static struct asked_note *page_of_sm(struct causes *causes, uint32_t sm, uint64_t address)
{
    return causes_asked(causes, causes->notes->sm_count + sm, address);
}

/* Its last walk is `down`. */
static struct asked_note *page_of_walkers(struct causes *causes, uint64_t address)
{
    return causes_asked(causes, 2 * causes->notes->sm_count, address);
}

uint32_t causes_walk_of(struct causes *causes, const struct timing_event *event)
{
    return event->address < PAGE_TABLE_BASE ? NO_CAUSE
                                            : page_of_walkers(causes, event->address)->down;
}

void causes_add_reads(struct causes *causes, uint32_t walk, enum cause_link link)
{
    uint64_t entries[PAGE_LEVELS];
    causes_add(causes, walk, link, 0, 0);
    if (walk & CAUSE_GONE || !causes->shared->machine->walker.l2)
        return;
    const unsigned count =
        page_table_walk(&causes->notes->table, causes->events[walk].address, entries);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t at_l2 = page_of_walkers(causes, entries[i])->at_l2;
        if (is_after(causes, at_l2, walk))
            causes_add(causes, causes_data_of_l2(causes, at_l2), link, 0, 0);
    }
}

/* ---- the TLB ---- */

static void of_tlb_fill(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    struct asked_note *page = page_of_sm(causes, event->place, event->address);
    const uint32_t down = page->down, shared = page->at_l2;
    page->back = causes_newest(causes);
    if (is_after(causes, shared, down))
        causes_add(causes, shared, LINK_WALK, 0, 0);
    if (!is_after(causes, shared, down) || shared & CAUSE_GONE ||
        causes->events[shared].kind != EVENT_l2tlb_hit)
        causes_add_reads(causes, page_of_walkers(causes, event->address)->down, LINK_WALK);
    causes_add(causes, down, LINK_TO_WALKERS, 0, 0);
    causes_add_beside(causes, sm->page_fill);
    causes_add_beside(causes, causes->notes->walk);
    sm->page_fill = causes_newest(causes);
}

static void of_tlb_look_up(struct causes *causes, struct sm_note *sm,
                           const struct timing_event *event)
{
    struct op_note *op = causes_op(sm, event->id);
    const uint32_t at = causes_newest(causes), before = sm->page, unit = sm->request;
    struct asked_note *page = page_of_sm(causes, event->place, event->address);
    if (!op)
        return;
    causes_add(causes, op->issue, LINK_ENTER, 0,
               causes_collect_steps(causes, &causes->notes->code->items[op->code]));
    if (before != NO_CAUSE)
        causes_add(causes, before,
                   causes->events[before].id == event->id ? LINK_ITSELF : LINK_BEHIND, 0, 0);
    if (unit != NO_CAUSE && causes->events[unit].id != event->id)
        causes_add(causes, unit, LINK_BEHIND, 1, 0);
    causes_add_beside(causes, sm->look_up);
    causes_add_beside(causes, sm->page_fill);
    if (sm->page_refused != NO_CAUSE)
        causes_add_last(causes, causes_later(causes, causes->notes->walk, sm->page_fill),
                        LINK_FREED_WALK);
    if (event->kind == EVENT_tlb_hit)
        causes_add(causes, page->back, LINK_TRANSLATED, 0, 0);
    sm->page = at;
    sm->page_refused = event->kind == EVENT_tlb_refusal ? at : NO_CAUSE;
    if (event->kind == EVENT_tlb_refusal)
        return;
    if (event->kind == EVENT_tlb_miss)
        page->down = at;
    op->pages = causes_list(causes, op->pages);
}

void causes_of_tlb(struct causes *causes, const struct timing_event *event)
{
    struct sm_note *sm = &causes->notes->sms[event->place];
    if (event->kind == EVENT_tlb_fill)
        of_tlb_fill(causes, sm, event);
    else
        of_tlb_look_up(causes, sm, event);
}

/* ---- the shared TLB and the walkers ---- */

static void of_walk(struct causes *causes, const struct timing_event *event)
{
    uint64_t entries[PAGE_LEVELS];
    struct causes_notes *notes = causes->notes;
    const uint32_t at = causes_newest(causes);
    causes_add_reads(causes, notes->walkers[event->place], LINK_WALKER);
    notes->walkers[event->place] = page_of_walkers(causes, event->address)->down = at;
    if (!causes->shared->machine->walker.l2)
        return;
    const unsigned count = page_table_walk(&notes->table, event->address, entries);
    for (unsigned i = 0; i < count; i++)
        page_of_walkers(causes, entries[i])->down = at;
}

void causes_of_mmu(struct causes *causes, const struct timing_event *event)
{
    struct causes_notes *notes = causes->notes;
    const uint32_t at = causes_newest(causes);
    const uint64_t latency = causes->shared->machine->l2.latency;
    struct asked_note *page = page_of_sm(causes, event->id, event->address);
    causes_add(causes, page->down, LINK_TO_WALKERS, latency, 0);
    if (event->kind == EVENT_walk) {
        if (is_after(causes, page->at_l2, page->down))
            causes_add(causes, page->at_l2, LINK_TO_WALKERS, 0, 0);
        of_walk(causes, event);
    } else {
        page->at_l2 = at;
    }
    causes_add_beside(causes, notes->walk);
    notes->walk = at;
}
