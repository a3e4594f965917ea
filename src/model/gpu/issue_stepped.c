/* Warps that issue instruction by instruction, so that each is fetched (issue.h). */
#include "model/gpu/issue_parts.h"

/* Notes what issue_joined has to know of the instructions that a warp has read. */
static void look_over(const struct issue *issue, struct warp *warp)
{
    uint32_t low = UINT32_MAX, high = 0;
    warp->records = 0;
    for (uint32_t i = 0; i < warp->issued.count; i++) {
        const uint32_t pc = issue->code->items[warp->issued.items[i].code].pc;
        warp->records |= (uint64_t)(warp->issued.items[i].flags & ISSUE_RECORD) << i;
        low = pc < low ? pc : low;
        high = pc > high ? pc : high;
    }
    warp->low = low;
    warp->high = high;
}

enum status issue_refill_stepped(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    struct warp *warp = &sm->warps[index];
    struct slot *slot = &sm->slots[warp->slot];
    sm->due[index] = NEVER;
    if (!warp->issued.end) {
        enum status status = issue->source->ops->read_instructions(
            slot->reader, warp->number, &warp->issued, issue->diagnostics);
        if (status)
            return status;
        warp->at = 0;
        if (warp->issued.count) {
            sm->due[index] = round;
            if (issue->line_bits)
                look_over(issue, warp);
            return STATUS_OK;
        }
    }
    end_warp(issue, slot, round);
    return STATUS_OK;
}

/* Puts the fetch of an instruction after those before, or joins it to the SM's last one and says
 * so. */
static inline bool put_fetch(struct issue *issue, struct sm *sm, const struct slot *own,
                             uint32_t index, uint32_t pc)
{
    const uint64_t address = own->base + pc;
    const uint8_t flags = own->aside ? REQUEST_ASIDE : 0;
    struct request *last = sm->last;
    if (last && last->flags == flags && !((last->address ^ address) >> issue->line_bits)) {
        last->touched++;
        return true;
    }
    struct request *put = &issue->fetched[issue->fetched_count++];
    *put = (struct request){
        .address = address,
        .pc = pc,
        .touched = 1,
        .instance = (uint16_t)(sm - issue->sms),
        .bytes = FETCH_BYTES,
        .op = OP_FETCH,
        .space = SPACE_INSTRUCTION,
        .flags = flags,
        .warp = (uint8_t)index,
    };
    if (issue->sink->fetch_line)
        sm->last = put;
    return false;
}

/* Sends the record of an instruction that has one. */
static enum status issue_access(struct issue *issue, struct sm *sm, uint32_t index)
{
    struct warp *warp = &sm->warps[index];
    if (warp->next == warp->window.count && !warp->window.end) {
        enum status status = issue->source->ops->read(sm->slots[warp->slot].reader, warp->number,
                                                      &warp->window, issue->diagnostics);
        warp->next = 0;
        if (status)
            return status;
    }
    if (warp->next < warp->window.count)
        issue_send(issue, sm, index);
    return STATUS_OK;
}

/* Fetches and issues one instruction, with its record if it has one. */
static inline enum status issue_instruction(struct issue *issue, struct sm *sm, uint32_t index)
{
    struct warp *warp = &sm->warps[index];
    const struct slot *own = &sm->slots[warp->slot];
    const struct warp_instruction *issued = &warp->issued.items[warp->at++];
    const bool joined = put_fetch(issue, sm, own, index, issue->code->items[issued->code].pc);
    counts_of(issue, own)->records.warp_instructions++;
    if (joined && !(issued->flags & ISSUE_RECORD))
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (issued->flags & ISSUE_RECORD)
        status = issue_access(issue, sm, index);
    return status || !batch_full(issue) ? status : issue_flush(issue);
}

/* The rounds in which no warp of an SM comes to the end of the instructions that were read. Where
 * warps issue instruction by instruction, all that have not ended do so in every round. */
static uint32_t plain_rounds(const struct issue *issue, const struct sm *sm)
{
    uint32_t rounds = ISSUED_WINDOW;
    for (uint32_t w = 0; w < issue->slots * issue->warps_per_block; w++) {
        const struct warp *warp = &sm->warps[w];
        if (sm->due[w] != NEVER && warp->issued.count - warp->at - 1 < rounds)
            rounds = warp->issued.count - warp->at - 1;
    }
    return rounds;
}

/* Whether all that the warps of an SM have read comes from one line, for blocks that are counted or
 * not alike. *issuing: how many warps have not ended. */
static bool is_one_line(const struct issue *issue, const struct sm *sm, uint32_t *issuing)
{
    const struct slot *first = NULL;
    uint64_t line = 0, other = 0;
    *issuing = 0;
    for (uint32_t w = 0; w < issue->slots * issue->warps_per_block && issue->line_bits; w++) {
        const struct warp *warp = &sm->warps[w];
        const struct slot *own = &sm->slots[warp->slot];
        if (sm->due[w] == NEVER)
            continue;
        line = first ? line : (own->base + warp->low) >> issue->line_bits;
        first = first ? first : own;
        other |= ((own->base + warp->low) >> issue->line_bits) ^ line;
        other |= ((own->base + warp->high) >> issue->line_bits) ^ line;
        other |= own->aside != first->aside;
        ++*issuing;
    }
    return first && !other;
}

/* The `number`th warp of an SM that has not ended. */
static uint32_t issuing_warp(const struct sm *sm, uint64_t number)
{
    uint32_t w = 0;
    while (sm->due[w] == NEVER || number--)
        w++;
    return w;
}

/* Fetches the instructions from `first` to before `end` of some rounds, as issue_joined numbers
 * them. `is_record`: the last one has a record, after which its caller looks for a full batch. */
static enum status fetch_line(struct issue *issue, struct sm *sm, uint32_t issuing, uint64_t first,
                              uint64_t end, bool is_record)
{
    while (first < end) {
        const uint32_t index = issuing_warp(sm, first % issuing);
        const struct warp *warp = &sm->warps[index];
        const struct slot *own = &sm->slots[warp->slot];
        const uint32_t code = warp->issued.items[warp->at + first / issuing].code;
        const bool joined = put_fetch(issue, sm, own, index, issue->code->items[code].pc);
        const bool full = !joined && batch_full(issue) && (first + 1 < end || !is_record);
        const uint64_t some = full ? 1 : end - first;
        counts_of(issue, own)->records.warp_instructions += some;
        sm->last->touched += (uint32_t)some - 1;
        first += some;
        enum status status = full ? issue_flush(issue) : STATUS_OK;
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* Issues an SM's instructions of some rounds, all of which are from one line, so that only those
 * with records need a look. Of `issuing` warps instruction i of a round is number round * issuing +
 * i. */
static enum status issue_joined(struct issue *issue, struct sm *sm, uint32_t rounds,
                                uint32_t issuing)
{
    const uint32_t warps = issue->slots * issue->warps_per_block;
    enum status status = STATUS_OK;
    uint64_t some = 0, fetched = 0;
    for (uint32_t w = 0; w < warps; w++)
        some |= sm->due[w] == NEVER ? 0 : sm->warps[w].records >> sm->warps[w].at;
    for (uint32_t i = 0; i < rounds; i++) {
        uint64_t number = (uint64_t)i * issuing;
        for (uint32_t w = 0; some >> i & 1 && w < warps; w++) {
            const struct warp *warp = &sm->warps[w];
            if (sm->due[w] == NEVER)
                continue;
            number++;
            if (!(warp->records >> (warp->at + i) & 1))
                continue;
            status = fetch_line(issue, sm, issuing, fetched, number, true);
            fetched = number;
            if (!status)
                status = issue_access(issue, sm, w);
            if (!status && batch_full(issue))
                status = issue_flush(issue);
            if (status)
                return status;
        }
    }
    status = fetch_line(issue, sm, issuing, fetched, (uint64_t)rounds * issuing, false);
    for (uint32_t w = 0; w < warps; w++)
        sm->warps[w].at += sm->due[w] == NEVER ? 0 : rounds;
    return status;
}

/* The same of any lines. */
static enum status issue_apart(struct issue *issue, struct sm *sm, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++)
        for (uint32_t w = 0; w < issue->slots * issue->warps_per_block; w++) {
            enum status status = STATUS_OK;
            if (sm->due[w] != NEVER)
                status = issue_instruction(issue, sm, w);
            if (status)
                return status;
        }
    return STATUS_OK;
}

/* Issues an SM's instructions of some rounds from this one on, all of which only issue. */
static enum status issue_plain(struct issue *issue, struct sm *sm, uint32_t rounds)
{
    const uint32_t warps = issue->slots * issue->warps_per_block;
    uint32_t issuing;
    if (!rounds)
        return STATUS_OK;
    enum status status = is_one_line(issue, sm, &issuing) ? issue_joined(issue, sm, rounds, issuing)
                                                          : issue_apart(issue, sm, rounds);
    for (uint32_t w = 0; w < warps; w++)
        sm->due[w] += sm->due[w] == NEVER ? 0 : rounds;
    issue->stretch += rounds * warps;
    return status;
}

enum status issue_stepped(struct issue *issue, struct sm *sm, uint64_t round)
{
    const uint32_t warps = issue->slots * issue->warps_per_block;
    const uint32_t plain = issue->sm_count == 1 ? plain_rounds(issue, sm) : 0;
    enum status status = issue_plain(issue, sm, plain);
    round += plain;
    for (uint32_t w = 0; w < warps && !status; w++) {
        const struct warp *warp = &sm->warps[w];
        if (sm->due[w] != round)
            continue;
        status = issue_instruction(issue, sm, w);
        sm->due[w] = round + 1;
        if (!status && warp->at == warp->issued.count)
            status = issue_turn_page(issue, sm, w, round + 1);
    }
    issue->stretch += warps;
    return status || issue->stretch < STRETCH ? status : issue_flush(issue);
}
