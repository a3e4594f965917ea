/* Why a launch at the timing depth took its cycles: what had to happen before each of its events
 * (base/timing_events.h), which of that came last, and what the cycles between the two were for.
 *
 * Every event but the start of its launch has causes: earlier events without which, or in whose
 * place at a scheduler, pipe, port or bus, it would not have happened then. The first of them is
 * the one that came last, never one that only may have been in the way (LINK_BESIDE: the one before
 * in a queue or at a shared part whose order is not watched); from an event back along the last
 * causes goes its critical path. What is not watched (the stages of the network, where a walk is)
 * is not seen; its cycles belong to the cause before it. Invariants: a cause stands before its
 * effect in the list, and is not later; the cycles of a path add up to what lies between its ends.
 *
 * Cost: of each event of the launch 110 bytes; where no cone is wanted, about 60 of those that
 * paths of later events may go through. An event that no path will go through any more leaves the
 * list (causes_compact.c); where one is still named, its time stands in the place of its number. */
#pragma once

#include "base/key_table.h"
#include "model/timing/base/timing_events.h"
#include "model/timing/sm/sm_machine.h"

/* X(ID, path, ideal): what cycles are for: the part of the cycle stack that counts them
 * (schema/metrics.h), and the limit that takes them away; IDEAL_COUNT: none does. */
#define CAUSE_USE_LIST(X)                                                                          \
    X(ISSUE, "core.issued", IDEAL_COUNT)                                                           \
    X(RESULT, "core.stall.data", IDEAL_COUNT)                                                      \
    X(OPERANDS, "core.stall.data", IDEAL_COLLECTORS)                                               \
    X(EXECUTION, "core.stall.data", IDEAL_EXECUTION)                                               \
    X(UNIT, "core.stall.memory.l1d", IDEAL_COUNT)                                                  \
    X(L1D, "core.stall.memory.l1d", IDEAL_L1D_LATENCY)                                             \
    X(LINE, "core.stall.memory.line", IDEAL_L1D_CAPACITY)                                          \
    X(MISS_QUEUE, "core.stall.memory.miss_queue", IDEAL_L1D_MISS_QUEUE)                            \
    X(MSHR_ENTRY, "core.stall.memory.mshr_entry", IDEAL_L1D_ENTRIES)                               \
    X(MSHR_MERGE, "core.stall.memory.mshr_merge", IDEAL_L1D_MERGE)                                 \
    X(WRITE, "core.stall.memory.write", IDEAL_COUNT)                                               \
    X(PORT, "core.stall.memory.port", IDEAL_L1D_PORTS)                                             \
    X(NETWORK, "core.stall.memory.network", IDEAL_NETWORK_BANDWIDTH)                               \
    X(ROUTER, "core.stall.memory.network", IDEAL_NETWORK_LATENCY)                                  \
    X(L2_LATENCY, "core.stall.memory.l2", IDEAL_L2_LATENCY)                                        \
    X(L2, "core.stall.memory.l2", IDEAL_L2_PORTS)                                                  \
    X(DRAM, "core.stall.memory.dram", IDEAL_DRAM_LATENCY)                                          \
    X(DRAM_BUS, "core.stall.memory.dram", IDEAL_DRAM_BANDWIDTH)                                    \
    X(TRANSLATION, "core.stall.memory.translation", IDEAL_TRANSLATION)                             \
    X(PIPE, "core.stall.pipe", IDEAL_PIPES)                                                        \
    X(BARRIER, "core.stall.barrier", IDEAL_BARRIERS)                                               \
    X(FETCH, "core.stall.instruction", IDEAL_FETCH)                                                \
    X(L1I, "core.stall.instruction", IDEAL_L1I_HITS)                                               \
    X(LAUNCH, "core.stall.idle", IDEAL_LAUNCH)                                                     \
    X(ROOM, "core.stall.idle", IDEAL_OCCUPANCY)                                                    \
    X(BLOCKS, "core.stall.idle", IDEAL_COUNT)

enum cause_use {
#define CAUSE_USE_ENUM(id, path, ideal) USE_##id,
    CAUSE_USE_LIST(CAUSE_USE_ENUM)
#undef CAUSE_USE_ENUM
        CAUSE_USES
};

struct cause_use_row {
    const char *path;
    enum ideal ideal;
};
extern const struct cause_use_row cause_uses[CAUSE_USES];

/* X(ID, latency, steps, waits, words): how an event is caused: what the cycles of a latency, those
 * of stages that are always passed, and any others between the two are for; what the cause did. */
#define CAUSE_LINK_LIST(X)                                                                         \
    X(NOTHING, LAUNCH, BLOCKS, BLOCKS, "nothing that was watched")                                 \
    X(BEGIN, LAUNCH, BLOCKS, BLOCKS, "the launch began")                                           \
    X(DEALT, BLOCKS, BLOCKS, BLOCKS, "the SM got the block before")                                \
    X(GAVE_ROOM, ROOM, BLOCKS, ROOM, "a block made room")                                          \
    X(FETCHED, FETCH, FETCH, FETCH, "the warp had nothing to issue any more")                      \
    X(TURN, FETCH, FETCH, FETCH, "another warp was decoded")                                       \
    X(LINE_CAME, L1I, L1I, L1I, "its line came to the L1I")                                        \
    X(LINE_ASKED, L1I, L1I, L1I, "the L1I asked")                                                  \
    X(DECODED, FETCH, FETCH, PIPE, "the instruction was decoded")                                  \
    X(NEXT, ISSUE, ISSUE, PIPE, "the warp issued the instruction before")                          \
    X(SLOT, ISSUE, ISSUE, PIPE, "the scheduler issued another instruction")                        \
    X(LATCH, PIPE, PIPE, PIPE, "the pipe took another instruction")                                \
    X(OPERAND, RESULT, RESULT, PIPE, "what the instruction uses was written")                      \
    X(GO_ON, RESULT, RESULT, PIPE, "the warp could go on")                                         \
    X(RELEASE, BARRIER, ISSUE, BARRIER, "the barrier let the warp go")                             \
    X(ARRIVAL, ISSUE, BARRIER, BARRIER, "the last warp came to the barrier")                       \
    X(ITSELF, ISSUE, ISSUE, ISSUE, "the instruction was issued")                                   \
    X(EXECUTE, EXECUTION, RESULT, OPERANDS, "the instruction was issued")                          \
    X(SHARED, UNIT, UNIT, PORT, "the instruction was issued")                                      \
    X(ENTER, UNIT, UNIT, PORT, "the instruction was issued")                                       \
    X(TRANSLATED, UNIT, UNIT, PORT, "its translation was there")                                   \
    X(TO_WALKERS, TRANSLATION, TRANSLATION, TRANSLATION, "the TLB missed")                         \
    X(WALKER, TRANSLATION, TRANSLATION, TRANSLATION, "the walker had another walk")                \
    X(WALK, TRANSLATION, TRANSLATION, TRANSLATION, "the walk had come so far")                     \
    X(FREED_WALK, TRANSLATION, TRANSLATION, TRANSLATION, "a miss of the TLB left its queue")       \
    X(BEHIND, PORT, PORT, PORT, "the load/store unit had another instruction")                     \
    X(LOOK_UP, L1D, UNIT, PORT, "the load/store unit asked")                                       \
    X(BANK, PORT, PORT, PORT, "another request was looked up")                                     \
    X(FREED_LINE, LINE, LINE, LINE, "data came, so a line can be replaced")                        \
    X(FREED_QUEUE, MISS_QUEUE, MISS_QUEUE, MISS_QUEUE, "a miss left the miss queue")               \
    X(FREED_ENTRY, MSHR_ENTRY, MSHR_ENTRY, MSHR_ENTRY, "data came, and an MSHR is free")           \
    X(FREED_MERGE, MSHR_MERGE, MSHR_MERGE, MSHR_MERGE, "data came, and the MSHR is free")          \
    X(FREED_WRITE, WRITE, WRITE, WRITE, "the store before is done")                                \
    X(DATA, UNIT, UNIT, PORT, "its last data came")                                                \
    X(TO_L2, L2_LATENCY, ROUTER, NETWORK, "the L1D asked")                                         \
    X(SLICE, L2, L2, L2, "the slice looked up another request")                                    \
    X(REPLY, ROUTER, ROUTER, NETWORK, "the L2 had the data")                                       \
    X(AWAY, NETWORK, NETWORK, NETWORK, "the L1D asked")                                            \
    X(TO_DRAM, DRAM, L2, L2, "the cache above missed")                                             \
    X(LINE_BELOW, L1I, L1I, L1I, "the cache above missed")                                         \
    X(BELOW, DRAM, DRAM, DRAM, "the L2 missed")                                                    \
    X(COMMAND, DRAM, DRAM, DRAM, "the request came to the controller")                             \
    X(ROW, DRAM, DRAM, DRAM, "the bank opened or closed a row")                                    \
    X(BUS, DRAM_BUS, DRAM_BUS, DRAM_BUS, "the bus had another burst")                              \
    X(FROM_DRAM, DRAM, DRAM, DRAM, "the DRAM read the data")                                       \
    X(ENDING, RESULT, RESULT, RESULT, "the warp issued its last instruction")                      \
    X(DRAINED, RESULT, RESULT, RESULT, "an instruction of the warp was done")                      \
    X(ACKNOWLEDGED, NETWORK, NETWORK, NETWORK, "the L2 took a store of the warp")                  \
    X(WARPS, BLOCKS, BLOCKS, BLOCKS, "the last warp ended")                                        \
    X(LAST_BLOCK, BLOCKS, BLOCKS, BLOCKS, "the last block ended")                                  \
    X(BESIDE, BLOCKS, BLOCKS, BLOCKS, "it may have been in the way")

enum cause_link {
#define CAUSE_LINK_ENUM(id, latency, steps, waits, words) LINK_##id,
    CAUSE_LINK_LIST(CAUSE_LINK_ENUM)
#undef CAUSE_LINK_ENUM
        CAUSE_LINKS
};
extern const char *const cause_words[CAUSE_LINKS];

enum { NO_CAUSE = UINT32_MAX };
/* An event that left the list: this bit, and its cycles since the launch began. */
#define CAUSE_GONE (UINT32_C(1) << 31)

struct cause {        /* of an event: */
    uint32_t from;    /* its number, or CAUSE_GONE and its time */
    uint16_t latency; /* cycles; those of `steps` come beside them */
    uint8_t steps, link;
};

/* The events of a launch, or as far as it was watched. */
struct causes {
    struct timing_event *events;
    uint32_t *after; /* cycles of events after the first one's, in fewer lines of a CPU's cache */
    struct cause *items;
    uint32_t *firsts; /* of each event its first cause; one more for the end */
    bool all;         /* all causes are kept: for cones; else the last two, and none beside */
    size_t count, capacity, after_capacity, cause_count, cause_capacity, first_capacity;
    size_t each;        /* unless `all`: events after so many more are compacted; 0: as pays */
    size_t memory;      /* bytes that may be used; 0: any */
    enum status status; /* STATUS_UNSUPPORTED: they do not suffice */
    struct causes_notes *notes;
    const struct sm_machine *shared;
};

/* `shared` must outlive it, as must its machine and source. */
enum status causes_init(struct causes *causes, const struct sm_machine *shared, bool all,
                        size_t memory);
void causes_free(struct causes *causes);
/* Forgets all events. What follows is of this launch. */
void causes_begin(struct causes *causes, uint32_t launch);
/* Room for `count` events of a watch, which are put from there: what lies where it stays need not
 * be copied. Valid until the next call; NULL: causes->status says why. */
struct timing_event *causes_room(struct causes *causes, size_t count);
/* The next event of the launch, in the order of a watch, from that room. */
void causes_put(struct causes *causes, const struct timing_event *event);

/* The last cause of an event; NULL: it has none. */
static inline const struct cause *causes_last(const struct causes *causes, uint32_t event)
{
    const uint32_t first = causes->firsts[event];
    return first < causes->firsts[event + 1] ? &causes->items[first] : NULL;
}
/* Cycles from the start of the launch to an event that is in the list, or left it. */
static inline uint32_t causes_after(const struct causes *causes, uint32_t event)
{
    return event & CAUSE_GONE ? event & ~CAUSE_GONE : causes->after[event];
}
/* When a cause let an event happen, as far as is known: not after it. */
uint64_t cause_arrival(const struct causes *causes, uint32_t event, const struct cause *cause);
/* Divides the cycles between an event and a cause of it. */
void cause_divide(const struct causes *causes, uint32_t event, const struct cause *cause,
                  uint64_t uses[CAUSE_USES]);
