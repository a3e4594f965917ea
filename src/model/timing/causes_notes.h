/* What causes.c and the other causes_*.c share: what is noted of the events so far, from which the
 * causes of the next one are found. */
#pragma once

#include "model/timing/causes.h"
#include "trace/instructions.h"

struct op_note { /* an instruction */
    uint32_t issue, code;
    uint32_t requests;   /* the last of its requests; those before it by causes_notes.before */
    uint32_t last_store; /* the store of its warp before it, of a store */
};

struct warp_note {
    uint32_t start, decode, issue, done; /* done: an instruction of it, last */
    uint32_t op, store;                  /* its last instruction and store; NO_CAUSE */
    uint32_t end;
    uint32_t registers[REGISTER_COUNT]; /* when they were written last */
};

struct block_note {
    bool live;
    uint64_t number;
    uint32_t start, release, arrivals; /* the last warp at its barrier */
};

struct sm_note {
    struct warp_note *warps; /* [WARPS_MAX] */
    struct block_note blocks[WARPS_MAX];
    struct op_note *ops; /* by order of issue from `first_order` on */
    size_t op_count, op_capacity;
    uint32_t first_order;
    uint32_t block_start, block_end, decode, issue, done, request, look_up, fill, at_l2;
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

struct causes_notes {
    uint32_t launch, warps_per_block;
    const struct sm_code *code;
    struct sm_note *sms;
    uint32_t *slices; /* the last look-up in each */
    struct channel_note *channels;
    uint32_t sm_count, slice_count, channel_count;
    struct key_table asked_keys, memory_keys;
    struct asked_note *asked;
    struct memory_note *memory;
    size_t asked_capacity, memory_capacity;
    uint32_t *before; /* of a request or an arrival the one before it */
    uint32_t *answer; /* of a request its look-up in the L1D */
    size_t before_capacity, answer_capacity;
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
/* ... and it only may have been in the way. */
static inline void causes_add_beside(struct causes *causes, uint32_t from)
{
    causes_add(causes, from, LINK_BESIDE, 0, 0);
}

struct asked_note *causes_asked(struct causes *causes, uint32_t sm, uint64_t address);
struct memory_note *causes_memory(struct causes *causes, uint64_t address);
/* The event that brought the data of a request; NO_CAUSE. */
uint32_t causes_data(struct causes *causes, uint32_t request);

/* The later one of two events, either of which may be NO_CAUSE. */
static inline uint32_t causes_later(uint32_t a, uint32_t b)
{
    return a == NO_CAUSE || (b != NO_CAUSE && b > a) ? b : a;
}

/* What each part adds for its events. */
void causes_of_core(struct causes *causes, const struct timing_event *event);
void causes_of_l1d(struct causes *causes, const struct timing_event *event);
void causes_of_l2(struct causes *causes, const struct timing_event *event);
void causes_of_dram(struct causes *causes, const struct timing_event *event);

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
