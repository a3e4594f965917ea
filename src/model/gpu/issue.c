#include "model/gpu/issue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "model/gpu/address_space.h"
#include "model/gpu/coalesce_memo.h"
#include "model/gpu/occupancy.h"

enum {
    BATCH_REQUESTS = 4096, /* 96 KiB: stays in the host's L2 while the stages read it */
    WARP_WINDOW = 32,      /* records a warp reads ahead */
    ISSUED_WINDOW = 64,    /* instructions, likewise */
    FETCH_BYTES = 1,       /* only the line of an instruction counts */
    STRETCH = 1 << 16      /* instructions at most between two looks at the progress */
};

#define NEVER UINT64_MAX

struct slot { /* a resident block's place on an SM */
    struct block_reader *reader;
    uint32_t running; /* warps that have not ended yet */
    bool aside;       /* the block is not counted */
    uint64_t begun;   /* round in which the block started */
    uint64_t base;    /* what its instructions lie behind their pcs */
};

struct warp {
    uint32_t slot, number; /* its block's place, and its number in the block */
    struct access_window window;
    uint32_t next; /* in the window */
    struct instruction_window issued;
    uint32_t at; /* in `issued` */
};

struct sm {
    uint64_t *due;      /* [warps]: round of the next record, or of the tail's last, or NEVER */
    struct warp *warps; /* [slots x warps_per_block] */
    struct slot *slots;
    uint64_t next_block;  /* next block of this SM's share */
    uint64_t next_due;    /* minimum of due[] */
    struct request *last; /* its last fetch, which those that follow from the same line join; NULL:
                             they do not */
};

struct issue {
    const struct machine *machine;
    const struct trace_source *source;
    const struct issue_sink *sink;
    struct issue_counts *counts;
    struct issue_counts aside; /* of blocks that are not counted */
    struct diagnostics *diagnostics;
    struct sm *sms;
    uint32_t sm_count;
    unsigned spaces;               /* spaces that some part of the machine serves */
    uint32_t launch;               /* launch being issued */
    const struct trace_code *code; /* of its instructions, where they are stepped through */
    uint64_t before;               /* blocks of the earlier launches */
    uint64_t blocks;               /* blocks of this launch */
    uint64_t end;                  /* latest round in which one of its warps ended */
    uint32_t slots, warps_per_block;
    struct coalesce_memo memo;
    struct request *batch;
    size_t batch_count;
    bool stepped;            /* warps issue instruction by instruction, so that each is fetched */
    struct request *fetched; /* [BATCH_REQUESTS + COALESCED_MAX]; NULL: nobody wants them */
    size_t fetched_count;
    unsigned line_bits; /* of the lines in which fetches join (issue_sink) */
    uint32_t stretch;   /* instructions since the last batch */
};

static enum status flush(struct issue *issue)
{
    enum status status = STATUS_OK;
    if (!addresses_fit(issue->machine, issue->batch, issue->batch_count))
        return addresses_refuse(issue->machine, issue->batch, issue->batch_count,
                                issue->diagnostics);
    if (!addresses_fit(issue->machine, issue->fetched, issue->fetched_count))
        return addresses_refuse(issue->machine, issue->fetched, issue->fetched_count,
                                issue->diagnostics);
    if (issue->batch_count)
        status = issue->sink->requests(issue->sink->argument, issue->batch, issue->batch_count);
    issue->batch_count = 0;
    if (!status && issue->fetched_count)
        status = issue->sink->fetches(issue->sink->argument, issue->fetched, issue->fetched_count);
    issue->fetched_count = issue->stretch = 0;
    for (uint32_t i = 0; i < issue->sm_count; i++)
        issue->sms[i].last = NULL;
    if (!status)
        status = issue->sink->progress(issue->sink->argument, issue->counts);
    return status;
}

static struct issue_counts *counts_of(struct issue *issue, const struct slot *slot)
{
    return slot->aside ? &issue->aside : issue->counts;
}

/* Ends a warp that issued its last instruction in the round before. */
static void end_warp(struct issue *issue, struct slot *slot, uint64_t round)
{
    issue->counts->warp_rounds += round - slot->begun;
    issue->end = round > issue->end ? round : issue->end;
    slot->running--;
}

/* Reads the next instructions of a warp, or ends it. */
static enum status refill_issued(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
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
            return STATUS_OK;
        }
    }
    end_warp(issue, slot, round);
    return STATUS_OK;
}

/* Reads the next records of a warp and sets the round in which it issues the first; after the last
 * one that of the last instruction of its tail, which keeps the block where it is although it asks
 * for nothing; NEVER if it has ended. */
static enum status refill(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    assert(issue->warps_per_block); /* a launch without warps issues nothing */
    if (issue->stepped)
        return refill_issued(issue, sm, index, round);
    struct warp *warp = &sm->warps[index];
    struct slot *slot = &sm->slots[warp->slot];
    const struct trace_source_ops *ops = issue->source->ops;
    sm->due[index] = NEVER;
    if (!warp->window.end) {
        enum status status =
            ops->read(slot->reader, warp->number, &warp->window, issue->diagnostics);
        if (status)
            return status;
        warp->next = 0;
        if (warp->window.count) {
            sm->due[index] = round + warp->window.items[0].gap;
            return STATUS_OK;
        }
    }
    if (warp->window.tail) {
        counts_of(issue, slot)->records.warp_instructions += warp->window.tail;
        sm->due[index] = round + warp->window.tail - 1;
        warp->window.tail = 0;
    } else {
        end_warp(issue, slot, round);
    }
    return STATUS_OK;
}

/* Puts the SM's next block into a free slot, or leaves the slot empty if there is none. It loops
 * because blocks without instructions end at once. */
static enum status fill_slot(struct issue *issue, struct sm *sm, uint32_t slot_index,
                             uint64_t round)
{
    struct slot *slot = &sm->slots[slot_index];
    const struct trace_source_ops *ops = issue->source->ops;
    while (!slot->running) {
        if (slot->reader) {
            ops->close_block(slot->reader);
            slot->reader = NULL;
            issue->counts->blocks++;
        }
        if (sm->next_block >= issue->blocks)
            return STATUS_OK;
        enum status status = ops->open_block(issue->source, issue->launch, sm->next_block,
                                             &slot->reader, issue->diagnostics);
        if (status)
            return status;
        const uint64_t row = issue->before + sm->next_block;
        const struct issue_range *counted = issue->sink->counted;
        slot->aside = counted && (row < counted->first || row >= counted->end);
        slot->begun = round;
        slot->base = sm->next_block * issue->machine->l1i.block_stride;
        sm->next_block += issue->sm_count;
        slot->running = issue->warps_per_block;
        uint32_t first = slot_index * issue->warps_per_block;
        for (uint32_t w = first; w < first + issue->warps_per_block; w++) {
            struct warp *warp = &sm->warps[w];
            warp->slot = slot_index;
            warp->number = w - first;
            warp->window.end = warp->issued.end = false;
            warp->window.count = warp->issued.count = warp->next = warp->at = 0;
            status = refill(issue, sm, w, round);
            if (status)
                return status;
        }
    }
    return STATUS_OK;
}

/* Sends the record that is due; it or its fetches go to whoever wants them. */
static void send_record(struct issue *issue, struct sm *sm, uint32_t index)
{
    struct warp *warp = &sm->warps[index];
    const struct warp_access *access = &warp->window.items[warp->next++];
    const struct slot *own = &sm->slots[warp->slot];
    struct issue_counts *counts = counts_of(issue, own);
    const bool fetch = access->space == SPACE_INSTRUCTION && issue->fetched;
    struct request *requests =
        fetch ? issue->fetched + issue->fetched_count : issue->batch + issue->batch_count;
    record_count(&counts->records, access);
    const struct warp_access issued = access_issued(issue->machine, access);
    unsigned made = coalesce_remembered(&issue->memo, &issue->machine->coalescer, &issued,
                                        &warp->window, (uint16_t)(sm - issue->sms), requests);
    counts->transactions += made;
    if (access->op == OP_LOAD && access->flags & ACCESS_BYPASS_L1)
        counts->past_l1 += made;
    if (fetch)
        issue->fetched_count += made;
    else if (issue->spaces & space_bit(access->space))
        issue->batch_count += made;
    for (unsigned i = 0; own->aside && i < made; i++)
        requests[i].flags |= REQUEST_ASIDE;
    for (unsigned i = 0; fetch && i < made; i++)
        requests[i].touched = 1;
    sm->last = fetch ? NULL : sm->last;
}

/* Goes on after the last instruction of what was read: reads more, or ends the warp, and starts a
 * block in its place. */
static enum status turn_page(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    enum status status = refill(issue, sm, index, round);
    uint32_t slot = sm->warps[index].slot;
    if (!status && !sm->slots[slot].running)
        status = fill_slot(issue, sm, slot, round);
    return status;
}

/* Issues the record that is due and advances the warp. */
static enum status issue_record(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    struct warp *warp = &sm->warps[index];
    const struct slot *own = &sm->slots[warp->slot];
    counts_of(issue, own)->records.warp_instructions +=
        (uint64_t)warp->window.items[warp->next].gap + 1;
    send_record(issue, sm, index);
    if (warp->next < warp->window.count)
        sm->due[index] = round + 1 + warp->window.items[warp->next].gap;
    else
        return turn_page(issue, sm, index, round + 1);
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
        send_record(issue, sm, index);
    return STATUS_OK;
}

static inline bool batch_full(const struct issue *issue)
{
    return issue->batch_count > BATCH_REQUESTS - COALESCED_MAX ||
           issue->fetched_count > BATCH_REQUESTS - COALESCED_MAX;
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
    return status || !batch_full(issue) ? status : flush(issue);
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

/* Issues an SM's instructions of some rounds from this one on, all of which only issue. */
static enum status issue_plain(struct issue *issue, struct sm *sm, uint32_t rounds)
{
    const uint32_t warps = issue->slots * issue->warps_per_block;
    for (uint32_t i = 0; i < rounds; i++)
        for (uint32_t w = 0; w < warps; w++) {
            enum status status = STATUS_OK;
            if (sm->due[w] != NEVER)
                status = issue_instruction(issue, sm, w);
            if (status)
                return status;
        }
    for (uint32_t w = 0; w < warps; w++)
        sm->due[w] += sm->due[w] == NEVER ? 0 : rounds;
    issue->stretch += rounds * warps;
    return STATUS_OK;
}

/* Issues the instructions of an SM that are due in this round, and those of the rounds that follow
 * if it is the only SM and nothing else happens in them. */
static enum status issue_stepped(struct issue *issue, struct sm *sm, uint64_t round)
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
            status = turn_page(issue, sm, w, round + 1);
    }
    issue->stretch += warps;
    return status || issue->stretch < STRETCH ? status : flush(issue);
}

static enum status issue_due(struct issue *issue, struct sm *sm, uint32_t index, uint64_t round)
{
    const struct warp *warp = &sm->warps[index];
    if (warp->next == warp->window.count)
        return turn_page(issue, sm, index, round + 1);
    enum status status = issue_record(issue, sm, index, round);
    return status || !batch_full(issue) ? status : flush(issue);
}

/* Issues what is due of an SM in this round. A warp that starts in this round in place of one that
 * ended is due in a later round, so each slot issues at most once. */
static enum status issue_round(struct issue *issue, struct sm *sm, uint64_t round)
{
    uint32_t warps = issue->slots * issue->warps_per_block;
    enum status status = issue->stepped ? issue_stepped(issue, sm, round) : STATUS_OK;
    for (uint32_t w = 0; w < warps && !issue->stepped && !status; w++)
        if (sm->due[w] == round)
            status = issue_due(issue, sm, w, round);
    if (status)
        return status;
    uint64_t next = NEVER;
    for (uint32_t w = 0; w < warps; w++)
        next = sm->due[w] < next ? sm->due[w] : next;
    sm->next_due = next;
    return STATUS_OK;
}

static void free_sms(struct issue *issue)
{
    uint32_t warps = issue->slots * issue->warps_per_block;
    for (uint32_t s = 0; issue->sms && s < issue->sm_count; s++) {
        struct sm *sm = &issue->sms[s];
        for (uint32_t i = 0; sm->slots && i < issue->slots; i++)
            issue->source->ops->close_block(sm->slots[i].reader);
        for (uint32_t w = 0; sm->warps && w < warps; w++) {
            window_free(&sm->warps[w].window);
            instruction_window_free(&sm->warps[w].issued);
        }
        free(sm->slots);
        free(sm->warps);
        free(sm->due);
    }
    free(issue->sms);
    issue->sms = NULL;
}

static enum status create_sms(struct issue *issue)
{
    uint32_t warps = issue->slots * issue->warps_per_block;
    issue->sms = calloc(issue->sm_count, sizeof *issue->sms);
    if (!issue->sms)
        return STATUS_MEMORY;
    for (uint32_t s = 0; s < issue->sm_count; s++) {
        struct sm *sm = &issue->sms[s];
        sm->due = malloc(warps * sizeof *sm->due);
        sm->warps = calloc(warps, sizeof *sm->warps);
        sm->slots = calloc(issue->slots, sizeof *sm->slots);
        if (!sm->due || !sm->warps || !sm->slots)
            return STATUS_MEMORY;
        memset(sm->due, 0xff, warps * sizeof *sm->due); /* NEVER */
        for (uint32_t w = 0; w < warps; w++)
            if (window_init(&sm->warps[w].window, WARP_WINDOW) ||
                (issue->stepped && instruction_window_init(&sm->warps[w].issued, ISSUED_WINDOW)))
                return STATUS_MEMORY;
    }
    return STATUS_OK;
}

/* Prepares the SMs for a launch. SMs of the previous launch are reused if the shape is the same. */
static enum status prepare_sms(struct issue *issue, const struct trace_launch *launch)
{
    struct occupancy occupancy = occupancy_of(issue->machine, launch);
    if (!occupancy.blocks)
        return diagnostics_error(issue->diagnostics, STATUS_INVALID,
                                 "launch %u (%s) does not fit an SM: its %s do not", issue->launch,
                                 launch->name ? launch->name : "unnamed",
                                 occupancy_limit_name(occupancy.limit));
    issue->blocks = launch_blocks(launch);
    /* Slots beyond an SM's share of the blocks would stay empty. */
    uint64_t share = (issue->blocks + issue->sm_count - 1) / issue->sm_count;
    uint32_t slots = share < occupancy.blocks ? (uint32_t)share : occupancy.blocks;
    uint32_t warps_per_block = launch_warps(launch);
    if (issue->sms && slots == issue->slots && warps_per_block == issue->warps_per_block)
        return STATUS_OK;
    free_sms(issue);
    issue->slots = slots;
    issue->warps_per_block = warps_per_block;
    return create_sms(issue);
}

/* Issues one launch round by round, skipping rounds in which no warp of any SM is due. */
static enum status issue_launch(struct issue *issue, const struct trace_launch *launch)
{
    enum status status = prepare_sms(issue, launch);
    if (status || !issue->blocks)
        return status;
    status = issue->sink->launch(issue->sink->argument, launch);
    issue->code = trace_launch_code(issue->source, issue->launch);
    issue->end = 0;
    for (uint32_t s = 0; s < issue->sm_count && !status; s++) {
        struct sm *sm = &issue->sms[s];
        sm->next_block = s;
        for (uint32_t slot = 0; slot < issue->slots && !status; slot++)
            status = fill_slot(issue, sm, slot, 0);
        sm->next_due = 0;
    }
    while (!status) {
        uint64_t round = NEVER;
        for (uint32_t s = 0; s < issue->sm_count; s++)
            round = issue->sms[s].next_due < round ? issue->sms[s].next_due : round;
        if (round == NEVER)
            break;
        for (uint32_t s = 0; s < issue->sm_count && !status; s++)
            if (issue->sms[s].next_due == round)
                status = issue_round(issue, &issue->sms[s], round);
    }
    issue->counts->rounds += issue->end;
    issue->before += issue->blocks;
    return status ? status : flush(issue);
}

enum status issue_source(const struct machine *machine, const struct trace_source *source,
                         const struct issue_sink *sink, struct issue_counts *counts,
                         struct diagnostics *diagnostics)
{
    struct issue issue = {
        .machine = machine,
        .source = source,
        .sink = sink,
        .counts = counts,
        .diagnostics = diagnostics,
        .sm_count = (uint32_t)machine->gpu.sms,
        .spaces = machine_spaces(machine),
        .batch = malloc((BATCH_REQUESTS + COALESCED_MAX) * sizeof *issue.batch),
        .stepped = sink->fetches && trace_source_timed(source),
        .line_bits = sink->fetch_line ? log2_floor(sink->fetch_line) : 0,
    };
    *counts = (struct issue_counts){0};
    enum status status = issue.batch ? STATUS_OK : STATUS_MEMORY;
    if (sink->fetches) {
        issue.fetched = malloc((BATCH_REQUESTS + COALESCED_MAX) * sizeof *issue.fetched);
        status = issue.fetched ? status : STATUS_MEMORY;
    }
    for (; !status && issue.launch < source->launch_count; issue.launch++)
        status = issue_launch(&issue, &source->launches[issue.launch]);
    free_sms(&issue);
    free(issue.batch);
    free(issue.fetched);
    return status;
}
