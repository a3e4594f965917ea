#include "model/timing/causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/timing/causes_notes.h"

const struct cause_use_row cause_uses[CAUSE_USES] = {
#define CAUSE_USE_ROW(id, path, ideal) {path, ideal},
    CAUSE_USE_LIST(CAUSE_USE_ROW)
#undef CAUSE_USE_ROW
};

const char *const cause_words[CAUSE_LINKS] = {
#define CAUSE_WORDS(id, latency, steps, waits, words) words,
    CAUSE_LINK_LIST(CAUSE_WORDS)
#undef CAUSE_WORDS
};

static const struct {
    uint8_t latency, steps, waits;
} links[CAUSE_LINKS] = {
#define CAUSE_LINK_ROW(id, latency, steps, waits, words) {USE_##latency, USE_##steps, USE_##waits},
    CAUSE_LINK_LIST(CAUSE_LINK_ROW)
#undef CAUSE_LINK_ROW
};

/* A flit arrives five cycles after it entered (network/fly.h); without stages it would take one. */
enum { ROUTER_CYCLES = 4 };

/* ---- the list ---- */

/* Cycles of the SMs' clock that `cycles` of another one take. */
static uint64_t in_core_cycles(const struct machine *machine, uint64_t cycles, uint64_t clock)
{
    return clock ? (uint64_t)((double)cycles * (double)machine->gpu.clock / (double)clock) : cycles;
}

enum status causes_init(struct causes *causes, const struct sm_machine *shared, bool all,
                        size_t memory)
{
    const struct machine *machine = shared->machine;
    const struct dram_config *dram = &machine->dram;
    *causes = (struct causes){.shared = shared, .all = all, .memory = memory};
    struct causes_notes *notes = causes->notes = calloc(1, sizeof *notes);
    if (!notes)
        return STATUS_MEMORY;
    notes->sm_count = (uint32_t)machine->gpu.sms;
    notes->slice_count = (uint32_t)machine->l2.slices;
    notes->channel_count = (uint32_t)(machine->l2.slices / machine->l2.slices_per_channel);
    notes->sms = calloc(notes->sm_count, sizeof *notes->sms);
    notes->slices = calloc(notes->slice_count, sizeof *notes->slices);
    notes->channels = calloc(notes->channel_count, sizeof *notes->channels);
    notes->walkers = calloc(machine->walker.count, sizeof *notes->walkers);
    if (!notes->sms || !notes->slices || !notes->channels || !notes->walkers)
        return STATUS_MEMORY;
    page_table_init(&notes->table, PAGE_TABLE_BASE, machine->page.size);
    const uint64_t network = machine->network.clock;
    notes->l2_latency = in_core_cycles(machine, machine->l2.latency,
                                       machine->l2.clock ? machine->l2.clock : network);
    if (network_traits[machine->network.kind] & NETWORK_ROUTER)
        notes->router = in_core_cycles(machine, ROUTER_CYCLES, network);
    notes->open = in_core_cycles(machine, dram->rcd, dram->clock);
    notes->burst = in_core_cycles(machine, dram->rate ? dram->burst / dram->rate : 0, dram->clock);
    for (uint32_t i = 0; i < notes->sm_count; i++)
        if (!(notes->sms[i].warps = calloc(WARPS_MAX, sizeof *notes->sms[i].warps)))
            return STATUS_MEMORY;
    return STATUS_OK;
}

void causes_free(struct causes *causes)
{
    struct causes_notes *notes = causes->notes;
    for (uint32_t i = 0; notes && notes->sms && i < notes->sm_count; i++) {
        free(notes->sms[i].warps);
        free(notes->sms[i].ops);
    }
    if (notes) {
        free(notes->sms);
        free(notes->slices);
        free(notes->channels);
        free(notes->walkers);
        key_table_free(&notes->asked.keys);
        key_table_free(&notes->memory.keys);
        free(notes->asked.items);
        free(notes->memory.items);
        free(notes->listed);
        free(notes->spare);
        free(notes->moved);
    }
    free(notes);
    free(causes->events);
    free(causes->after);
    free(causes->items);
    free(causes->firsts);
    *causes = (struct causes){0};
}

/* One more than the highest register that a kernel names. */
static uint32_t registers_of(const struct sm_code *code)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct instruction *instruction = code->items[i].code;
        for (unsigned k = 0; k < (unsigned)instruction->written + instruction->read; k++)
            if (count <= instruction->registers[k])
                count = instruction->registers[k] % REGISTER_COUNT + 1u;
    }
    return count;
}

void causes_begin(struct causes *causes, uint32_t launch)
{
    struct causes_notes *notes = causes->notes;
    const struct trace_source *source = causes->shared->source;
    const struct trace_launch *of = &source->launches[launch];
    causes->count = causes->cause_count = notes->listed_count = 0;
    notes->launch = launch;
    notes->warps_per_block = launch_warps(of);
    notes->code = &causes->shared->codes[of->code - 1];
    notes->registers = registers_of(notes->code);
    for (uint32_t i = 0; i < notes->sm_count; i++) {
        struct sm_note *sm = &notes->sms[i], before = *sm;
        memset(sm, 0xff, sizeof *sm); /* NO_CAUSE */
        memset(sm->blocks, 0, sizeof sm->blocks);
        sm->warps = before.warps;
        sm->ops = before.ops;
        sm->op_capacity = before.op_capacity;
        sm->op_count = sm->warp_count = 0;
    }
    memset(notes->slices, 0xff, notes->slice_count * sizeof *notes->slices);
    memset(notes->channels, 0xff, notes->channel_count * sizeof *notes->channels);
    memset(notes->walkers, 0xff, causes->shared->machine->walker.count * sizeof *notes->walkers);
    notes->walk = NO_CAUSE;
    key_table_free(&notes->asked.keys);
    key_table_free(&notes->memory.keys);
    notes->asked.found = notes->memory.found = false;
    causes_fill(causes);
}

struct timing_event *causes_room(struct causes *causes, size_t count)
{
    /* At once what most launches need: memory that is not touched costs nothing, and a long list
     * that grew step by step would be copied again and again. */
    enum { ROOM_LEAST = 1 << 18 };
    size_t need = causes->count + count + 1;
    need = need > ROOM_LEAST ? need : ROOM_LEAST;
    if (!causes->status &&
        (array_reserve(&causes->events, &causes->capacity, need) ||
         array_reserve(&causes->after, &causes->after_capacity, need) ||
         array_reserve(&causes->firsts, &causes->first_capacity, need) ||
         array_reserve(&causes->items, &causes->cause_capacity, CAUSES_KEPT * need)))
        causes->status = STATUS_MEMORY;
    return causes->status ? NULL : causes->events + causes->count;
}

static bool fits(struct causes *causes, uint64_t cycles)
{
    const size_t need = causes->count + 1;
    const size_t bytes =
        need * (sizeof *causes->events + sizeof *causes->after + sizeof *causes->firsts) +
        causes->cause_count * sizeof *causes->items +
        causes->notes->listed_count * sizeof *causes->notes->listed;
    if ((causes->memory && bytes > causes->memory) || need >= CAUSE_GONE ||
        cycles >= CAUSE_GONE - 1)
        causes->status = STATUS_UNSUPPORTED;
    return !causes->status;
}

static void (*const cause_rules[EVENT_PARTS])(struct causes *, const struct timing_event *) = {
    [PART_GPU] = causes_of_core, [PART_CORE] = causes_of_core, [PART_L1D] = causes_of_l1d,
    [PART_L1I] = causes_of_l1i,  [PART_TLB] = causes_of_tlb,   [PART_MMU] = causes_of_mmu,
    [PART_L2] = causes_of_l2,    [PART_DRAM] = causes_of_dram};

void causes_put(struct causes *causes, const struct timing_event *event)
{
    struct causes_notes *notes = causes->notes;
    const uint64_t cycles = causes->count ? event->cycle - causes->events[0].cycle : 0;
    if (!causes->all && causes->count >= notes->full)
        causes_compact(causes);
    if (causes->status || !fits(causes, cycles))
        return;
    const uint32_t at = (uint32_t)causes->count++;
    if (event != &causes->events[at])
        causes->events[at] = *event;
    event = &causes->events[at];
    causes->after[at] = (uint32_t)cycles;
    causes->firsts[at] = (uint32_t)causes->cause_count;
    notes->latest = notes->next = 0;
    cause_rules[event_kinds[event->kind].part](causes, event);
    if (at && (causes->cause_count == causes->firsts[at] ||
               causes->items[causes->firsts[at]].link == LINK_BESIDE))
        causes_add_last(causes, 0, LINK_NOTHING);
    causes->firsts[causes->count] = (uint32_t)causes->cause_count;
}

/* When a cause arrived: cycles since the launch began, plus one; 0: it only stood beside. */
static inline uint64_t arrival_passed(const struct causes *causes, uint32_t event,
                                      const struct cause *cause)
{
    const uint64_t arrival =
        (uint64_t)causes_after(causes, cause->from) + cause->latency + cause->steps;
    if (cause->link == LINK_BESIDE)
        return 0;
    return (arrival < causes->after[event] ? arrival : causes->after[event]) + 1;
}

bool causes_awaited(const struct causes *causes)
{
    return causes->notes->latest <= causes->after[causes_newest(causes)];
}

/* The one that arrived last stands first, of several the first one unless `late`. */
static inline void add_cause(struct causes *causes, struct cause cause, bool late)
{
    struct causes_notes *notes = causes->notes;
    const uint32_t at = causes_newest(causes);
    const uint64_t arrival = arrival_passed(causes, at, &cause);
    size_t count = causes->cause_count - causes->firsts[at];
    const bool last = !count || arrival > notes->latest || (late && arrival == notes->latest);
    if (!causes->all && count >= CAUSES_KEPT) {
        if (!last && arrival <= notes->next)
            return;
        causes->cause_count--;
        count--;
    }
    if (causes->cause_count >= causes->cause_capacity &&
        array_reserve(&causes->items, &causes->cause_capacity, causes->cause_count + 1)) {
        causes->status = STATUS_MEMORY;
        return;
    }
    struct cause *first = &causes->items[causes->firsts[at]], *end = first + count;
    notes->next = last ? notes->latest : arrival > notes->next ? arrival : notes->next;
    if (last) {
        notes->latest = arrival;
        *end = *first;
        end = first;
    }
    /* Whole, the cause would go through memory in parts, and be read at once before those are
     * there. */
    end->from = cause.from;
    end->latency = cause.latency;
    end->steps = cause.steps;
    end->link = cause.link;
    causes->cause_count++;
}

static uint16_t latency_kept(uint64_t latency)
{
    return latency < UINT16_MAX ? (uint16_t)latency : UINT16_MAX;
}

/* Whether two causes that arrived no earlier than an event `from` are all that is kept. The list is
 * in the order of time, so this mostly needs no look at when it was. */
static inline bool is_third(const struct causes *causes, uint32_t from)
{
    const uint32_t first = causes->firsts[causes_newest(causes)];
    if (causes->all || causes->cause_count - first < CAUSES_KEPT)
        return false;
    const uint32_t second = causes->items[first + 1].from;
    return from == second || is_after(causes, second, from);
}

void causes_add(struct causes *causes, uint32_t from, enum cause_link link, uint64_t latency,
                uint32_t steps)
{
    if (from == NO_CAUSE || causes->status || (!latency && !steps && is_third(causes, from)))
        return;
    add_cause(causes, (struct cause){from, latency_kept(latency), (uint8_t)steps, (uint8_t)link},
              false);
}

void causes_add_last(struct causes *causes, uint32_t from, enum cause_link link)
{
    if (from == NO_CAUSE || causes->status)
        return;
    const uint32_t cycles = causes->after[causes_newest(causes)] - causes_after(causes, from);
    add_cause(causes, (struct cause){from, latency_kept(cycles), 0, (uint8_t)link}, true);
}

uint32_t causes_list(struct causes *causes, uint32_t before)
{
    struct causes_notes *notes = causes->notes;
    if (array_reserve(&notes->listed, &notes->listed_capacity, notes->listed_count + 1)) {
        causes->status = STATUS_MEMORY;
        return before;
    }
    notes->listed[notes->listed_count] =
        (struct listed_note){causes_newest(causes), before, NO_CAUSE};
    return notes->listed_count++;
}

/* ---- paths ---- */

uint64_t cause_arrival(const struct causes *causes, uint32_t event, const struct cause *cause)
{
    const uint64_t passed = arrival_passed(causes, event, cause);
    return passed ? causes->events[0].cycle + passed - 1 : 0;
}

void cause_divide(const struct causes *causes, uint32_t event, const struct cause *cause,
                  uint64_t uses[CAUSE_USES])
{
    uint64_t left = causes->after[event] - causes_after(causes, cause->from);
    const uint64_t latency = left < cause->latency ? left : cause->latency;
    left -= latency;
    const uint64_t steps = left < cause->steps ? left : cause->steps;
    uses[links[cause->link].latency] += latency;
    uses[links[cause->link].steps] += steps;
    uses[links[cause->link].waits] += left - steps;
}

/* ---- what is noted of addresses ---- */

/* Of the blocks of a cache: one search for all that an event of a line needs. */
enum { NOTED_BITS = 5, BLOCK_BITS = 7 };

/* The number of a block, and makes room for it; a new one is filled with NO_CAUSE. */
static bool find_block(struct causes *causes, struct noted_blocks *blocks, uint64_t key,
                       size_t bytes)
{
    const uint32_t count = blocks->keys.count;
    if (blocks->found && key == blocks->key)
        return true;
    blocks->found =
        !key_table_number(&blocks->keys, key, &blocks->number) &&
        !array_reserve_bytes(&blocks->items, &blocks->capacity, (size_t)blocks->number + 1, bytes);
    if (!blocks->found) {
        causes->status = STATUS_MEMORY;
        return false;
    }
    blocks->key = key;
    if (blocks->number == count)
        memset((char *)blocks->items + blocks->number * bytes, 0xff, bytes); /* NO_CAUSE */
    return true;
}

static unsigned place_in_block(uint64_t address)
{
    return address >> NOTED_BITS & (NOTED_PARTS - 1);
}

struct asked_note *causes_asked(struct causes *causes, uint32_t sm, uint64_t address)
{
    struct causes_notes *notes = causes->notes;
    const uint64_t key = (address >> BLOCK_BITS) * UINT64_C(0x9e3779b97f4a7c15) + sm;
    if (!find_block(causes, &notes->asked, key, NOTED_PARTS * sizeof(struct asked_note))) {
        memset(&notes->no_asked, 0xff, sizeof notes->no_asked);
        return &notes->no_asked;
    }
    struct asked_note *items = notes->asked.items;
    return &items[notes->asked.number * NOTED_PARTS + place_in_block(address)];
}

struct memory_note *causes_memory(struct causes *causes, uint64_t address)
{
    struct causes_notes *notes = causes->notes;
    if (!find_block(causes, &notes->memory, address >> BLOCK_BITS,
                    NOTED_PARTS * sizeof(struct memory_note))) {
        memset(&notes->no_memory, 0xff, sizeof notes->no_memory);
        return &notes->no_memory;
    }
    struct memory_note *items = notes->memory.items;
    return &items[notes->memory.number * NOTED_PARTS + place_in_block(address)];
}
