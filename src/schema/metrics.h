/* The metric table: the only list of what an evaluation answers.
 *
 * Objectives, result columns, CSV headers, JSON, the Live pane and the manual all read it. A new
 * metric is one row of METRIC_LIST, which also declares its field of struct metrics. All values are
 * doubles in base units; counts are exact up to 2^53. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"
#include "schema/parameters.h"
#include "schema/spaces.h"
#include "schema/structures.h"

enum direction { LOWER_IS_BETTER, HIGHER_IS_BETTER, NO_DIRECTION };

/* How a number was obtained. */
enum provenance {
    FROM_STREAM,  /* counted in the access stream, before any cache */
    FROM_MODEL,   /* counted by the depth that ran: exact for the order in which that depth
                   * issues accesses */
    FROM_FORMULA, /* exact arithmetic on the parameters */
    FROM_CACTI,   /* estimated after runs of CACTI 7 (docs/AREA.md) */
    FROM_FPGA     /* estimated after the primitives of UltraScale FPGAs (docs/AREA.md) */
};

/* The clock of METRIC_WALKERS at a depth that has none. */
#define ISSUE_CLOCK                                                                                \
    "issue clock: an SM issues a memory instruction every walker.interval cycles, and none while " \
    "the walk queue is full; no warp waits for its translation, so these are the load of the "     \
    "walkers, not time that a program takes"

/* What a metric costs and what may be concluded from it. */
enum metric_trait {
    METRIC_LOOKUP = 1 << 0,   /* follows from the look-ups and the misses alone, so a pass that
                               * simulates many caches at once answers it
                               * (model/lru/cache_batch.h) */
    METRIC_BOUNDED = 1 << 1,  /* never worse in a cache that hits wherever another hits, so
                               * bounds can be proved (explore/search/bounds.h) */
    METRIC_CLASSES = 1 << 2,  /* needs a second cache or a second run beside the measured one */
    METRIC_OPTIMUM = 1 << 3,  /* needs the future of the stream */
    METRIC_WALKERS = 1 << 4,  /* needs the timing of page walks; without time, by ISSUE_CLOCK */
    METRIC_HEADLINE = 1 << 5, /* shows best what the parameters of its stage change */
    METRIC_TRAFFIC = 1 << 6,  /* like METRIC_LOOKUP, but fewer kinds of passes answer it */
    METRIC_SPARSE = 1 << 7,   /* often 0, so people see it only if it is not */
    METRIC_TOP = 1 << 8,  /* listed early for people like a headline, but no sweep is made for it
                           * alone */
    METRIC_MEAN = 1 << 9, /* of what no other metric counts, so parts of a run do not add up */
    METRIC_EXPLAINED = 1 << 11, /* what a machine is judged by where nobody names a metric: times
                                 * first, then misses of the cache that most stages come before */
    METRIC_REDUCTION = 1 << 10, /* 1 - a ratio to something else, perhaps 0 or less: its geometric
                                 * mean is 1 - that of the ratios */
    METRIC_COMPARED = 1 << 12   /* of two machines: no evaluation answers it, only a comparison
                                 * (metrics_compare) */
};

/* X(path, field, unit, direction, provenance, stage, depths, traits, help). `stage` is the stage
 * that produces the number; the stages that it consumes are simulated with it. `depths` are the
 * depths that answer the metric, provided that they simulate its stage. */
#define AT_ISSUE_CLOCK " (functional: issue clock)" /* METRIC_WALKERS */
#define ANY_DEPTH      (~0u)
#define CACHE_METRICS(X, p, f, stage, who)                                                         \
    X(p ".accesses", f##_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage,                     \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_LOOKUP, "requests that look up the " who)       \
    X(p ".misses", f##_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,                      \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_LOOKUP | METRIC_BOUNDED | METRIC_EXPLAINED,     \
      "requests that miss their line or sector")                                                   \
    X(p ".miss_rate", f##_miss_rate, UNIT_PERCENT, LOWER_IS_BETTER, FROM_MODEL, stage,             \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_LOOKUP | METRIC_BOUNDED | METRIC_HEADLINE,      \
      "misses / accesses of the " who)                                                             \
    X(p ".mpki", f##_mpki, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,                          \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_LOOKUP | METRIC_BOUNDED,                        \
      "misses of the " who " per thousand warp instructions")                                      \
    X(p ".reads", f##_reads, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage,                           \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_LOOKUP, "read requests")                        \
    X(p ".read_misses", f##_read_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,            \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_LOOKUP | METRIC_BOUNDED, "read misses")         \
    X(p ".writes", f##_writes, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage,                         \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP, "write requests")                                  \
    X(p ".write_misses", f##_write_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,          \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP | METRIC_BOUNDED, "write misses")                   \
    X(p ".sector_misses", f##_sector_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,        \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC,                                                   \
      "sector misses: the line is present, the sector is not")                                     \
    X(p ".writebacks", f##_writebacks, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,              \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC, "write-backs: dirty lines evicted or flushed")    \
    X(p ".miss.compulsory", f##_miss_compulsory, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage,       \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_CLASSES,                                        \
      "compulsory misses: first access to the data in this cache")                                 \
    X(p ".miss.flush", f##_miss_flush, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,              \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_CLASSES,                                        \
      "flush misses: first access since a launch flushed the cache")                               \
    X(p ".miss.store", f##_miss_store, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage,                 \
      AT_FUNCTIONAL | AT_TIMING, METRIC_CLASSES,                                                   \
      "store misses, at any cache size: a store did not allocate, invalidated or wrote only part") \
    X(p ".miss.capacity", f##_miss_capacity, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,        \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_CLASSES,                                        \
      "capacity misses: a fully associative LRU cache of the same size misses too")                \
    X(p ".miss.conflict", f##_miss_conflict, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,        \
      AT_FUNCTIONAL | AT_TIMING, METRIC_CLASSES,                                                   \
      "conflict misses: a fully associative LRU cache of the same size hits")                      \
    X(p ".opt.miss_rate", f##_opt_miss_rate, UNIT_PERCENT, LOWER_IS_BETTER, FROM_MODEL, stage,     \
      AT_FUNCTIONAL, METRIC_OPTIMUM,                                                               \
      "miss rate of Belady's optimum under the cache's other rules, a lower bound")                \
    X(p ".opt.bypass.miss_rate", f##_opt_bypass_miss_rate, UNIT_PERCENT, LOWER_IS_BETTER,          \
      FROM_MODEL, stage, AT_FUNCTIONAL, METRIC_OPTIMUM,                                            \
      "the same where loads may bypass: no policy of replacement and bypass misses less")          \
    X(p ".read_bytes", f##_read_bytes, UNIT_BYTES, LOWER_IS_BETTER, FROM_MODEL, stage,             \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC, "bytes fetched from the next level")              \
    X(p ".write_bytes", f##_write_bytes, UNIT_BYTES, LOWER_IS_BETTER, FROM_MODEL, stage,           \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC, "bytes sent to the next level")                   \
    X(p ".bytes", f##_bytes, UNIT_BYTES, NO_DIRECTION, FROM_MODEL, stage, AT_TIMING, 0,            \
      "bytes read and written by its requests")                                                    \
    X(p ".bandwidth", f##_bandwidth, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage, AT_TIMING, 0,     \
      p ".bytes per core cycle")                                                                   \
    X(p ".pending_hits", f##_pending_hits, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage,             \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP | METRIC_SPARSE,                                    \
      "pending hits: requests merged with a line in flight, neither hits nor misses")              \
    X(p ".fails", f##_fails, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage, AT_TIMING, 0,          \
      "reservation fails: cycles in which a bank could not accept its next request")               \
    X(p ".fail.line", f##_fail_line, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage, AT_TIMING, 0,  \
      "reservation fails: every line of the set is reserved")                                      \
    X(p ".fail.miss_queue", f##_fail_miss_queue, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,    \
      AT_TIMING, 0, "reservation fails: the miss queue is full")                                   \
    X(p ".fail.mshr_entry", f##_fail_mshr_entry, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,    \
      AT_TIMING, 0, "reservation fails: no MSHR is free")                                          \
    X(p ".fail.mshr_merge", f##_fail_mshr_merge, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage,    \
      AT_TIMING, 0, "reservation fails: the MSHR of the block can merge no more")                  \
    X(p ".fail.write", f##_fail_write, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage, AT_TIMING,   \
      0, "reservation fails: a read waits for a write to its block")                               \
    X(p ".fail.port", f##_fail_port, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, stage, AT_TIMING, 0,  \
      "port conflicts: cycles in which a bank or the data port is busy")

/* What the cycles of an SM's schedulers were for: ROW(X, field, name, help). They add up to all
 * cycles of schedulers on SMs that have warps. */
#define SLOT_LIST(ROW, X)                                                                          \
    ROW(X, issued, "core.issued", "an instruction issued")                                         \
    ROW(X, data, "core.stall.data", "stalled on results of execution pipes")                       \
    ROW(X, memory, "core.stall.memory", "stalled on memory")                                       \
    ROW(X, pipe, "core.stall.pipe", "stalled on a busy execution pipe")                            \
    ROW(X, barrier, "core.stall.barrier", "stalled at barriers and fences")                        \
    ROW(X, instruction, "core.stall.instruction", "stalled on instruction fetch")                  \
    ROW(X, idle, "core.stall.idle", "no warp left to issue")

/* What core.stall.memory waited for. They add up to it. */
#define MEMORY_SLOT_LIST(ROW, X)                                                                   \
    ROW(X, l1d, "core.stall.memory.l1d", "path through the load/store unit and the L1D")           \
    ROW(X, line, "core.stall.memory.line", "L1D reservation fails: no line to reserve")            \
    ROW(X, miss_queue, "core.stall.memory.miss_queue", "L1D reservation fails: miss queue full")   \
    ROW(X, mshr_entry, "core.stall.memory.mshr_entry", "L1D reservation fails: no free MSHR")      \
    ROW(X, mshr_merge, "core.stall.memory.mshr_merge",                                             \
        "L1D reservation fails: MSHR can merge no more")                                           \
    ROW(X, port, "core.stall.memory.port", "bank conflicts in the L1D or shared memory")           \
    ROW(X, write, "core.stall.memory.write", "L1D reservation fails: write to the same block")     \
    ROW(X, network, "core.stall.memory.network", "interconnect and its queues")                    \
    ROW(X, l2, "core.stall.memory.l2", "L2 and its queues")                                        \
    ROW(X, dram, "core.stall.memory.dram", "DRAM and its queues")                                  \
    ROW(X, translation, "core.stall.memory.translation", "address translation")

/* How much of a limit is in use (model/timing/base/gauge.h): its mean over time, in all instances,
 * and the most in any one. ROW(X, field, path of the limit, stage, what is counted). */
#define CACHE_GAUGES(ROW, X, p, f, stage, who)                                                     \
    ROW(X, f##_mshr_entries, p ".mshr.entries", stage, "MSHRs in use, of an " who)                 \
    ROW(X, f##_mshr_merge, p ".mshr.merge", stage, "requests in an MSHR of an " who " in use")     \
    ROW(X, f##_miss_queue, p ".miss_queue", stage, "packets in the miss queue of an " who)
#define CORE_GAUGES(ROW, X)                                                                        \
    ROW(X, core_collectors, "core.collectors", STAGE_STREAM, "operand collectors in use per SM")   \
    ROW(X, core_responses, "core.responses", STAGE_STREAM,                                         \
        "replies that wait for the load/store unit of an SM")
#define L2_GAUGES(ROW, X)                                                                          \
    CACHE_GAUGES(ROW, X, "l2", l2, STAGE_L2, "L2 slice")                                           \
    ROW(X, l2_queue_in, "l2.queue.in", STAGE_L2, "requests that wait for the tags of an L2 slice") \
    ROW(X, l2_queue_out, "l2.queue.out", STAGE_L2,                                                 \
        "replies of an L2 slice that wait for the network")                                        \
    ROW(X, l2_queue_to_dram, "l2.queue.to_dram", STAGE_L2,                                         \
        "requests of an L2 slice that wait for the DRAM")                                          \
    ROW(X, l2_queue_from_dram, "l2.queue.from_dram", STAGE_L2,                                     \
        "DRAM replies that wait for an L2 slice")
#define NETWORK_GAUGES(ROW, X)                                                                     \
    ROW(X, network_requests, "network.requests", STAGE_STREAM,                                     \
        "packets that wait at an input of the network on the way to memory")                       \
    ROW(X, network_replies, "network.replies", STAGE_STREAM,                                       \
        "packets that wait at an input of the network on the way to SMs")
#define DRAM_GAUGES(ROW, X)                                                                        \
    ROW(X, dram_queue, "dram.queue", STAGE_STREAM, "requests that wait in a controller")           \
    ROW(X, dram_returns, "dram.returns", STAGE_STREAM,                                             \
        "replies in a controller that wait for the L2")
#define WALKER_GAUGES(ROW, X)                                                                      \
    ROW(X, walker_count, "walker.count", STAGE_PWC, "page-table walkers in use")                   \
    ROW(X, walker_queue, "walker.queue", STAGE_PWC, "walks that wait for a walker")
#define GAUGE_LIST(ROW, X)                                                                         \
    CORE_GAUGES(ROW, X)                                                                            \
    CACHE_GAUGES(ROW, X, "l1d", l1d, STAGE_L1D, "L1D")                                             \
    L2_GAUGES(ROW, X)                                                                              \
    NETWORK_GAUGES(ROW, X)                                                                         \
    DRAM_GAUGES(ROW, X)                                                                            \
    CACHE_GAUGES(ROW, X, "l1i", l1i, STAGE_L1I, "L1I")                                             \
    WALKER_GAUGES(ROW, X)

#define GAUGE_METRICS(X, field, path, stage, what)                                                 \
    X(path ".mean", field##_mean, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage, AT_TIMING,           \
      METRIC_MEAN, "mean number of " what)                                                         \
    X(path ".max", field##_max, UNIT_NONE, NO_DIRECTION, FROM_MODEL, stage, AT_TIMING,             \
      METRIC_MEAN, "largest number of " what)

#define GAUGE_ENUM(X, field, ...) GAUGE_##field,
enum gauge_place { GAUGE_LIST(GAUGE_ENUM, ) GAUGE_COUNT };

#define SLOT_METRIC(X, field, name, what)                                                          \
    X(name, core_slots_##field, UNIT_PERCENT,                                                      \
      SLOT_##field == SLOT_issued ? HIGHER_IS_BETTER : LOWER_IS_BETTER, FROM_MODEL, STAGE_STREAM,  \
      AT_TIMING, 0, "share of scheduler cycles: " what)
#define MEMORY_SLOT_METRIC(X, field, name, what)                                                   \
    X(name, core_memory_##field, UNIT_PERCENT, LOWER_IS_BETTER, FROM_MODEL, STAGE_STREAM,          \
      AT_TIMING, 0, "share of core.stall.memory: " what)

#define SLOT_ENUM(X, field, ...)        SLOT_##field,
#define MEMORY_SLOT_ENUM(X, field, ...) MEMORY_SLOT_##field,
enum core_slot { SLOT_LIST(SLOT_ENUM, ) SLOT_COUNT };
enum memory_slot { MEMORY_SLOT_LIST(MEMORY_SLOT_ENUM, ) MEMORY_SLOT_COUNT };

/* The metrics of each row of STRUCTURE_LIST. Those of the area stage come first; the energy of a
 * run follows from them and from the counts of accesses and fills. */
#define ARRAY_METRICS(X, p, f, from, copies, traits, accesses, fills, who, one)                    \
    X(p ".bits", f##_bits, UNIT_BITS, LOWER_IS_BETTER, FROM_FORMULA, STAGE_AREA, ANY_DEPTH,        \
      traits, "storage bits of " who)                                                              \
    X(p ".area", f##_area, UNIT_AREA, LOWER_IS_BETTER, FROM_CACTI, STAGE_AREA, ANY_DEPTH, traits,  \
      "silicon area of " who)                                                                      \
    X(p ".access_time", f##_access_time, UNIT_SECONDS, LOWER_IS_BETTER, FROM_CACTI, STAGE_AREA,    \
      ANY_DEPTH, traits, "time of one access to " one)                                             \
    X(p ".read_energy", f##_read_energy, UNIT_JOULES, LOWER_IS_BETTER, FROM_CACTI, STAGE_AREA,     \
      ANY_DEPTH, traits, "energy of one read of " one)                                             \
    X(p ".fill_energy", f##_fill_energy, UNIT_JOULES, LOWER_IS_BETTER, FROM_CACTI, STAGE_AREA,     \
      ANY_DEPTH, traits, "energy of one fill of " one)                                             \
    X(p ".leakage", f##_leakage, UNIT_WATTS, LOWER_IS_BETTER, FROM_CACTI, STAGE_AREA, ANY_DEPTH,   \
      traits, "leakage power of " who)                                                             \
    X(p ".energy", f##_energy, UNIT_JOULES, LOWER_IS_BETTER, FROM_CACTI, from,                     \
      AT_FUNCTIONAL | AT_REUSE | AT_TIMING, traits,                                                \
      p ".read_energy x accesses + " p ".fill_energy x fills of a run, all instances together")

#define SPACE_METRIC(X, constant, name, record, data, what)                                        \
    X("stream.records." #name, stream_records_##name, UNIT_NONE, NO_DIRECTION, FROM_STREAM,        \
      STAGE_STREAM, AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_SPARSE,                           \
      "memory instructions that access " what)

#define METRIC_LIST(X)                                                                             \
    X("stream.warp_instructions", stream_warp_instructions, UNIT_NONE, NO_DIRECTION, FROM_STREAM,  \
      STAGE_STREAM, AT_FUNCTIONAL | AT_REUSE | AT_TIMING, 0,                                       \
      "warp instructions issued, of every kind")                                                   \
    X("stream.memory_instructions", stream_memory_instructions, UNIT_NONE, NO_DIRECTION,           \
      FROM_STREAM, STAGE_STREAM, AT_FUNCTIONAL | AT_REUSE | AT_TIMING, 0,                          \
      "warp instructions that access memory, in every space")                                      \
    SPACE_LIST(SPACE_METRIC, X)                                                                    \
    X("stream.loads.global", stream_loads_global, UNIT_NONE, NO_DIRECTION, FROM_STREAM,            \
      STAGE_STREAM, AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_SPARSE,                           \
      "global load instructions")                                                                  \
    X("stream.stores.global", stream_stores_global, UNIT_NONE, NO_DIRECTION, FROM_STREAM,          \
      STAGE_STREAM, AT_FUNCTIONAL | AT_REUSE | AT_TIMING, METRIC_SPARSE,                           \
      "global store instructions, without atomics")                                                \
    X("stream.thread_accesses", stream_thread_accesses, UNIT_NONE, NO_DIRECTION, FROM_STREAM,      \
      STAGE_STREAM, AT_FUNCTIONAL | AT_REUSE | AT_TIMING, 0,                                       \
      "thread accesses: active lanes of memory instructions")                                      \
    X("stream.transactions", stream_transactions, UNIT_NONE, LOWER_IS_BETTER, FROM_STREAM,         \
      STAGE_STREAM, AT_FUNCTIONAL | AT_TIMING, 0,                                                  \
      "memory transactions: requests after coalescing")                                            \
    X("stream.past_l1", stream_past_l1, UNIT_NONE, LOWER_IS_BETTER, FROM_STREAM, STAGE_STREAM,     \
      AT_FUNCTIONAL | AT_TIMING, METRIC_SPARSE,                                                    \
      "transactions of loads that bypass the L1D as the code says (volatile)")                     \
    X("stream.transactions_per_instruction", stream_transactions_per_instruction, UNIT_NONE,       \
      LOWER_IS_BETTER, FROM_STREAM, STAGE_STREAM, AT_FUNCTIONAL | AT_TIMING, 0,                    \
      "memory transactions per memory instruction")                                                \
    X("occupancy.blocks", occupancy_blocks, UNIT_NONE, HIGHER_IS_BETTER, FROM_FORMULA,             \
      STAGE_STREAM, AT_FUNCTIONAL | AT_TIMING, 0,                                                  \
      "theoretical occupancy: thread blocks per SM, mean over launches weighted by blocks")        \
    X("occupancy.warps", occupancy_warps, UNIT_NONE, HIGHER_IS_BETTER, FROM_FORMULA, STAGE_STREAM, \
      AT_FUNCTIONAL | AT_TIMING, 0, "theoretical occupancy: warps per SM, likewise")               \
    X("occupancy.mean_warps", occupancy_mean_warps, UNIT_NONE, HIGHER_IS_BETTER, FROM_STREAM,      \
      STAGE_STREAM, AT_FUNCTIONAL, METRIC_MEAN,                                                    \
      "resident warps per SM, mean over SMs and rounds of issue")                                  \
    X("core.cycles", core_cycles, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_STREAM,          \
      AT_TIMING, METRIC_HEADLINE, "cycles of all launches, back to back")                          \
    X("core.time", core_time, UNIT_SECONDS, LOWER_IS_BETTER, FROM_MODEL, STAGE_STREAM, AT_TIMING,  \
      METRIC_EXPLAINED, "core.cycles / gpu.clock")                                                 \
    X("core.ipc", core_ipc, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_STREAM, AT_TIMING,      \
      METRIC_TOP, "warp instructions per cycle, all SMs together")                                 \
    X("core.thread_instructions", core_thread_instructions, UNIT_NONE, NO_DIRECTION, FROM_STREAM,  \
      STAGE_STREAM, AT_TIMING, 0, "thread instructions: active lanes of warp instructions")        \
    X("occupancy.achieved", occupancy_achieved, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL,        \
      STAGE_STREAM, AT_TIMING, 0,                                                                  \
      "achieved occupancy: resident / maximum warps per SM, mean over SM cycles")                  \
    SLOT_LIST(SLOT_METRIC, X)                                                                      \
    MEMORY_SLOT_LIST(MEMORY_SLOT_METRIC, X)                                                        \
    X("memory.latency.mean", memory_latency_mean, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL,        \
      STAGE_STREAM, AT_TIMING, 0, "mean load latency, from issue until the last data arrive")      \
    X("memory.latency.p50", memory_latency_p50, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL,          \
      STAGE_STREAM, AT_TIMING, 0, "median load latency")                                           \
    X("memory.latency.p99", memory_latency_p99, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL,          \
      STAGE_STREAM, AT_TIMING, 0, "99th percentile of load latency")                               \
    X("shared.conflicts", shared_conflicts, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_STREAM,  \
      AT_TIMING, 0, "shared-memory bank conflicts: cycles beyond one per access")                  \
    X("core.bound", core_bound, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_STREAM, AT_TIMING, \
      METRIC_MEAN,                                                                                 \
      "cycles that issue alone takes: per launch, the most instructions of a scheduler / "         \
      "scheduler.issue")                                                                           \
    X("core.imbalance", core_imbalance, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_STREAM,      \
      AT_TIMING, METRIC_MEAN,                                                                      \
      "core.bound / what it would be if every scheduler issued as many instructions")              \
    CORE_GAUGES(GAUGE_METRICS, X)                                                                  \
    CACHE_METRICS(X, "l1d", l1d, STAGE_L1D, "L1D")                                                 \
    CACHE_GAUGES(GAUGE_METRICS, X, "l1d", l1d, STAGE_L1D, "L1D")                                   \
    X("l1d.busy", l1d_busy, UNIT_PERCENT, NO_DIRECTION, FROM_MODEL, STAGE_L1D, AT_TIMING, 0,       \
      "bank utilisation: look-ups / those that the banks have time for")                           \
    X("l1d.hw_misses", l1d_hw_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1D,           \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "misses as profilers count sectors: loads that miss the sector, stores that miss the line")  \
    X("l1d.hw_hit_rate", l1d_hw_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_L1D,   \
      AT_FUNCTIONAL | AT_TIMING, 0, "1 - l1d.hw_misses / l1d.accesses, as profilers report it")    \
    X("l1d.tag_reads", l1d_tag_reads, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1D,           \
      AT_TIMING, METRIC_SPARSE, "tag reads: accesses that read the tags (l1d.same_line)")          \
    X("l1d.miss.associativity", l1d_miss_associativity, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL,    \
      STAGE_L1D, AT_REUSE, METRIC_CLASSES,                                                         \
      "associativity misses: a fully associative L1D would hit (depth reuse)")                     \
    X("l1d.miss.latency", l1d_miss_latency, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1D,     \
      AT_REUSE, METRIC_CLASSES,                                                                    \
      "latency misses: an L1D with instant fills would hit (depth reuse)")                         \
    X("l1d.miss.mshr", l1d_miss_mshr, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1D, AT_REUSE, \
      METRIC_CLASSES, "MSHR misses: an L1D with unlimited MSHRs would hit (depth reuse)")          \
    X("l1d.bypass.accesses", l1d_bypass_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L1D,  \
      AT_TIMING, METRIC_SPARSE, "load misses and pending hits that bypass the L1D")                \
    X("l1d.bypass.pcs", l1d_bypass_pcs, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L1D, AT_TIMING, \
      METRIC_SPARSE, "load PCs with bypassed accesses on any SM")                                  \
    X("l1d.reuse.run0.misses", l1d_reuse_run0_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL,      \
      STAGE_L1D, AT_REUSE, 0, "misses of the machine as configured (depth reuse)")                 \
    X("l1d.reuse.run1.misses", l1d_reuse_run1_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL,      \
      STAGE_L1D, AT_REUSE, METRIC_CLASSES, "misses with a fully associative L1D (depth reuse)")    \
    X("l1d.reuse.run2.misses", l1d_reuse_run2_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL,      \
      STAGE_L1D, AT_REUSE, METRIC_CLASSES, "misses with zero latencies (depth reuse)")             \
    X("l1d.reuse.run3.misses", l1d_reuse_run3_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL,      \
      STAGE_L1D, AT_REUSE, METRIC_CLASSES, "misses with unlimited MSHRs (depth reuse)")            \
    X("l1d.reuse.joined", l1d_reuse_joined, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L1D,        \
      AT_REUSE, 0, "pending hits: l1d.misses merged with a line in flight (depth reuse)")          \
    X("l1d.reuse.refused", l1d_reuse_refused, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1D,   \
      AT_REUSE, 0, "MSHR stalls: times that a warp found no MSHR free (depth reuse)")              \
    X("l1d.reuse.ticks", l1d_reuse_ticks, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1D,       \
      AT_REUSE, 0,                                                                                 \
      "issue slots until the last warp ends, summed over SMs and launches (depth reuse)")          \
    CACHE_METRICS(X, "l2", l2, STAGE_L2, "L2")                                                     \
    L2_GAUGES(GAUGE_METRICS, X)                                                                    \
    X("l2.busy", l2_busy, UNIT_PERCENT, NO_DIRECTION, FROM_MODEL, STAGE_L2, AT_TIMING, 0,          \
      "slice utilisation: look-ups / one per slice and cycle")                                     \
    X("l2.port.busy", l2_port_busy, UNIT_PERCENT, NO_DIRECTION, FROM_MODEL, STAGE_L2, AT_TIMING,   \
      0, "share of cycles in which the data port of a slice is taken (l2.port)")                   \
    X("l2.hw_hit_rate", l2_hw_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_L2,      \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "1 - l2.hw_misses / l2.lookups, as profilers report it: writes hit")                         \
    X("l2.crossings", l2_crossings, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L2,              \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "reads that cross from the near half to the far one (l2.halves)")                            \
    X("l2.crossing_misses", l2_crossing_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L2,  \
      AT_FUNCTIONAL | AT_TIMING, 0, "l2.misses of l2.crossings")                                   \
    X("l2.lookups", l2_lookups, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L2,                     \
      AT_FUNCTIONAL | AT_TIMING, 0, "l2.accesses + l2.crossings: both halves look up the tags")    \
    X("l2.hw_misses", l2_hw_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L2,              \
      AT_FUNCTIONAL | AT_TIMING, 0, "l2.read_misses + l2.crossings, as profilers count")           \
    X("l2.walk_accesses", l2_walk_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L2,         \
      AT_FUNCTIONAL | AT_TIMING, 0, "l2.accesses of page walks (walker.l2)")                       \
    X("l2.walk_misses", l2_walk_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L2,          \
      AT_FUNCTIONAL | AT_TIMING, 0, "l2.misses of page walks")                                     \
    X("network.bytes", network_bytes, UNIT_BYTES, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1D,          \
      AT_TIMING, 0, "interconnect traffic between SMs and L2 slices, both ways")                   \
    X("network.bandwidth", network_bandwidth, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L1D,      \
      AT_TIMING, 0, "network.bytes per core cycle")                                                \
    NETWORK_GAUGES(GAUGE_METRICS, X)                                                               \
    X("network.requests.busy", network_requests_busy, UNIT_PERCENT, NO_DIRECTION, FROM_MODEL,      \
      STAGE_STREAM, AT_TIMING, 0,                                                                  \
      "utilisation of the outputs to slices, of flits where the network has them")                 \
    X("network.replies.busy", network_replies_busy, UNIT_PERCENT, NO_DIRECTION, FROM_MODEL,        \
      STAGE_STREAM, AT_TIMING, 0, "utilisation of the outputs to SMs, likewise")                   \
    X("dram.reads", dram_reads, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L2, AT_TIMING, 0,    \
      "read bursts")                                                                               \
    X("dram.writes", dram_writes, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L2, AT_TIMING, 0,  \
      "write bursts")                                                                              \
    X("dram.activates", dram_activates, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L2,          \
      AT_TIMING, 0, "row activations")                                                             \
    X("dram.bytes", dram_bytes, UNIT_BYTES, LOWER_IS_BETTER, FROM_MODEL, STAGE_L2, AT_TIMING, 0,   \
      "DRAM traffic, reads and writes")                                                            \
    X("dram.bandwidth", dram_bandwidth, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L2, AT_TIMING,  \
      0, "dram.bytes per core cycle")                                                              \
    X("dram.busy", dram_busy, UNIT_PERCENT, NO_DIRECTION, FROM_MODEL, STAGE_L2, AT_TIMING, 0,      \
      "data bus utilisation: share of channel cycles with data transfers")                         \
    DRAM_GAUGES(GAUGE_METRICS, X)                                                                  \
    X("tlb.accesses", tlb_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TLB,                \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP,                                                    \
      "TLB look-ups: distinct pages per memory instruction")                                       \
    X("tlb.misses", tlb_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TLB,                 \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP | METRIC_BOUNDED | METRIC_EXPLAINED, "TLB misses")  \
    X("tlb.hit_rate", tlb_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_TLB,         \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP | METRIC_BOUNDED | METRIC_HEADLINE,                 \
      "hits / accesses of the TLBs")                                                               \
    X("tlb.mpki", tlb_mpki, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TLB,                     \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP | METRIC_BOUNDED,                                   \
      "misses of the TLBs per thousand warp instructions")                                         \
    X("l1i.accesses", l1i_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L1I,                \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "instruction fetches; at depth timing core.decode instructions each")                        \
    X("l1i.misses", l1i_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1I,                 \
      AT_FUNCTIONAL | AT_TIMING, 0, "fetches that miss")                                           \
    X("l1i.miss_rate", l1i_miss_rate, UNIT_PERCENT, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1I,        \
      AT_FUNCTIONAL | AT_TIMING, METRIC_HEADLINE, "misses / accesses of the L1I")                  \
    X("l1i.mpki", l1i_mpki, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1I,                     \
      AT_FUNCTIONAL | AT_TIMING, 0, "misses of the L1I per thousand warp instructions")            \
    X("l1i.pending_hits", l1i_pending_hits, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L1I,        \
      AT_TIMING, 0, "pending hits: fetches merged with a line in flight, neither hits nor misses") \
    X("l1i.tag_reads", l1i_tag_reads, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1I,           \
      AT_FUNCTIONAL | AT_TIMING, 0, "tag reads: fetches that read the tags (l1i.same_line)")       \
    X("l1i.buffer_hits", l1i_buffer_hits, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_L1I,      \
      AT_FUNCTIONAL | AT_TIMING, 0, "l1i.misses served by the stream buffer (l1i.buffer)")         \
    X("l1i.prefetches", l1i_prefetches, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1I,         \
      AT_FUNCTIONAL | AT_TIMING, 0, "lines prefetched by the stream buffer")                       \
    X("l1i.l0.accesses", l1i_l0_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L1I,          \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "fetches that look up the L0s (l1i.l0.size); their misses are l1i.accesses")                 \
    X("l1i.l0.misses", l1i_l0_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1I,           \
      AT_FUNCTIONAL | AT_TIMING, 0, "fetches that miss the L0s")                                   \
    X("l1i.l0.pending_hits", l1i_l0_pending_hits, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_L1I,  \
      AT_TIMING, 0, "pending hits: fetches merged with a line in flight to the L0")                \
    CACHE_GAUGES(GAUGE_METRICS, X, "l1i", l1i, STAGE_L1I, "L1I")                                   \
    X("l1i.fails", l1i_fails, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_L1I, AT_TIMING, 0,     \
      "reservation fails: cycles in which the L1I could not accept a fetch")                       \
    X("l2tlb.accesses", l2tlb_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_PWC,            \
      AT_FUNCTIONAL | AT_TIMING, 0, "L2 TLB look-ups: translations that miss the TLB of their SM") \
    X("l2tlb.misses", l2tlb_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC,             \
      AT_FUNCTIONAL | AT_TIMING, 0, "L2 TLB misses")                                               \
    X("l2tlb.hit_rate", l2tlb_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_PWC,     \
      AT_FUNCTIONAL | AT_TIMING, 0, "hits / accesses of the L2 TLB")                               \
    X("pwc.l4.hit_rate", pwc_l4_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_PWC,   \
      AT_FUNCTIONAL | AT_TIMING, 0, "share of walks that hit at L4 in the page-walk cache")        \
    X("pwc.l3.hit_rate", pwc_l3_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_PWC,   \
      AT_FUNCTIONAL | AT_TIMING, 0, "share of walks that hit at L4 and L3")                        \
    X("pwc.l2.hit_rate", pwc_l2_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_PWC,   \
      AT_FUNCTIONAL | AT_TIMING, 0, "share of walks that hit at L4, L3 and L2")                    \
    X("pwc.cycles", pwc_cycles, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC, AT_FUNCTIONAL,  \
      0, "look-up cycles of the page-walk cache alone: one per walk; uptc: per level looked up")   \
    X("pwc.lookup_cycles", pwc_lookup_cycles, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC,   \
      AT_FUNCTIONAL, 0, "pwc.cycles per walk")                                                     \
    X("pwc.redundancy", pwc_redundancy, UNIT_PERCENT, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC,      \
      AT_FUNCTIONAL, 0,                                                                            \
      "redundancy: share of stored index and address bits that repeat others, over all walks")     \
    X("walk.memory_accesses", walk_memory_accesses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL,        \
      STAGE_PWC, AT_FUNCTIONAL | AT_TIMING, 0,                                                     \
      "memory accesses of page walks: page-table entries read")                                    \
    X("walk.accesses_per_walk", walk_accesses_per_walk, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL,    \
      STAGE_PWC, AT_FUNCTIONAL | AT_TIMING, METRIC_HEADLINE, "page-table entries read per walk")   \
    X("walk.tpc_accesses", walk_tpc_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_PWC,      \
      AT_FUNCTIONAL, 0,                                                                            \
      "page-table entries that a TPC of at least as many bits reads on the same walks")            \
    X("walk.reduction", walk_reduction, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_PWC,     \
      AT_FUNCTIONAL, METRIC_TOP | METRIC_REDUCTION,                                                \
      "1 - walk.memory_accesses / walk.tpc_accesses")                                              \
    X("walk.count", walk_count, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC,                 \
      AT_FUNCTIONAL | AT_TIMING, 0, "page walks")                                                  \
    X("walk.merged", walk_merged, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_PWC,                  \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "requests merged into another walk of their page (walker.merge)")                            \
    X("walk.wait.mean", walk_wait_mean, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC,       \
      AT_FUNCTIONAL | AT_TIMING, METRIC_WALKERS,                                                   \
      "mean queueing time of a walk, from issue until a walker starts" AT_ISSUE_CLOCK)             \
    X("walk.wait.p99", walk_wait_p99, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC,         \
      AT_FUNCTIONAL, METRIC_WALKERS,                                                               \
      "99th percentile of the queueing time of a walk, rounded up by at most 1/64" AT_ISSUE_CLOCK) \
    X("walk.latency.mean", walk_latency_mean, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC, \
      AT_FUNCTIONAL | AT_TIMING, METRIC_WALKERS,                                                   \
      "mean latency of a TLB miss, from issue until its translation arrives" AT_ISSUE_CLOCK)       \
    X("walk.instruction.latency", walk_instruction_latency, UNIT_CYCLES, LOWER_IS_BETTER,          \
      FROM_MODEL, STAGE_PWC, AT_FUNCTIONAL, METRIC_WALKERS,                                        \
      "mean translation latency of an instruction, until its last TLB miss is "                    \
      "served" AT_ISSUE_CLOCK)                                                                     \
    WALKER_GAUGES(GAUGE_METRICS, X)                                                                \
    X("walker.busy", walker_busy, UNIT_PERCENT, NO_DIRECTION, FROM_MODEL, STAGE_PWC,               \
      AT_FUNCTIONAL, METRIC_WALKERS,                                                               \
      "walker utilisation: share of walker cycles spent on walks" AT_ISSUE_CLOCK)                  \
    X("walker.stall", walker_stall, UNIT_PERCENT, LOWER_IS_BETTER, FROM_MODEL, STAGE_PWC,          \
      AT_FUNCTIONAL, METRIC_WALKERS,                                                               \
      "share of cycles in which the full walk queue stalls issue" AT_ISSUE_CLOCK)                  \
    X("tile.requests", tile_requests, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,             \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP,                                                    \
      "line requests to colour and depth surfaces, in primitive order")                            \
    X("tile.cleared", tile_cleared, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,               \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP,                                                    \
      "requests that the clear bits answer: tests of cleared lines without a write")               \
    X("tile.accesses", tile_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,             \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP, "requests that look up the tile cache")            \
    X("tile.misses", tile_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,              \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP | METRIC_EXPLAINED,                                 \
      "accesses that miss; timing: also those that follow a miss of their line in the queue")      \
    X("tile.hit_rate", tile_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL, STAGE_TILE,      \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP | METRIC_HEADLINE,                                  \
      "hits / accesses of the tile cache")                                                         \
    X("tile.bus_reads", tile_bus_reads, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,        \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC,                                                   \
      "lines read from memory, or from the L2 beyond the banks")                                   \
    X("tile.writebacks", tile_writebacks, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,      \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC,                                                   \
      "write-backs of dirty lines, also at the end of each pass")                                  \
    X("tile.read_bytes", tile_read_bytes, UNIT_BYTES, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,     \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC, "bytes read from memory")                         \
    X("tile.write_bytes", tile_write_bytes, UNIT_BYTES, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,   \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC, "bytes written to memory")                        \
    X("tile.external_bytes", tile_external_bytes, UNIT_BYTES, LOWER_IS_BETTER, FROM_MODEL,         \
      STAGE_TILE, AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC | METRIC_TOP,                          \
      "tile.read_bytes + tile.write_bytes")                                                        \
    X("tile.l2.accesses", tile_l2_accesses, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,       \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC | METRIC_SPARSE,                                   \
      "reads and write-backs of the banks that look up the L2")                                    \
    X("tile.l2.misses", tile_l2_misses, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,        \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC | METRIC_SPARSE,                                   \
      "reads of the banks that miss in the L2 beyond them")                                        \
    X("tile.l2.hit_rate", tile_l2_hit_rate, UNIT_PERCENT, HIGHER_IS_BETTER, FROM_MODEL,            \
      STAGE_TILE, AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC | METRIC_SPARSE,                       \
      "hits of this L2 / tile.bus_reads")                                                          \
    X("tile.bin_bytes", tile_bin_bytes, UNIT_BYTES, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,       \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "traffic of the primitive lists per block, writes and reads (binned)")                       \
    X("tile.eliminated", tile_eliminated, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,         \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "eliminated transactions: blocks equal to memory, not written (tile.bin.eliminate)")         \
    X("tile.load.most", tile_load_most, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,        \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP, "requests of the most loaded bank")                \
    X("tile.imbalance", tile_imbalance, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,        \
      AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP,                                                    \
      "load imbalance: requests of the most loaded bank / mean of banks")                          \
    X("tile.imbalance.window", tile_imbalance_window, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL,      \
      STAGE_TILE, AT_FUNCTIONAL | AT_TIMING, METRIC_LOOKUP,                                        \
      "load imbalance within 64 consecutive requests, mean over the frame")                        \
    X("tile.chained", tile_chained, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_TILE,           \
      AT_TIMING, 0, "misses chained to an earlier one of their line: bus reads saved")             \
    X("tile.chain.mean", tile_chain_mean, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,         \
      AT_TIMING, 0, "mean chain length, in requests")                                              \
    X("tile.chain.max", tile_chain_max, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,           \
      AT_TIMING, 0, "longest chain, in requests")                                                  \
    X("tile.unread", tile_unread, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_TILE, AT_TIMING,  \
      0, "misses without a read: whole-line writes and cleared lines")                             \
    X("tile.prefetches", tile_prefetches, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,         \
      AT_TIMING, 0, "lines read ahead of their requests (tile.prefetch)")                          \
    X("tile.cache_writes", tile_cache_writes, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,  \
      AT_TIMING, 0, "writes of results to the data array")                                         \
    X("tile.refills", tile_refills, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE, AT_TIMING, \
      0, "refills: lines written to the data array before use")                                    \
    X("tile.tag_updates", tile_tag_updates, UNIT_NONE, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,    \
      AT_TIMING, 0, "tag updates")                                                                 \
    X("tile.stall.queue", tile_stall_queue, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,  \
      AT_TIMING, 0, "look-up stalls of banks: miss queue full, sum over banks")                    \
    X("tile.stall.miss", tile_stall_miss, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,    \
      AT_TIMING, 0, "look-up stalls: an earlier miss (blocking)")                                  \
    X("tile.stall.writeback", tile_stall_writeback, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL,      \
      STAGE_TILE, AT_TIMING, 0, "look-up stalls: ports busy with a queued result")                 \
    X("tile.stall.execute", tile_stall_execute, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL,          \
      STAGE_TILE, AT_TIMING, 0, "look-up stalls of hits: a queued request executes")               \
    X("tile.stall.input", tile_stall_input, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,  \
      AT_TIMING, 0, "rasteriser stalls: input FIFO of the next bank full")                         \
    X("tile.stall.bank", tile_stall_bank, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE,    \
      AT_TIMING, 0,                                                                                \
      "rasteriser stalls: bank conflict, the bank has accepted a request in this cycle")           \
    X("tile.queue.mean", tile_queue_mean, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,         \
      AT_TIMING, 0, "mean miss queue occupancy, over cycles and banks")                            \
    X("tile.queue.p99", tile_queue_p99, UNIT_NONE, NO_DIRECTION, FROM_MODEL, STAGE_TILE,           \
      AT_TIMING, 0, "99th percentile of miss queue occupancy")                                     \
    X("tile.cycles", tile_cycles, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL, STAGE_TILE, AT_TIMING, \
      METRIC_TOP | METRIC_EXPLAINED, "cycles until the last line is in memory, sum over passes")   \
    X("tile.frame_cycles", tile_frame_cycles, UNIT_CYCLES, LOWER_IS_BETTER, FROM_MODEL,            \
      STAGE_TILE, AT_TIMING, METRIC_TOP, "tile.cycles / frames")                                   \
    X("saved.l1d_misses", saved_l1d_misses, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_L1D,    \
      AT_REUSE, METRIC_TOP | METRIC_SPARSE | METRIC_COMPARED,                                      \
      "L1D misses saved: l1d.misses of the baseline or pin - its own")                             \
    X("saved.l1d_tag_reads", saved_l1d_tag_reads, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL,         \
      STAGE_L1D, AT_TIMING, METRIC_TOP | METRIC_SPARSE,                                            \
      "tag reads saved by l1d.same_line: l1d.accesses - l1d.tag_reads")                            \
    X("saved.l1i_tag_reads", saved_l1i_tag_reads, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL,         \
      STAGE_L1I, AT_FUNCTIONAL | AT_TIMING, METRIC_TOP | METRIC_SPARSE,                            \
      "tag reads saved by l1i.same_line: l1i.accesses - l1i.tag_reads")                            \
    X("saved.l2_accesses", saved_l2_accesses, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_L2,   \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TOP | METRIC_SPARSE | METRIC_COMPARED,                     \
      "L2 accesses saved: l2.accesses of the baseline or pin - its own")                           \
    X("saved.dram_reads", saved_dram_reads, UNIT_BYTES, HIGHER_IS_BETTER, FROM_MODEL, STAGE_L2,    \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TOP | METRIC_SPARSE | METRIC_COMPARED,                     \
      "DRAM reads saved: l2.read_bytes of the baseline or pin - its own")                          \
    X("saved.dram_writes", saved_dram_writes, UNIT_BYTES, HIGHER_IS_BETTER, FROM_MODEL, STAGE_L2,  \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TOP | METRIC_SPARSE | METRIC_COMPARED,                     \
      "DRAM writes saved: l2.write_bytes of the baseline or pin - its own")                        \
    X("saved.walk_reads", saved_walk_reads, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_PWC,    \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TOP | METRIC_SPARSE | METRIC_COMPARED,                     \
      "page-table reads saved: walk.memory_accesses of the baseline or pin - its own")             \
    X("saved.tpc_reads", saved_tpc_reads, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_PWC,      \
      AT_FUNCTIONAL, METRIC_TOP | METRIC_SPARSE,                                                   \
      "page-table reads saved against a TPC: walk.tpc_accesses - walk.memory_accesses")            \
    X("saved.tile_reads", saved_tile_reads, UNIT_NONE, HIGHER_IS_BETTER, FROM_MODEL, STAGE_TILE,   \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TRAFFIC | METRIC_TOP | METRIC_SPARSE,                      \
      "bus reads saved by chains and unread lines: tile.misses - tile.bus_reads, less than 0 "     \
      "where prefetches outweigh it")                                                              \
    X("saved.tile_bytes", saved_tile_bytes, UNIT_BYTES, HIGHER_IS_BETTER, FROM_MODEL, STAGE_TILE,  \
      AT_FUNCTIONAL | AT_TIMING, METRIC_TOP | METRIC_SPARSE | METRIC_COMPARED,                     \
      "traffic saved: tile.external_bytes of the baseline or pin - its own")                       \
    STRUCTURE_LIST(ARRAY_METRICS, X)                                                               \
    X("pwc.table7_redundancy", pwc_table7_redundancy, UNIT_PERCENT, LOWER_IS_BETTER, FROM_FORMULA, \
      STAGE_AREA, ANY_DEPTH, 0, "pwc.redundancy of a full tpc or cpwc with 1 L4 and 4 L3 indices") \
    X("total.bits", total_bits, UNIT_BITS, LOWER_IS_BETTER, FROM_FORMULA, STAGE_AREA, ANY_DEPTH,   \
      METRIC_TOP, "storage bits of all structures")                                                \
    X("total.area", total_area, UNIT_AREA, LOWER_IS_BETTER, FROM_CACTI, STAGE_AREA, ANY_DEPTH,     \
      METRIC_HEADLINE, "area of all structures")                                                   \
    X("total.leakage", total_leakage, UNIT_WATTS, LOWER_IS_BETTER, FROM_CACTI, STAGE_AREA,         \
      ANY_DEPTH, 0, "leakage power of what total.area covers")                                     \
    X("fpga.ram36", fpga_ram36, UNIT_NONE, LOWER_IS_BETTER, FROM_FPGA, STAGE_AREA, ANY_DEPTH, 0,   \
      "block RAMs of 36 Kbit, or pairs of 18 Kbit, for what total.area covers (tech.target fpga)") \
    X("fpga.lutram", fpga_lutram, UNIT_NONE, LOWER_IS_BETTER, FROM_FPGA, STAGE_AREA, ANY_DEPTH, 0, \
      "look-up tables that serve as RAM")                                                          \
    X("fpga.luts", fpga_luts, UNIT_NONE, LOWER_IS_BETTER, FROM_FPGA, STAGE_AREA, ANY_DEPTH, 0,     \
      "look-up tables of comparators and multiplexers, at least")                                  \
    X("fpga.luts_most", fpga_luts_most, UNIT_NONE, LOWER_IS_BETTER, FROM_FPGA, STAGE_AREA,         \
      ANY_DEPTH, 0, "the same for a synthesis without wide multiplexers, at most")                 \
    X("fpga.registers", fpga_registers, UNIT_NONE, LOWER_IS_BETTER, FROM_FPGA, STAGE_AREA,         \
      ANY_DEPTH, 0, "flip-flops")                                                                  \
    X("fpga.time", fpga_time, UNIT_SECONDS, LOWER_IS_BETTER, FROM_FPGA, STAGE_AREA, ANY_DEPTH, 0,  \
      "critical path: longest memory access, register to register")                                \
    X("energy.accesses", energy_accesses, UNIT_JOULES, LOWER_IS_BETTER, FROM_CACTI, STAGE_STREAM,  \
      AT_FUNCTIONAL | AT_TIMING, 0,                                                                \
      "dynamic energy of caches and translation, without cores, network or DRAM")                  \
    X("energy.leakage", energy_leakage, UNIT_JOULES, LOWER_IS_BETTER, FROM_CACTI, STAGE_STREAM,    \
      AT_TIMING, 0, "total.leakage x core.time")                                                   \
    X("energy.total", energy_total, UNIT_JOULES, LOWER_IS_BETTER, FROM_CACTI, STAGE_STREAM,        \
      AT_TIMING, METRIC_TOP, "energy.accesses + energy.leakage")                                   \
    X("energy.delay", energy_delay, UNIT_EDP, LOWER_IS_BETTER, FROM_CACTI, STAGE_STREAM,           \
      AT_TIMING, 0, "energy-delay product: energy.total x core.time")

/* NaN means that the machine has no such structure or that nobody asked. Counts are exact up to
 * 2^53. */
struct metrics {
#define METRIC_FIELD(path, field, ...) double field;
    METRIC_LIST(METRIC_FIELD)
#undef METRIC_FIELD
};

enum { METRIC_COUNT = sizeof(struct metrics) / sizeof(double) };

struct metric {
    const char *path;
    enum unit unit;
    enum direction direction;
    enum provenance provenance;
    enum stage stage;
    unsigned depths; /* of AT_FUNCTIONAL, ... */
    unsigned traits; /* of enum metric_trait */
    size_t offset;   /* of the double in struct metrics */
    const char *help;
};

extern const struct metric metric_table[METRIC_COUNT];

const struct metric *metric_find(const char *path); /* or NULL */
const char *metric_nearest(const char *path);       /* or NULL */

double metric_get(const struct metric *metric, const struct metrics *metrics);
void metric_set(const struct metric *metric, struct metrics *metrics, double value);

/* The memory instructions of each space: stream.records.*. */
void metrics_put_spaces(struct metrics *metrics, const uint64_t counts[SPACE_COUNT]);
double metrics_space(const struct metrics *metrics, enum memory_space space);

/* Sets every metric to NaN. */
void metrics_clear(struct metrics *metrics);

/* True for counts and arithmetic, false for fitted models. A number from a sampled run is an
 * estimate in any case. */
bool metric_exact(const struct metric *metric);

/* Where a number comes from: "stream", "formula", "CACTI 7", or for FROM_MODEL the name of the
 * depth that answered: `depth`, or the first one that can. */
const char *metric_source(const struct metric *metric, enum depth depth);
/* The same for all depths that answer the metric: "functional, reuse". Returns `text`. */
enum { METRIC_SOURCES = 128 };
const char *metric_sources(const struct metric *metric, char text[METRIC_SOURCES]);

/* Whether an evaluation at `depth` answers a metric; the metrics that it does not answer stay
 * NaN. */
bool metric_answered(const struct metric *metric, enum depth depth);
/* Whether a comparison of two evaluations does (METRIC_COMPARED). */
bool metric_compared(const struct metric *metric, enum depth depth);
/* Why no evaluation answers it, after its name: "is not counted at depth reuse". Returns `text`. */
enum { METRIC_UNANSWERED = 96 };
const char *metric_unanswered(const struct metric *metric, enum depth depth,
                              char text[METRIC_UNANSWERED]);

/* For a headline that `depth` answers: the stages whose parameters it shows. These are its own
 * stage and the earlier ones that have no headline themselves; but a headline of the stream, such
 * as core.cycles, shows all that the depth simulates. 0 if the metric is not such a headline. */
unsigned metric_headline_stages(const struct metric *metric, enum depth depth);

/* Whether changing a parameter cannot change any answer, because nothing reads it at this depth or
 * because it does not apply to this machine. A NULL machine asks about the depth only. `why`
 * becomes " at the functional depth" or the text of parameter_idle. */
bool parameter_dead(const struct parameter *parameter, const struct machine *machine,
                    enum depth depth, char why[VALUE_TEXT]);

/* A derived metric follows from others, which may belong to different stages and may be derived
 * themselves. Stores keep what was counted and never a derived value, so a recalled result has it
 * as well. */
enum derivation_kind {
    DERIVE_RATIO,        /* first / second */
    DERIVE_COMPLEMENT,   /* (second - first) / second */
    DERIVE_PER_THOUSAND, /* 1000 x first / second */
    DERIVE_SUM,
    DERIVE_DIFFERENCE, /* first - second */
    DERIVE_SAVED,      /* first of the machine compared with - second; NaN where there is none */
    DERIVE_PRODUCTS /* first x second + third x fourth + ...; a pair whose second is missing is of a
                     * structure that the machine does not have, and left out */
};

/* X(field, kind, first, second). Energies of structures, and their sum, are rows as well
 * (STRUCTURE_LIST); those here may use them. */
#define DERIVATION_LIST(X)                                                                         \
    X(stream_transactions_per_instruction, DERIVE_RATIO, stream_transactions,                      \
      stream_memory_instructions)                                                                  \
    X(core_ipc, DERIVE_RATIO, stream_warp_instructions, core_cycles)                               \
    X(network_bandwidth, DERIVE_RATIO, network_bytes, core_cycles)                                 \
    X(dram_bandwidth, DERIVE_RATIO, dram_bytes, core_cycles)                                       \
    X(l1i_miss_rate, DERIVE_RATIO, l1i_misses, l1i_accesses)                                       \
    X(l1i_mpki, DERIVE_PER_THOUSAND, l1i_misses, stream_warp_instructions)                         \
    X(l1d_miss_rate, DERIVE_RATIO, l1d_misses, l1d_accesses)                                       \
    X(l1d_bandwidth, DERIVE_RATIO, l1d_bytes, core_cycles)                                         \
    X(l2_bandwidth, DERIVE_RATIO, l2_bytes, core_cycles)                                           \
    X(l1d_mpki, DERIVE_PER_THOUSAND, l1d_misses, stream_warp_instructions)                         \
    X(l1d_hw_hit_rate, DERIVE_COMPLEMENT, l1d_hw_misses, l1d_accesses)                             \
    X(l2_lookups, DERIVE_SUM, l2_accesses, l2_crossings)                                           \
    X(l2_hw_misses, DERIVE_SUM, l2_read_misses, l2_crossings)                                      \
    X(l2_hw_hit_rate, DERIVE_COMPLEMENT, l2_hw_misses, l2_lookups)                                 \
    X(l2_miss_rate, DERIVE_RATIO, l2_misses, l2_accesses)                                          \
    X(l2_mpki, DERIVE_PER_THOUSAND, l2_misses, stream_warp_instructions)                           \
    X(tlb_hit_rate, DERIVE_COMPLEMENT, tlb_misses, tlb_accesses)                                   \
    X(tlb_mpki, DERIVE_PER_THOUSAND, tlb_misses, stream_warp_instructions)                         \
    X(l2tlb_hit_rate, DERIVE_COMPLEMENT, l2tlb_misses, l2tlb_accesses)                             \
    X(walk_accesses_per_walk, DERIVE_RATIO, walk_memory_accesses, walk_count)                      \
    X(pwc_lookup_cycles, DERIVE_RATIO, pwc_cycles, walk_count)                                     \
    X(walk_reduction, DERIVE_COMPLEMENT, walk_memory_accesses, walk_tpc_accesses)                  \
    X(tile_hit_rate, DERIVE_COMPLEMENT, tile_misses, tile_accesses)                                \
    X(tile_l2_hit_rate, DERIVE_COMPLEMENT, tile_l2_misses, tile_bus_reads)                         \
    X(tile_external_bytes, DERIVE_SUM, tile_read_bytes, tile_write_bytes)                          \
    X(saved_l1d_misses, DERIVE_SAVED, l1d_misses, l1d_misses)                                      \
    X(saved_l1d_tag_reads, DERIVE_DIFFERENCE, l1d_accesses, l1d_tag_reads)                         \
    X(saved_l1i_tag_reads, DERIVE_DIFFERENCE, l1i_accesses, l1i_tag_reads)                         \
    X(saved_l2_accesses, DERIVE_SAVED, l2_accesses, l2_accesses)                                   \
    X(saved_dram_reads, DERIVE_SAVED, l2_read_bytes, l2_read_bytes)                                \
    X(saved_dram_writes, DERIVE_SAVED, l2_write_bytes, l2_write_bytes)                             \
    X(saved_walk_reads, DERIVE_SAVED, walk_memory_accesses, walk_memory_accesses)                  \
    X(saved_tpc_reads, DERIVE_DIFFERENCE, walk_tpc_accesses, walk_memory_accesses)                 \
    X(saved_tile_reads, DERIVE_DIFFERENCE, tile_misses, tile_bus_reads)                            \
    X(saved_tile_bytes, DERIVE_SAVED, tile_external_bytes, tile_external_bytes)                    \
    X(energy_leakage, DERIVE_PRODUCTS, core_time, total_leakage)                                   \
    X(energy_total, DERIVE_SUM, energy_accesses, energy_leakage)                                   \
    X(energy_delay, DERIVE_PRODUCTS, core_time, energy_total)

enum { DERIVATION_INPUTS = 4 * STRUCTURE_COUNT };

struct derivation {
    enum derivation_kind kind;
    size_t count;
    const struct metric *inputs[DERIVATION_INPUTS];
};

/* How a metric follows from others; false if it is counted itself. */
bool metric_derivation(const struct metric *metric, struct derivation *derivation);

/* The stages that must be known for a metric: its own, or those of what it is derived from. */
unsigned metric_stages(const struct metric *metric);

/* Expands `columns` to the metrics that have to be counted, each once: the metric itself, or the
 * counted inputs of a derived one. Returns their number; `counted` needs room for METRIC_COUNT. */
size_t metrics_counted(const struct metric *const *columns, size_t count,
                       const struct metric *counted[METRIC_COUNT]);

/* Computes every derived metric, for exact and sampled runs alike. NaN if an input is missing or a
 * divisor is 0. Energies need the metrics of the area stage (area_evaluate). */
void metrics_derive(struct metrics *metrics);

/* Computes what only a comparison knows, METRIC_COMPARED: what `metrics` save against `with`, both
 * of one workload at `depth`. NULL: nothing to compare with, NaN. */
void metrics_compare(struct metrics *metrics, const struct metrics *with, enum depth depth);

/* The metric whose values such a metric compares; NULL for all others. */
const struct metric *metric_compares(const struct metric *metric);
/* Whether this is such a metric's: it counts memory accesses, so fewer of them are saved. */
bool metric_saves(const struct metric *metric);
