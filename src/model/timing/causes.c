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

enum status causes_init(struct causes *causes, const struct sm_machine *shared, size_t memory)
{
    const struct machine *machine = shared->machine;
    const struct dram_config *dram = &machine->dram;
    *causes = (struct causes){.shared = shared, .memory = memory};
    struct causes_notes *notes = causes->notes = calloc(1, sizeof *notes);
    if (!notes)
        return STATUS_MEMORY;
    notes->sm_count = (uint32_t)machine->gpu.sms;
    notes->slice_count = (uint32_t)machine->l2.slices;
    notes->channel_count = (uint32_t)(machine->l2.slices / machine->l2.slices_per_channel);
    notes->sms = calloc(notes->sm_count, sizeof *notes->sms);
    notes->slices = calloc(notes->slice_count, sizeof *notes->slices);
    notes->channels = calloc(notes->channel_count, sizeof *notes->channels);
    if (!notes->sms || !notes->slices || !notes->channels)
        return STATUS_MEMORY;
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
        key_table_free(&notes->asked_keys);
        key_table_free(&notes->memory_keys);
        free(notes->asked);
        free(notes->memory);
        free(notes->before);
        free(notes->answer);
    }
    free(notes);
    free(causes->events);
    free(causes->items);
    free(causes->firsts);
    *causes = (struct causes){0};
}

void causes_begin(struct causes *causes, uint32_t launch)
{
    struct causes_notes *notes = causes->notes;
    const struct trace_source *source = causes->shared->source;
    const struct trace_launch *of = &source->launches[launch];
    causes->count = causes->cause_count = 0;
    notes->launch = launch;
    notes->warps_per_block = launch_warps(of);
    notes->code = &causes->shared->codes[of->code - 1];
    for (uint32_t i = 0; i < notes->sm_count; i++) {
        struct sm_note *sm = &notes->sms[i], before = *sm;
        memset(sm, 0xff, sizeof *sm); /* NO_CAUSE */
        memset(sm->blocks, 0, sizeof sm->blocks);
        sm->warps = before.warps;
        sm->ops = before.ops;
        sm->op_capacity = before.op_capacity;
        sm->op_count = 0;
    }
    memset(notes->slices, 0xff, notes->slice_count * sizeof *notes->slices);
    memset(notes->channels, 0xff, notes->channel_count * sizeof *notes->channels);
    key_table_free(&notes->asked_keys);
    key_table_free(&notes->memory_keys);
}

static bool make_room(struct causes *causes)
{
    struct causes_notes *notes = causes->notes;
    const size_t need = causes->count + 1;
    const size_t bytes = need * (sizeof *causes->events + 3 * sizeof *causes->firsts) +
                         causes->cause_count * sizeof *causes->items;
    if ((causes->memory && bytes > causes->memory) || need >= NO_CAUSE)
        causes->status = STATUS_UNSUPPORTED;
    else if (array_reserve(&causes->events, &causes->capacity, need) ||
             array_reserve(&causes->firsts, &causes->first_capacity, need + 1) ||
             array_reserve(&notes->before, &notes->before_capacity, need) ||
             array_reserve(&notes->answer, &notes->answer_capacity, need))
        causes->status = STATUS_MEMORY;
    return !causes->status;
}

/* The cause that arrived last comes first, of several the first one. */
static void settle(struct causes *causes, uint32_t event)
{
    uint32_t first = causes->firsts[event], last = first;
    for (uint32_t i = first + 1; i < causes->cause_count; i++)
        if (cause_arrival(causes, event, &causes->items[i]) >
            cause_arrival(causes, event, &causes->items[last]))
            last = i;
    if (last == first)
        return;
    const struct cause found = causes->items[last];
    memmove(&causes->items[first + 1], &causes->items[first],
            (last - first) * sizeof *causes->items);
    causes->items[first] = found;
}

static void (*const cause_rules[EVENT_PARTS])(struct causes *, const struct timing_event *) = {
    [PART_GPU] = causes_of_core,
    [PART_CORE] = causes_of_core,
    [PART_L1D] = causes_of_l1d,
    [PART_L2] = causes_of_l2,
    [PART_DRAM] = causes_of_dram};

bool causes_follow(const struct timing_event *event)
{
    return cause_rules[event_kinds[event->kind].part];
}

void causes_put(struct causes *causes, const struct timing_event *event)
{
    struct causes_notes *notes = causes->notes;
    if (causes->status || !make_room(causes))
        return;
    const uint32_t at = (uint32_t)causes->count++;
    causes->events[at] = *event;
    causes->firsts[at] = (uint32_t)causes->cause_count;
    notes->before[at] = notes->answer[at] = NO_CAUSE;
    cause_rules[event_kinds[event->kind].part](causes, event);
    if (at && causes->cause_count == causes->firsts[at])
        causes_add(causes, 0, LINK_NOTHING, 0, 0);
    settle(causes, at);
    causes->firsts[causes->count] = (uint32_t)causes->cause_count;
}

void causes_add(struct causes *causes, uint32_t from, enum cause_link link, uint64_t latency,
                uint32_t steps)
{
    if (from == NO_CAUSE || causes->status)
        return;
    if (array_reserve(&causes->items, &causes->cause_capacity, causes->cause_count + 1)) {
        causes->status = STATUS_MEMORY;
        return;
    }
    causes->items[causes->cause_count++] =
        (struct cause){.from = from,
                       .latency = latency < UINT16_MAX ? (uint16_t)latency : UINT16_MAX,
                       .steps = (uint8_t)steps,
                       .link = (uint8_t)link};
}

void causes_add_last(struct causes *causes, uint32_t from, enum cause_link link)
{
    const uint32_t at = causes_newest(causes), first = causes->firsts[at];
    const size_t before = causes->cause_count;
    causes_add(causes, from, link, causes->events[at].cycle - causes->events[from].cycle, 0);
    if (causes->cause_count == before || before == first)
        return;
    const struct cause added = causes->items[before];
    memmove(&causes->items[first + 1], &causes->items[first],
            (before - first) * sizeof *causes->items);
    causes->items[first] = added;
}

/* ---- paths ---- */

uint64_t cause_arrival(const struct causes *causes, uint32_t event, const struct cause *cause)
{
    if (cause->link == LINK_BESIDE)
        return 0;
    const uint64_t arrival = causes->events[cause->from].cycle + cause->latency + cause->steps;
    const uint64_t cycle = causes->events[event].cycle;
    return arrival < cycle ? arrival : cycle;
}

void cause_divide(const struct causes *causes, uint32_t event, const struct cause *cause,
                  uint64_t uses[CAUSE_USES])
{
    uint64_t left = causes->events[event].cycle - causes->events[cause->from].cycle;
    const uint64_t latency = left < cause->latency ? left : cause->latency;
    left -= latency;
    const uint64_t steps = left < cause->steps ? left : cause->steps;
    uses[links[cause->link].latency] += latency;
    uses[links[cause->link].steps] += steps;
    uses[links[cause->link].waits] += left - steps;
}

/* ---- what is noted of addresses ---- */

enum { NOTED_BITS = 5 };

struct asked_note *causes_asked(struct causes *causes, uint32_t sm, uint64_t address)
{
    static const struct asked_note none = {NO_CAUSE, NO_CAUSE, NO_CAUSE, NO_CAUSE};
    struct causes_notes *notes = causes->notes;
    const uint64_t key = (address >> NOTED_BITS) * UINT64_C(0x9e3779b97f4a7c15) + sm;
    uint32_t number, count = notes->asked_keys.count;
    if (key_table_number(&notes->asked_keys, key, &number) ||
        array_reserve(&notes->asked, &notes->asked_capacity, (size_t)number + 1)) {
        causes->status = STATUS_MEMORY;
        notes->no_asked = none;
        return &notes->no_asked;
    }
    if (number == count)
        notes->asked[number] = none;
    return &notes->asked[number];
}

struct memory_note *causes_memory(struct causes *causes, uint64_t address)
{
    static const struct memory_note none = {NO_CAUSE, NO_CAUSE, NO_CAUSE, NO_CAUSE, NO_CAUSE};
    struct causes_notes *notes = causes->notes;
    uint32_t number, count = notes->memory_keys.count;
    if (key_table_number(&notes->memory_keys, address >> NOTED_BITS, &number) ||
        array_reserve(&notes->memory, &notes->memory_capacity, (size_t)number + 1)) {
        causes->status = STATUS_MEMORY;
        notes->no_memory = none;
        return &notes->no_memory;
    }
    if (number == count)
        notes->memory[number] = none;
    return &notes->memory[number];
}
