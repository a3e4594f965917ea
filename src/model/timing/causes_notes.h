/* What causes.c and the other causes_*.c share: what is noted of the events so far, from which the
 * causes of the next one are found. causes_compact.c renumbers every event that is noted. */
#pragma once

#include "model/timing/causes.h"
#include "model/translation/page_table.h"
#include "trace/instructions.h"

enum { CAUSES_KEPT = 2 }; /* of an event, unless all are */

struct listed_note {        /* an event in a list: of requests of an instruction, of arrivals */
    uint32_t event, before; /* before: of the list, in causes_notes.listed; NO_CAUSE */
    uint32_t answer;        /* of a request its look-up in the L1D; NO_CAUSE */
};

struct op_note { /* an instruction */
    uint32_t issue, code;
    uint32_t requests;   /* the last of its requests, listed */
    uint32_t pages;      /* ... of its look-ups in the TLB */
    uint32_t last_store; /* the store of its warp before it, of a store: its order; NO_CAUSE */
    bool done, writes, needed; /* needed: while the list is compacted */
};

struct warp_note {
    uint32_t start, decode, issue, done; /* done: an instruction of it, last */
    uint32_t op, store;                  /* orders of its last instruction and store; NO_CAUSE */
    uint32_t stores, stores_left; /* in the list of its stores; ... when it was looked through */
    uint32_t line;                /* the line that it missed last in the L1I, or found in flight */
    uint32_t end;
    uint32_t registers[REGISTER_COUNT]; /* when they were written last */
};

struct block_note {
    bool live;
    uint64_t number;
    uint32_t release, arrivals; /* arrivals: the last warp at its barrier, listed */
};

struct sm_note {
    struct warp_note *warps; /* [WARPS_MAX] */
    uint32_t warp_count;     /* the first ones, which had a warp */
    struct block_note blocks[WARPS_MAX];
    struct op_note *ops; /* by order of issue from `first_order` on */
    size_t op_count, op_capacity;
    uint32_t first_order;
    uint32_t block_start, block_end, decode, issue, done, request, look_up, fill, at_l2;
    uint32_t line, line_fill, page, page_fill; /* the last ones of the L1I and the TLB */
    uint32_t page_refused;                     /* by the TLB, since another look-up; NO_CAUSE */
    uint32_t issues[SCHEDULERS_MAX], pipes[SCHEDULERS_MAX][PIPE_COUNT];
};

enum { BANKS_NOTED = 64 };
struct channel_note {
    uint32_t burst, request, fill, rows[BANKS_NOTED], requests[BANKS_NOTED];
};

/* Of 32 B that an SM asks for: the last event on the way down, where the L1D refused it, at the L2,
 * and back. */
struct asked_note {
    uint32_t down, refused, at_l2, back;
};
/* Of 32 B of memory: where the L2 and the DRAM met them last. */
struct memory_note {
    uint32_t missed, filled, evicted, requested, burst;
};

enum { NOTED_PARTS = 4 };
struct noted_blocks { /* notes of 128 B each, NOTED_PARTS of them */
    struct key_table keys;
    void *items; /* by number of the key */
    size_t capacity;
    bool found; /* the block that was looked for last: */
    uint64_t key;
    uint32_t number;
};

struct causes_notes {
    uint32_t launch, warps_per_block;
    uint32_t registers; /* of a warp that the kernel names, the first ones */
    const struct sm_code *code;
    struct sm_note *sms;
    uint32_t *slices; /* the last look-up in each */
    struct channel_note *channels;
    uint32_t *walkers; /* the last walk of each */
    uint32_t walk;     /* the last event of all of them */
    struct page_table table;
    uint32_t sm_count, slice_count, channel_count;
    struct noted_blocks asked, memory;
    struct listed_note *listed;
    uint32_t listed_count;
    size_t listed_capacity;
    struct listed_note *spare; /* where the list is moved to */
    uint32_t *moved;           /* new numbers of events */
    size_t spare_capacity, moved_capacity;
    size_t full;           /* so many events are compacted */
    uint64_t latest, next; /* of the newest event's causes the last one's arrival, as cycles since
                              the launch began plus one, and of the one before it; 0: none */
    /* In cycles of the SMs: to the tags of the L2, through a router, to open a row, of a burst. */
    uint64_t l2_latency, router, open, burst;
    struct asked_note no_asked; /* what is given where there is no memory */
    struct memory_note no_memory;
};

/* The event whose causes are looked for is the last one. */
static inline uint32_t causes_newest(const struct causes *causes)
{
    return (uint32_t)causes->count - 1;
}

/* Adds a cause of the last event, unless there is none. Of those that arrive at once the first one
 * is taken for the last. */
void causes_add(struct causes *causes, uint32_t from, enum cause_link link, uint64_t latency,
                uint32_t steps);
/* ... and it is the last one, for no other lasted so long. */
void causes_add_last(struct causes *causes, uint32_t from, enum cause_link link);
/* Whether all that is known so far arrived before the last event happened. */
bool causes_awaited(const struct causes *causes);
/* ... and it only may have been in the way, which is of interest in cones alone. */
static inline void causes_add_beside(struct causes *causes, uint32_t from)
{
    if (causes->all)
        causes_add(causes, from, LINK_BESIDE, 0, 0);
}

/* What is noted of an SM that asks for data, instructions or, if it is `sm_count` more, for pages;
 * of twice `sm_count` the walkers themselves. */
struct asked_note *causes_asked(struct causes *causes, uint32_t sm, uint64_t address);
struct memory_note *causes_memory(struct causes *causes, uint64_t address);
/* The L2 had the data of a request that came to it with event `at`. */
uint32_t causes_data_of_l2(struct causes *causes, uint32_t at);
/* The event that brought the data of a listed request; NO_CAUSE. */
uint32_t causes_data(struct causes *causes, const struct listed_note *request);

/* Lists the newest event after others. Returns its place in the list. */
uint32_t causes_list(struct causes *causes, uint32_t before);
/* One of a list; NULL at its end. */
static inline struct listed_note *causes_listed(const struct causes *causes, uint32_t at)
{
    return at == NO_CAUSE ? NULL : &causes->notes->listed[at];
}

/* Whether both happened, and the first one after the other. Of one that left the list the place in
 * its cycle is not known: `other` is what comes before `event` in the machine. */
static inline bool is_after(const struct causes *causes, uint32_t event, uint32_t other)
{
    if (!((event | other) & CAUSE_GONE))
        return event > other;
    return event != NO_CAUSE && other != NO_CAUSE &&
           causes_after(causes, event) >= causes_after(causes, other);
}

/* The later one of two events, either of which may be NO_CAUSE. */
static inline uint32_t causes_later(const struct causes *causes, uint32_t a, uint32_t b)
{
    return a == NO_CAUSE || is_after(causes, b, a) ? b : a;
}

/* Adds what a walk that began with event `walk` has read of the page table so far. */
void causes_add_reads(struct causes *causes, uint32_t walk, enum cause_link link);
/* The walk whose read of the page table comes to the L2; NO_CAUSE: it is none. */
uint32_t causes_walk_of(struct causes *causes, const struct timing_event *event);

/* What each part adds for its events. */
void causes_of_core(struct causes *causes, const struct timing_event *event);
void causes_of_l1d(struct causes *causes, const struct timing_event *event);
void causes_of_l1i(struct causes *causes, const struct timing_event *event);
void causes_of_tlb(struct causes *causes, const struct timing_event *event);
void causes_of_mmu(struct causes *causes, const struct timing_event *event);
void causes_of_l2(struct causes *causes, const struct timing_event *event);
void causes_of_dram(struct causes *causes, const struct timing_event *event);

/* Drops events that no path of a later event goes through, and renumbers the others. */
void causes_compact(struct causes *causes);
/* Sets when it is called next. */
void causes_fill(struct causes *causes);

/* Cycles from issue until a unit can take an instruction: one to a collector, a step of it to read
 * registers and one to leave, one to the unit. */
static inline uint32_t causes_collect_steps(const struct causes *causes,
                                            const struct sm_instruction *code)
{
    return 2 + (code->reads ? 2 : 1) / (uint32_t)causes->shared->machine->core.reads;
}

/* The instruction of an event; NULL: it was issued before the launch. */
static inline struct op_note *causes_op(struct sm_note *sm, uint32_t order)
{
    const uint32_t at = order - sm->first_order;
    return at < sm->op_count ? &sm->ops[at] : NULL;
}
