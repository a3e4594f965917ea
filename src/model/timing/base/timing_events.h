/* What happens in a run at the timing depth, event by event: what steppers, comparisons of two runs
 * and waveforms are made of.
 *
 * The parts of a machine that are simulated apart each write into a log of their own, which the run
 * empties after every span of cycles: it hands the events over in the order of their cycles, those
 * of one cycle in the order of the parts. That is the same on any number of threads. A refusal is
 * one event however many cycles it lasts, so events do not depend on which cycles are skipped.
 *
 * Cost: a run that nobody watches compares a pointer for each event; one that is watched copies 32
 * bytes twice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* What events belong to, and what `place` numbers there. */
#define EVENT_PART_LIST(X)                                                                         \
    X(GPU, "gpu", "gpu")                                                                           \
    X(CORE, "core", "sm")                                                                          \
    X(L1D, "l1d", "sm")                                                                            \
    X(L1I, "l1i", "sm")                                                                            \
    X(TLB, "tlb", "sm")                                                                            \
    X(L2, "l2", "slice")                                                                           \
    X(MMU, "mmu", "walker")                                                                        \
    X(DRAM, "dram", "channel")                                                                     \
    X(TILE, "tile", "bank")

/* What `address` is. */
enum event_subject { SUBJECT_NONE, SUBJECT_ADDRESS, SUBJECT_BLOCK, SUBJECT_LAUNCH, SUBJECT_ROW };

/* X(name, part, subject, help). Those of the L1D and the L2 are in one order. */
#define EVENT_LIST(X)                                                                              \
    X(launch_start, GPU, LAUNCH, "a launch begins")                                                \
    X(launch_end, GPU, LAUNCH, "the last block of a launch has retired")                           \
    X(block_start, CORE, BLOCK, "a thread block comes to an SM at the end of a cycle")             \
    X(decode, CORE, BLOCK, "the next instructions of a warp, or its end, are decoded")             \
    X(issue, CORE, NONE, "a scheduler issues an instruction")                                      \
    X(written, CORE, NONE, "an instruction that waits for no data is done")                        \
    X(loaded, CORE, NONE, "the last data of a load have arrived")                                  \
    X(barrier, CORE, BLOCK, "a warp comes to a barrier")                                           \
    X(release, CORE, BLOCK, "a barrier lets its warps go on")                                      \
    X(warp_end, CORE, BLOCK, "a warp retires")                                                     \
    X(block_end, CORE, BLOCK, "the last warp of a block retires")                                  \
    X(request, L1D, ADDRESS, "an instruction in the load/store unit asks for bytes")               \
    X(l1d_hit, L1D, ADDRESS, "a request finds its data in the L1D")                                \
    X(l1d_pending, L1D, ADDRESS, "a request finds its data on their way to the L1D")               \
    X(l1d_miss, L1D, ADDRESS, "a request finds no line in the L1D")                                \
    X(l1d_sector_miss, L1D, ADDRESS, "a request finds its line in the L1D, not its sector")        \
    X(l1d_refusal, L1D, ADDRESS, "the L1D cannot take a request")                                  \
    X(l1d_fill, L1D, ADDRESS, "data come to the L1D")                                              \
    X(l1d_eviction, L1D, ADDRESS, "a line of the L1D makes room for another")                      \
    X(l1i_pending, L1I, ADDRESS, "a fetch finds its line in flight")                               \
    X(l1i_miss, L1I, ADDRESS, "a fetch finds no line in the L1I")                                  \
    X(l1i_fill, L1I, ADDRESS, "instructions come to the L1I")                                      \
    X(tlb_hit, TLB, ADDRESS, "an instruction in the load/store unit finds a translation")          \
    X(tlb_pending, TLB, ADDRESS, "it finds one in flight")                                         \
    X(tlb_miss, TLB, ADDRESS, "it finds none in the TLB")                                          \
    X(tlb_refusal, TLB, ADDRESS, "the TLB can keep no further miss")                               \
    X(tlb_fill, TLB, ADDRESS, "a translation comes to the TLB")                                    \
    X(l2_hit, L2, ADDRESS, "a request finds its data in the L2")                                   \
    X(l2_pending, L2, ADDRESS, "a request finds its data on their way to the L2")                  \
    X(l2_miss, L2, ADDRESS, "a request finds no line in the L2")                                   \
    X(l2_sector_miss, L2, ADDRESS, "a request finds its line in the L2, not its sector")           \
    X(l2_refusal, L2, ADDRESS, "the L2 cannot take a request")                                     \
    X(l2_fill, L2, ADDRESS, "data come to the L2")                                                 \
    X(l2_eviction, L2, ADDRESS, "a line of the L2 makes room for another")                         \
    X(l2tlb_hit, MMU, ADDRESS, "a miss of a TLB finds its translation in the shared one")          \
    X(l2tlb_miss, MMU, ADDRESS, "a miss of a TLB finds none in the shared one")                    \
    X(walk, MMU, ADDRESS, "a walker begins to walk the page table")                                \
    X(dram_request, DRAM, ADDRESS, "a request comes to the controller of a channel")               \
    X(dram_activate, DRAM, ROW, "a bank opens a row")                                              \
    X(dram_precharge, DRAM, ROW, "a bank closes its row")                                          \
    X(dram_read, DRAM, ADDRESS, "a burst is read")                                                 \
    X(dram_write, DRAM, ADDRESS, "a burst is written")                                             \
    X(tile_cleared, TILE, ADDRESS, "clear bits answer a request")                                  \
    X(tile_hit, TILE, ADDRESS, "a request finds its line in the tile cache")                       \
    X(tile_miss, TILE, ADDRESS, "a miss begins a chain of the miss queue")                         \
    X(tile_join, TILE, ADDRESS, "a miss becomes the tail of a chain")                              \
    X(tile_prefetch, TILE, ADDRESS, "a line is read ahead")                                        \
    X(tile_refusal, TILE, ADDRESS, "a request must wait for its look-up")                          \
    X(tile_forward, TILE, ADDRESS, "the head of a chain is executed for the next entry")           \
    X(tile_write, TILE, ADDRESS, "the last entry of a chain is executed, its line written back")   \
    X(tile_fill, TILE, ADDRESS, "data come to the tile cache")                                     \
    X(tile_execute, TILE, ADDRESS, "an entry is executed in the tile cache")                       \
    X(tile_read_again, TILE, ADDRESS, "what an older chain left of a line is in memory again")     \
    X(tile_empty, TILE, NONE, "a pass ends with an empty tile cache")                              \
    X(tile_eviction, TILE, ADDRESS, "a line of the tile cache makes room for another")

struct machine; /* schema/machine.h */

enum event_part {
#define EVENT_PART_ENUM(id, name, place) PART_##id,
    EVENT_PART_LIST(EVENT_PART_ENUM)
#undef EVENT_PART_ENUM
        EVENT_PARTS
};

enum event_kind {
#define EVENT_ENUM(name, part, subject, help) EVENT_##name,
    EVENT_LIST(EVENT_ENUM)
#undef EVENT_ENUM
        EVENT_KINDS
};

enum { NO_SLOT = UINT16_MAX, EVENT_NO_DETAIL = UINT8_MAX };

struct timing_event {
    uint64_t cycle;   /* of the SMs' clock */
    uint64_t address; /* or what the kind's subject says; of an issue the number of the instruction
                         in the code of its kernel */
    uint32_t pc;
    uint32_t id; /* of an instruction: its order of issue in its SM; at the L2, walkers and a DRAM
                    the SM that asks; in a tile cache the number of the request */
    uint16_t place; /* the SM, slice, channel or bank of a tile cache */
    uint16_t slot;  /* of the warp in its SM; of a DRAM the bank; NO_SLOT */
    uint16_t bytes;
    uint8_t kind;   /* enum event_kind */
    uint8_t detail; /* of a refusal why, of another request what it is: event_detail;
                       EVENT_NO_DETAIL */
};

struct event_kind_row {
    const char *name;
    enum event_part part;
    enum event_subject subject;
    const char *help;
};
struct event_part_row {
    const char *name, *place;
    bool in_sm; /* place is an SM, and slot one of its warps */
};
extern const struct event_kind_row event_kinds[EVENT_KINDS];
extern const struct event_part_row event_parts[EVENT_PARTS];
bool event_in_sm(const struct timing_event *event);
/* The unit and the row in it that an event is of, where it has one: an SM and the slot of a warp
 * (perhaps NO_SLOT), or 0 and the bank of a tile cache. */
bool event_row(const struct timing_event *event, uint32_t *unit, uint32_t *row);
/* How many places a part has. */
uint64_t event_places(const struct machine *machine, enum event_part part);
/* The kinds that a word names, as bits: one, with "hit", "miss" or the like those of any cache, or
 * "any". 0: none. */
uint64_t event_kinds_named(const char *word, size_t length);
/* What follows a message about a word that names none. Returns `text`. */
const char *event_suggestion(const char *word, size_t length, char text[SUGGESTION_TEXT]);
/* The name of what `detail` says; NULL: nothing. */
const char *event_detail(const struct timing_event *event);

/* Who watches a run. `put` gets the events of some cycles at a time, from one thread. */
struct event_watch {
    void (*put)(void *context, const struct timing_event *events, size_t count);
    void *context;
};

struct event_log { /* of one part; zeroed memory is an empty one */
    struct timing_event *items;
    size_t count, capacity;
    bool failed; /* there was no memory for one */
};

void event_log_put(struct event_log *log, const struct timing_event *event);
