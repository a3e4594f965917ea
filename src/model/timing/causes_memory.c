#include "model/timing/causes_notes.h"

#include "model/timing/base/packet.h"
#include "schema/parameters.h"

/* The causes of what happens in the load/store unit, caches and DRAMs. */

enum { NOTED_BYTES = 32 };

uint32_t causes_data_of_l2(struct causes *causes, uint32_t at)
{
    if (at & CAUSE_GONE)
        return at;
    const struct timing_event *event = &causes->events[at];
    if (event->kind == EVENT_l2_hit)
        return at;
    if (event_kinds[event->kind].part == PART_DRAM) { /* it passed the L2 */
        const uint32_t burst = causes_memory(causes, event->address)->burst;
        return is_after(causes, burst, at) ? burst : at;
    }
    const uint32_t filled = causes_memory(causes, event->address)->filled;
    return is_after(causes, filled, at) ? filled : at;
}

uint32_t causes_data(struct causes *causes, const struct listed_note *request)
{
    const struct timing_event *event = &causes->events[request->event];
    const uint32_t look_up = request->answer;
    if (look_up != NO_CAUSE && causes->events[look_up].kind == EVENT_l1d_hit)
        return look_up;
    const struct asked_note *asked = causes_asked(causes, event->place, event->address);
    if (look_up != NO_CAUSE)
        return is_after(causes, asked->back, look_up) ? asked->back : look_up;
    return is_after(causes, asked->at_l2, request->event) ? causes_data_of_l2(causes, asked->at_l2)
                                                          : NO_CAUSE;
}

/* ---- the load/store unit and the L1D ---- */

/* Whether the L2 has taken all of a store. */
static bool is_taken(struct causes *causes, const struct op_note *store, uint32_t sm)
{
    bool all = true;
    for (const struct listed_note *request = causes_listed(causes, store->requests); request;
         request = causes_listed(causes, request->before)) {
        const uint64_t address = causes->events[request->event].address;
        all &= is_after(causes, causes_asked(causes, sm, address)->at_l2, request->event);
    }
    return all;
}

/* A store that a warp's end waits for. Those that the L2 took meanwhile leave the list whenever it
 * has doubled. */
static void note_store(struct causes *causes, struct sm_note *sm, struct warp_note *warp,
                       uint32_t store, uint32_t place)
{
    enum { STORES_LEAST = 8 };
    causes_op(sm, store)->last_store = warp->store;
    warp->store = store;
    if (++warp->stores < 2 * warp->stores_left + STORES_LEAST)
        return;
    warp->stores = 0;
    uint32_t *at = &warp->store;
    for (struct op_note *op; (op = causes_op(sm, *at));)
        if (is_taken(causes, op, place)) {
            *at = op->last_store;
        } else {
            at = &op->last_store;
            warp->stores++;
        }
    warp->stores_left = warp->stores;
}

/* The pages of an instruction: found at once, or filled later. */
static void add_translations(struct causes *causes, const struct op_note *op)
{
    const uint32_t sms = causes->notes->sm_count;
    for (const struct listed_note *page = causes_listed(causes, op->pages); page;
         page = causes_listed(causes, page->before)) {
        const struct timing_event *event = &causes->events[page->event];
        const uint32_t back = causes_asked(causes, sms + event->place, event->address)->back;
        causes_add(causes, causes_later(causes, back, page->event), LINK_TRANSLATED, 0, 0);
    }
}

static void of_request(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    struct op_note *op = causes_op(sm, event->id);
    const uint32_t at = causes_newest(causes), before = sm->request;
    if (!op)
        return;
    const bool first = op->requests == NO_CAUSE;
    const uint32_t steps = causes_collect_steps(causes, &causes->notes->code->items[op->code]);
    causes_add(causes, op->issue, LINK_ENTER, 0, steps);
    add_translations(causes, op);
    if (sm->look_up != NO_CAUSE && causes->after[sm->look_up] == causes->after[at])
        causes_add(causes, sm->look_up, LINK_BEHIND, 0, 0);
    if (before != NO_CAUSE && causes->events[before].id != event->id)
        causes_add(causes, before, LINK_BEHIND, 1, 0);
    else if (!first)
        causes_add(causes, causes_listed(causes, op->requests)->event, LINK_ITSELF, 0, 0);
    causes_add_beside(causes, sm->issue);
    op->requests = causes_list(causes, op->requests);
    op->writes = event->detail == PACKET_WRITE;
    sm->request = at;
    causes_asked(causes, event->place, event->address)->down = at;
    struct warp_note *warp = &sm->warps[event->slot % WARPS_MAX];
    if (first && event->detail == PACKET_WRITE && op->issue >= warp->start)
        note_store(causes, sm, warp, event->id, event->place);
}

/* The request of an instruction that is looked up; NULL: it is not known. */
static struct listed_note *request_of(struct causes *causes, struct sm_note *sm,
                                      const struct timing_event *event)
{
    const struct op_note *op = causes_op(sm, event->id);
    struct listed_note *at = causes_listed(causes, op ? op->requests : NO_CAUSE);
    while (at && (causes->events[at->event].address != event->address || at->answer != NO_CAUSE))
        at = causes_listed(causes, at->before);
    return at;
}

/* A request that was refused before: what it lacked is there now. */
static void of_freed(struct causes *causes, const struct sm_note *sm, uint32_t refusal)
{
    static const uint8_t freed[] = {LINK_FREED_LINE, LINK_FREED_QUEUE, LINK_FREED_ENTRY,
                                    LINK_FREED_MERGE, LINK_FREED_WRITE};
    const uint8_t reason = causes->events[refusal].detail;
    const enum cause_link link =
        (enum cause_link)(reason < sizeof freed ? freed[reason] : LINK_FREED_LINE);
    if (is_after(causes, sm->fill, refusal) && link != LINK_FREED_QUEUE)
        causes_add_last(causes, sm->fill, link);
    else
        causes_add_last(causes, refusal, link);
}

static void of_l1d_look_up(struct causes *causes, struct sm_note *sm,
                           const struct timing_event *event)
{
    struct listed_note *listed = request_of(causes, sm, event);
    const uint32_t at = causes_newest(causes), request = listed ? listed->event : NO_CAUSE;
    struct asked_note *asked = causes_asked(causes, event->place, event->address);
    const uint32_t refused = asked->refused, back = asked->back;
    causes_add(causes, request, LINK_LOOK_UP, causes->shared->l1_latency - 1, 2);
    causes_add(causes, sm->look_up, LINK_BANK, 0, 1);
    causes_add_beside(causes, sm->fill);
    if (is_after(causes, refused, request))
        of_freed(causes, sm, refused);
    asked->refused = event->kind == EVENT_l1d_refusal ? at : NO_CAUSE;
    if (event->kind == EVENT_l1d_refusal)
        return;
    if (event->kind == EVENT_l1d_hit)
        causes_add(causes, back, LINK_DATA, 0, 0);
    if (listed)
        listed->answer = at;
    sm->look_up = at;
    for (uint64_t byte = 0; byte < event->bytes; byte += NOTED_BYTES)
        causes_asked(causes, event->place, event->address + byte)->down = at;
}

/* Data of a block come when the last of its parts has come. */
static void of_fill(struct causes *causes, const struct timing_event *event, enum cause_link reply,
                    enum cause_link away)
{
    const uint32_t at = causes_newest(causes);
    const uint64_t router = causes->notes->router;
    for (uint64_t byte = 0; byte < event->bytes; byte += NOTED_BYTES) {
        struct asked_note *asked = causes_asked(causes, event->place, event->address + byte);
        if (asked->at_l2 != NO_CAUSE && !is_after(causes, asked->back, asked->at_l2))
            causes_add(causes, causes_data_of_l2(causes, asked->at_l2), reply, router, 0);
        const uint32_t burst = causes_memory(causes, event->address + byte)->burst;
        if (!causes->shared->machine->l2.enabled && is_after(causes, burst, asked->down))
            causes_add(causes, burst, reply, router, 0);
        causes_add(causes, asked->down, away, 0, 0);
    }
    for (uint64_t byte = 0; byte < event->bytes; byte += NOTED_BYTES)
        causes_asked(causes, event->place, event->address + byte)->back = at;
}

static void of_l1d_fill(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    of_fill(causes, event, LINK_REPLY, LINK_AWAY);
    causes_add_beside(causes, sm->fill);
    causes_add_beside(causes, sm->at_l2);
    sm->fill = causes_newest(causes);
}

void causes_of_l1d(struct causes *causes, const struct timing_event *event)
{
    struct sm_note *sm = &causes->notes->sms[event->place];
    if (event->kind == EVENT_request)
        of_request(causes, sm, event);
    else if (event->kind == EVENT_l1d_fill)
        of_l1d_fill(causes, sm, event);
    else if (event->kind == EVENT_l1d_eviction)
        causes_add(causes, causes_later(causes, sm->look_up, sm->fill), LINK_ITSELF, 0, 0);
    else
        of_l1d_look_up(causes, sm, event);
}

/* ---- the L1I ---- */

/* Of a line that the stream buffer read ahead no event tells that it was asked for. */
static void of_l1i_fill(struct causes *causes, struct sm_note *sm, const struct timing_event *event)
{
    of_fill(causes, event, LINK_LINE_CAME, LINK_LINE_ASKED);
    causes_add(causes, sm->line, LINK_LINE_ASKED, 0, 0);
    causes_add_beside(causes, sm->line_fill);
    causes_add_beside(causes, sm->at_l2);
    sm->line_fill = causes_newest(causes);
}

void causes_of_l1i(struct causes *causes, const struct timing_event *event)
{
    struct sm_note *sm = &causes->notes->sms[event->place];
    const uint32_t at = causes_newest(causes);
    if (event->kind == EVENT_l1i_fill) {
        of_l1i_fill(causes, sm, event);
        return;
    }
    struct warp_note *warp = &sm->warps[event->slot % WARPS_MAX];
    causes_add(causes, warp->issue == NO_CAUSE ? warp->start : warp->issue, LINK_FETCHED, 0, 0);
    causes_add(causes, sm->decode, LINK_TURN, 0, 0);
    causes_add_beside(causes, sm->line);
    causes_add_beside(causes, sm->line_fill);
    sm->line = warp->line = at;
    for (uint64_t byte = 0; event->kind == EVENT_l1i_miss && byte < event->bytes;
         byte += NOTED_BYTES)
        causes_asked(causes, event->place, event->address + byte)->down = at;
}

/* ---- the L2 ---- */

static struct channel_note *channel_of_slice(struct causes *causes, uint32_t slice)
{
    return &causes->notes->channels[slice / causes->shared->machine->l2.slices_per_channel];
}

static void of_l2_look_up(struct causes *causes, const struct timing_event *event)
{
    const struct causes_notes *notes = causes->notes;
    const uint32_t at = causes_newest(causes);
    uint32_t *last = &notes->slices[event->place];
    const struct channel_note *channel = channel_of_slice(causes, event->place);
    const uint32_t walk = causes_walk_of(causes, event);
    const uint32_t who = walk == NO_CAUSE ? event->id : 2 * notes->sm_count;
    const bool asks = event->id < notes->sm_count;
    struct asked_note *asked = asks ? causes_asked(causes, who, event->address) : NULL;
    if (walk != NO_CAUSE)
        causes_add_reads(causes, walk, LINK_WALK);
    else if (event->detail == PACKET_FETCH)
        causes_add(causes,
                   asked ? causes_later(causes, asked->down, notes->sms[event->id].line) : NO_CAUSE,
                   LINK_LINE_ASKED, notes->l2_latency, (uint32_t)notes->router);
    else
        causes_add(causes, asked ? asked->down : NO_CAUSE, LINK_TO_L2, notes->l2_latency,
                   (uint32_t)notes->router);
    causes_add(causes, *last, LINK_SLICE, 0, 1);
    if (event->kind == EVENT_l2_hit)
        causes_add(causes, causes_memory(causes, event->address)->filled, LINK_SLICE, 0, 0);
    if (asks && walk == NO_CAUSE) {
        causes_add_beside(causes, notes->sms[event->id].at_l2);
        causes_add_beside(causes, notes->sms[event->id].look_up);
        causes->notes->sms[event->id].at_l2 = at;
    }
    causes_add_beside(causes, channel->fill);
    *last = at;
    if (event->kind == EVENT_l2_refusal)
        return;
    for (uint64_t byte = 0; byte < event->bytes; byte += NOTED_BYTES) {
        if (asked)
            causes_asked(causes, who, event->address + byte)->at_l2 = at;
        if (event->kind == EVENT_l2_miss || event->kind == EVENT_l2_sector_miss)
            causes_memory(causes, event->address + byte)->missed = at;
    }
}

static void of_l2_fill(struct causes *causes, const struct timing_event *event)
{
    const uint32_t at = causes_newest(causes);
    for (uint64_t byte = 0; byte < event->bytes; byte += NOTED_BYTES) {
        struct memory_note *memory = causes_memory(causes, event->address + byte);
        if (is_after(causes, memory->burst, memory->missed))
            causes_add(causes, memory->burst, LINK_FROM_DRAM, 0, 0);
        causes_add(causes, memory->missed, LINK_BELOW, 0, 0);
    }
    struct channel_note *channel = channel_of_slice(causes, event->place);
    causes_add_beside(causes, channel->fill);
    causes_add_beside(causes, channel->burst);
    causes_add_beside(causes, causes->notes->slices[event->place]);
    channel->fill = at;
    for (uint64_t byte = 0; byte < event->bytes; byte += NOTED_BYTES)
        causes_memory(causes, event->address + byte)->filled = at;
}

void causes_of_l2(struct causes *causes, const struct timing_event *event)
{
    const uint32_t last = causes->notes->slices[event->place];
    if (event->kind == EVENT_l2_fill) {
        of_l2_fill(causes, event);
    } else if (event->kind == EVENT_l2_eviction) {
        causes_add(causes, last, LINK_ITSELF, 0, 0);
        for (uint64_t byte = 0; byte < event->bytes; byte += NOTED_BYTES)
            causes_memory(causes, event->address + byte)->evicted = causes_newest(causes);
    } else {
        of_l2_look_up(causes, event);
    }
}

/* ---- the DRAM ---- */

/* Whether the L2 lets a request by: what it does not read. */
static bool passes_l2(const struct causes *causes, const struct timing_event *event)
{
    const struct cache_config *l2 = &causes->shared->machine->l2;
    return l2->enabled && l2->write == WRITE_READ_ONLY && event->id < causes->notes->sm_count &&
           (event->detail == PACKET_WRITE || event->detail == PACKET_ATOMIC);
}

/* What misses above asks the DRAM for; what passes the L2 comes to it and to the DRAM at once. */
static void add_asking(struct causes *causes, const struct timing_event *event)
{
    const struct machine *machine = causes->shared->machine;
    const bool passes = passes_l2(causes, event);
    const struct memory_note *first = causes_memory(causes, event->address);
    const uint32_t cause = event->detail == PACKET_WRITEBACK
                               ? causes_later(causes, first->evicted, first->missed)
                               : first->missed;
    const enum cause_link link = event->detail == PACKET_FETCH ? LINK_LINE_BELOW : LINK_TO_DRAM;
    if (!passes)
        causes_add(causes, cause, link, dram_latency(machine), 0);
    if ((machine->l2.enabled && !passes) || event->id >= causes->notes->sm_count)
        return;
    causes_add(causes, causes_asked(causes, event->id, event->address)->down, link,
               dram_latency(machine), 0);
    causes_add_beside(causes, causes->notes->sms[event->id].look_up);
    for (uint64_t byte = 0; passes && byte < event->bytes; byte += NOTED_BYTES)
        causes_asked(causes, event->id, event->address + byte)->at_l2 = causes_newest(causes);
}

static void of_dram_request(struct causes *causes, const struct timing_event *event,
                            struct channel_note *channel, uint32_t *in_bank)
{
    add_asking(causes, event);
    causes_add_beside(causes, channel->request);
    channel->request = *in_bank = causes_newest(causes);
    for (uint64_t byte = 0; byte < event->bytes; byte += NOTED_BYTES)
        causes_memory(causes, event->address + byte)->requested = causes_newest(causes);
}

/* A DRAM of fixed latency has neither commands nor a bus, and tells of a request as a whole. */
static void of_burst(struct causes *causes, const struct timing_event *event,
                     struct channel_note *channel, uint32_t row)
{
    const bool fixed = causes->shared->machine->dram.fixed;
    if (fixed) {
        add_asking(causes, event);
        causes_add_beside(causes, channel->burst);
    } else {
        causes_add(causes, row, LINK_ROW, causes->notes->open, 0);
        causes_add(causes, causes_memory(causes, event->address)->requested, LINK_COMMAND, 0, 0);
        causes_add(causes, channel->burst, LINK_BUS, causes->notes->burst, 0);
        causes_add_beside(causes, channel->request);
    }
    channel->burst = causes_newest(causes);
    for (uint64_t byte = 0; !byte || (fixed && byte < event->bytes); byte += NOTED_BYTES)
        causes_memory(causes, event->address + byte)->burst = channel->burst;
}

void causes_of_dram(struct causes *causes, const struct timing_event *event)
{
    struct causes_notes *notes = causes->notes;
    struct channel_note *channel = &notes->channels[event->place];
    uint32_t *row = &channel->rows[event->slot % BANKS_NOTED];
    uint32_t *in_bank = &channel->requests[event->slot % BANKS_NOTED];
    if (event->kind == EVENT_dram_request) {
        of_dram_request(causes, event, channel, in_bank);
        return;
    }
    if (event->kind == EVENT_dram_activate || event->kind == EVENT_dram_precharge) {
        causes_add(causes, *in_bank, LINK_COMMAND, 0, 0);
        causes_add(causes, *row, LINK_ROW, 0, 0);
        causes_add_beside(causes, channel->burst);
        causes_add_beside(causes, channel->request);
        *row = causes_newest(causes);
        return;
    }
    of_burst(causes, event, channel, *row);
}
