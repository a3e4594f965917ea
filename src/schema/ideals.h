/* The table of idealisations: switches of the models that take one limit out of a machine, so that
 * a second run says exactly what the limit costs. They are no parameters: no hardware can be built
 * so, no study varies them, and a machine file cannot name them.
 *
 * Sets of them are an option of an evaluation (model/evaluate_options.h). The command line, the
 * explanations, the manual and the tests go through this table; model/ideal_machine.c sets what a
 * value of a machine expresses, and the modules that have the limits read the rest. Invariant: a
 * row exists only at depths whose model takes its limit out; without ideals nothing differs. A gain
 * may be negative, because more in flight can queue up elsewhere. */
#pragma once

#include <stdint.h>

#include "base/diag.h"
#include "schema/depths.h"

/* An ideal of a higher level subsumes some of the lower ones, so a ladder offers the levels one
 * after the other. */
#define IDEAL_LEVEL_LIST(X)                                                                        \
    X(IDEAL_LIMITS, "limit", "how many fit, or pass in a cycle")                                   \
    X(IDEAL_LATENCIES, "latency", "how long one takes that waits for nobody")                      \
    X(IDEAL_HITS, "hits", "whether what is asked for is there")                                    \
    X(IDEAL_DEPENDENCES, "dependence", "what waits for what")

enum ideal_level { IDEAL_LEVEL_LIST(FAMILY_ENUM) };
enum { IDEAL_LEVELS = 0 IDEAL_LEVEL_LIST(FAMILY_COUNT) };

/* X(ID, name, label, depths, stage, level, relieves, knob, help)
 *
 * `depths` are those at which it exists (AT_...). `stage` is what a machine must have; 0: SMs that
 * run kernels. `relieves` is the path of the metric that shows the limit, or NULL. `knob` is the
 * parameter where one begins to move it, or NULL: nothing of the machine does. */
#define IDEAL_LIST(X)                                                                              \
    X(L1D_HITS, "l1d.hits", "misses of the L1D", AT_TIMING, STAGE_L1D, IDEAL_HITS,                 \
      "core.stall.memory", "l1d.size",                                                             \
      "every request that the L1D serves finds its data there, and takes as long as a hit; "       \
      "stores do what a hit does; atomics and bypassed loads go on to the L2")                     \
    X(L1D_CAPACITY, "l1d.capacity", "capacity of the L1D", AT_FUNCTIONAL | AT_TIMING, STAGE_L1D,   \
      IDEAL_HITS, "l1d.miss.capacity", "l1d.size",                                                 \
      "the L1D has 32 times as many ways, so that hardly any line leaves it but by a flush, and "  \
      "as many lines can be in flight")                                                            \
    X(L1D_ASSOCIATIVITY, "l1d.assoc", "associativity of the L1D", AT_FUNCTIONAL | AT_TIMING,       \
      STAGE_L1D, IDEAL_HITS, "l1d.miss.conflict", "l1d.ways",                                      \
      "the L1D is one set (with LRU where its policy cannot have as many ways)")                   \
    X(L1D_OPTIMUM, "l1d.optimum", "replacement of the L1D", AT_FUNCTIONAL, STAGE_L1D, IDEAL_HITS,  \
      "l1d.miss.capacity", "l1d.replacement",                                                      \
      "the L1D replaces the line whose next use is furthest in the future (l1d.replacement: opt)") \
    X(L1D_FLUSH, "l1d.flush", "flushes of the L1D", AT_FUNCTIONAL | AT_TIMING, STAGE_L1D,          \
      IDEAL_HITS, "l1d.miss.flush", "l1d.flush",                                                   \
      "the L1D keeps its lines between launches and at fences (l1d.flush: no)")                    \
    X(L1D_STORES, "l1d.stores", "stores that do not allocate in the L1D", AT_FUNCTIONAL,           \
      STAGE_L1D, IDEAL_HITS, "l1d.miss.store", "l1d.write_allocate",                               \
      "stores allocate a line of the L1D, which keeps what they wrote until it is replaced")       \
    X(L1D_LATENCY, "l1d.latency", "latency of the L1D", AT_TIMING, STAGE_L1D, IDEAL_LATENCIES,     \
      "core.stall.memory.l1d", "l1d.latency",                                                      \
      "the L1D looks a request up in the cycle after it came")                                     \
    X(L1D_ENTRIES, "l1d.mshr.entries", "MSHRs of the L1D", AT_TIMING, STAGE_L1D, IDEAL_LIMITS,     \
      "core.stall.memory.mshr_entry", "l1d.mshr.entries",                                          \
      "the L1D has as many MSHRs as there are misses")                                             \
    X(L1D_MERGE, "l1d.mshr.merge", "merge lists of the L1D", AT_TIMING, STAGE_L1D, IDEAL_LIMITS,   \
      "core.stall.memory.mshr_merge", "l1d.mshr.merge",                                            \
      "any number of requests join a miss of the L1D")                                             \
    X(L1D_MISS_QUEUE, "l1d.miss_queue", "miss queue of the L1D", AT_TIMING, STAGE_L1D,             \
      IDEAL_LIMITS, "core.stall.memory.miss_queue", "l1d.miss_queue",                              \
      "any number of misses wait for the network")                                                 \
    X(L1D_PORTS, "l1d.ports", "ports of the L1D and the load/store unit", AT_TIMING, STAGE_L1D,    \
      IDEAL_LIMITS, "core.stall.memory.port", "l1d.ports",                                         \
      "any number of accesses enter the L1D, are looked up, filled and written back in a cycle, "  \
      "and the load/store unit takes any number of instructions, but one per cycle of those that " \
      "bypass the L1D")                                                                            \
    X(SHARED_BANKS, "shared.banks", "bank conflicts of shared memory", AT_TIMING, 0, IDEAL_LIMITS, \
      "shared.conflicts", NULL, "an access to shared memory takes one cycle of its banks")         \
    X(COALESCE, "coalesce.packed", "lanes that are apart", AT_FUNCTIONAL | AT_TIMING, 0,           \
      IDEAL_LIMITS, "stream.transactions", "coalescer.arch",                                       \
      "the lanes of an instruction access as many bytes, side by side from the first lane's "      \
      "address on: other data than the program's, in the fewest transactions")                     \
    X(COALESCE_JOINED, "coalesce.joined", "several transactions of an instruction", AT_TIMING,     \
      STAGE_L1D, IDEAL_LIMITS, "core.stall.memory.port", "l1d.banks",                              \
      "the transactions of an instruction enter the L1D, are looked up and give their data back "  \
      "together, as one would; each fetches its line for itself, and what passes the L1D goes "    \
      "one by one")                                                                                \
    X(NETWORK_LATENCY, "network.latency", "latency of the network", AT_TIMING, STAGE_STREAM,       \
      IDEAL_LATENCIES, "core.stall.memory.network", "network.kind",                                \
      "a packet waits for its input and its output, and occupies them for a cycle per flit, but "  \
      "passes no stages between them; a crossbar has none, so nothing changes")                    \
    X(NETWORK_BANDWIDTH, "network.bandwidth", "bandwidth of the network", AT_TIMING, STAGE_STREAM, \
      IDEAL_LIMITS, "core.stall.memory.network", "network.flit",                                   \
      "packets of any size cross the network in the time of one flit that waits for nothing, and " \
      "an SM takes any number of replies in a cycle")                                              \
    X(L2_HITS, "l2.hits", "misses of the L2", AT_TIMING, STAGE_L2, IDEAL_HITS,                     \
      "core.stall.memory.dram", "l2.size",                                                         \
      "the L2 has all data and keeps all stores: nothing goes to the DRAM")                        \
    X(L2_CAPACITY, "l2.capacity", "capacity of the L2", AT_FUNCTIONAL | AT_TIMING, STAGE_L2,       \
      IDEAL_HITS, "l2.miss.capacity", "l2.size",                                                   \
      "the L2 has up to 32 times as many ways, so that hardly any line leaves it")                 \
    X(L2_LATENCY, "l2.latency", "latency of the L2 and the way to it", AT_TIMING, STAGE_STREAM,    \
      IDEAL_LATENCIES, "core.stall.memory.l2", "l2.latency",                                       \
      "l2.latency is 0: a request reaches the L2 as soon as it has left the network; so do those " \
      "of page-table walkers, and their replies return as fast")                                   \
    X(L2_MSHR, "l2.mshr", "MSHRs of the L2", AT_TIMING, STAGE_L2, IDEAL_LIMITS,                    \
      "core.stall.memory.l2", "l2.mshr.entries",                                                   \
      "the L2 has MSHRs, merge lists and miss queues without limit")                               \
    X(L2_PORTS, "l2.ports", "ports of the L2", AT_TIMING, STAGE_L2, IDEAL_LIMITS,                  \
      "core.stall.memory.l2", "l2.banks",                                                          \
      "a slice takes, looks up, fills and answers any number of requests in a cycle; what "        \
      "crosses between halves of an L2 takes its time")                                            \
    X(ATOMICS, "atomics", "atomics and partial stores in the L2", AT_TIMING, STAGE_L2,             \
      IDEAL_LATENCIES, "core.stall.memory.l2", "l2.atomic",                                        \
      "an atomic or a store of a part of a sector takes the L2 no longer than any other request")  \
    X(DRAM_LATENCY, "dram.latency", "latency of the DRAM", AT_TIMING, STAGE_STREAM,                \
      IDEAL_LATENCIES, "core.stall.memory.dram", "dram.latency",                                   \
      "data come as soon as the bus is free: rows open, close and turn the bus in no time "        \
      "(dram.latency and the times of rows are 0); a burst occupies the bus for as long as "       \
      "before")                                                                                    \
    X(DRAM_BANDWIDTH, "dram.bandwidth", "bandwidth of the DRAM", AT_TIMING, STAGE_STREAM,          \
      IDEAL_LIMITS, "core.stall.memory.dram", "dram.bus",                                          \
      "any number of requests are served at once, each in the time of a read of a closed row on "  \
      "a channel that does nothing else")                                                          \
    X(DRAM_ROWS, "dram.rows", "rows of the DRAM", AT_TIMING, STAGE_STREAM, IDEAL_HITS,             \
      "dram.activates", "dram.scheduler",                                                          \
      "every access is to the row of its bank that is open; refreshes close it, and turning the "  \
      "bus takes its time")                                                                        \
    X(TRANSLATION, "translation", "address translation", AT_TIMING, STAGE_TLB, IDEAL_HITS,         \
      "core.stall.memory.translation", "page.size",                                                \
      "addresses need no translation (tlb.enabled: no)")                                           \
    X(TLB_CAPACITY, "tlb.capacity", "capacity of the TLBs", AT_FUNCTIONAL | AT_TIMING, STAGE_TLB,  \
      IDEAL_HITS, "core.stall.memory.translation", "tlb.entries",                                  \
      "TLBs keep every page that they have had, so that only the first touch of a page misses in " \
      "each")                                                                                      \
    X(WALKER_COUNT, "walker.count", "page-table walkers", AT_FUNCTIONAL | AT_TIMING, STAGE_PWC,    \
      IDEAL_LIMITS, "walk.wait.mean", "walker.count",                                              \
      "there is a walker for every walk, and room for all that wait")                              \
    X(WALKER_LATENCY, "walker.latency", "latency of page walks", AT_FUNCTIONAL | AT_TIMING,        \
      STAGE_PWC, IDEAL_LATENCIES, "walk.latency.mean", "walker.latency",                           \
      "a walk takes no time once a walker has it, and reads nothing through the L2")               \
    X(L1I_HITS, "l1i.hits", "misses of the L1I", AT_TIMING, 0, IDEAL_HITS,                         \
      "core.stall.instruction", "l1i.size", "every fetch is a hit, and takes as long as one")      \
    X(FETCH, "fetch", "instruction fetch", AT_TIMING, 0, IDEAL_LIMITS, "core.stall.instruction",   \
      "core.fetch", "every warp may fetch in every cycle")                                         \
    X(COLLECTORS, "collectors", "operand collectors", AT_TIMING, 0, IDEAL_LIMITS,                  \
      "core.stall.pipe", "core.collectors",                                                        \
      "64 collectors that all pipes share, each with ports of its own, and no conflicts of "       \
      "register banks")                                                                            \
    X(PIPES, "pipes", "execution units", AT_TIMING, 0, IDEAL_LIMITS, "core.stall.pipe",            \
      "pipe.sp.units",                                                                             \
      "64 units of each pipe, which take an instruction in every cycle, and as many results")      \
    X(EXECUTION, "exec.latency", "latency of the execution pipes", AT_TIMING, 0, IDEAL_LATENCIES,  \
      "core.stall.data", "pipe.sp.latency",                                                        \
      "results leave their unit in the cycle after the instruction came; it occupies its "         \
      "unit for as long as before")                                                                \
    X(FORWARD, "forward", "waiting for results of execution", AT_TIMING, 0, IDEAL_DEPENDENCES,     \
      "core.stall.data", "pipe.sp.latency",                                                        \
      "the result of an instruction, other than a load or an atomic, can be used in the next "     \
      "cycle")                                                                                     \
    X(LOADS, "loads", "waiting for loads", AT_TIMING, 0, IDEAL_DEPENDENCES, "core.stall.memory",   \
      "scheduler.policy",                                                                          \
      "no instruction waits for a load, which still goes to memory; fences, atomics, copies "      \
      "and the end of a warp wait")                                                                \
    X(BARRIERS, "barriers", "barriers", AT_TIMING, 0, IDEAL_DEPENDENCES, "core.stall.barrier",     \
      NULL, "no warp waits at a barrier")                                                          \
    X(IMBALANCE, "imbalance", "uneven work of SMs and schedulers", AT_TIMING, 0,                   \
      IDEAL_DEPENDENCES, "core.imbalance", NULL,                                                   \
      "every warp is a block of its own: warps are dealt one by one to SMs that have room, and "   \
      "wait at no barrier for others; one warp stays on one scheduler")                            \
    X(OCCUPANCY, "occupancy", "room for blocks", AT_TIMING, 0, IDEAL_LIMITS, "occupancy.achieved", \
      "gpu.registers",                                                                             \
      "registers, shared memory and gpu.max_blocks limit no SM, only its threads do; a "           \
      "unified L1D keeps its carve-out")                                                           \
    X(LAUNCH, "launch", "latency of launches", AT_TIMING, 0, IDEAL_LATENCIES, "core.stall.idle",   \
      "gpu.launch_latency",                                                                        \
      "blocks of a launch start at once (gpu.launch_latency and gpu.block_latency are 0)")         \
    X(TILE_QUEUE, "tile.queue", "miss queue and FIFOs of the tile cache", AT_TIMING, STAGE_TILE,   \
      IDEAL_LIMITS, "tile.stall.queue", "tile.queue.entries",                                      \
      "256 misses per bank, 256 requests of each, and FIFOs of 1024")                              \
    X(TILE_LATENCY, "tile.latency", "latency of the memory of the tile cache", AT_TIMING,          \
      STAGE_TILE, IDEAL_LATENCIES, "tile.stall.miss", "tile.latency",                              \
      "a read of the memory takes no longer than its turn on the bus")                             \
    X(TILE_BUS, "tile.bus", "bus of the tile cache", AT_TIMING, STAGE_TILE, IDEAL_LIMITS,          \
      "tile.stall.miss", "tile.bandwidth", "the bus moves 4 KiB per cycle")                        \
    X(TILE_PORTS, "tile.ports", "ports of the tile cache and its execution unit", AT_TIMING,       \
      STAGE_TILE, IDEAL_LIMITS, "tile.stall.writeback", "tile.queue.kind",                         \
      "what a miss queue executes and writes back takes nothing from its bank's look-up")          \
    X(TILE_BANKS, "tile.banks", "uneven banks of the tile cache", AT_TIMING, STAGE_TILE,           \
      IDEAL_LIMITS, "tile.stall.bank", "tile.partition",                                           \
      "a bank with nothing to do in a cycle works for the one where most requests wait, the "      \
      "banks' FIFOs are one, and any of the requests of a cycle may be of one bank")

enum ideal {
#define IDEAL_ENUM(id, ...) IDEAL_##id,
    IDEAL_LIST(IDEAL_ENUM)
#undef IDEAL_ENUM
        IDEAL_COUNT
};

struct ideal_info {
    const char *name, *label;
    unsigned depths; /* of AT_... */
    unsigned stage;  /* of enum stage; 0: SMs that run kernels */
    enum ideal_level level;
    const char *relieves; /* may be NULL */
    const char *knob;     /* may be NULL */
    const char *help;
};

extern const struct ideal_info ideal_table[IDEAL_COUNT];
extern const struct choice ideal_level_table[IDEAL_LEVELS];

/* A set; all zero: none. Members are found by their numbers, so a set means something only to the
 * program that made it: what is written down is the names. */
enum { IDEAL_WORDS = 2 };
struct ideal_set {
    uint64_t words[IDEAL_WORDS];
};
_Static_assert(IDEAL_COUNT <= 64 * IDEAL_WORDS, "a bit each");

static inline bool ideal_has(struct ideal_set set, enum ideal ideal)
{
    return set.words[ideal / 64] >> ideal % 64 & 1;
}
static inline void ideal_add(struct ideal_set *set, enum ideal ideal)
{
    set->words[ideal / 64] |= UINT64_C(1) << ideal % 64;
}
static inline bool ideal_none(struct ideal_set set)
{
    return !(set.words[0] | set.words[1]);
}

/* All that exist at a depth; and of those, the ones whose part `machine` has. */
struct ideal_set ideal_all(enum depth depth);
struct ideal_set ideal_all_of(const struct machine *machine, enum depth depth);

/* The depths at which an ideal exists: "functional or timing". Returns `text`. */
const char *ideal_depths(enum ideal ideal, char text[DEPTH_NAMES]);

/* Finds an ideal by its name. False: there is none, and *nearest (may be NULL) is what was likely
 * meant, or NULL. */
bool ideal_find(const char *name, enum ideal *ideal, const char **nearest);

/* Parses "l1d.hits,dram.latency", or "all" for all that exist at `depth`. STATUS_INVALID: a name is
 * unknown, or does not exist at `depth`; the diagnostics say which, and what is near. */
enum status ideal_parse(const char *text, enum depth depth, struct ideal_set *set,
                        struct diagnostics *diagnostics);
/* Refuses a set with a member that does not exist at `depth`. */
enum status ideal_check(struct ideal_set set, enum depth depth, struct diagnostics *diagnostics);

/* "l1d.hits,dram.latency", in table order; "" for none. Returns `text`. */
enum { IDEAL_TEXT = 32 * IDEAL_COUNT };
const char *ideal_print(struct ideal_set set, char text[IDEAL_TEXT]);
