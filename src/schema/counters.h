/* The counter table: what the counters of NVIDIA's profilers are in our words.
 *
 * A row names a counter as a profiler prints it (docs/FORMATS.md, "Profiles") and says by an
 * expression over metrics and parameters what an evaluation has in its place. Comparisons, fits,
 * the marks on the screen and the manual read this table; a counter that no row names is listed as
 * not compared. Names change between versions of the profilers, so a counter may have several rows.
 * Expressions are those of conditions (explore/space/conditions.h); test_counters reads all of
 * them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

/* Whose words a name is in. X(CONSTANT, "name", "help") */
#define PROFILE_TOOL_LIST(X)                                                                       \
    X(PROFILE_NCU, "ncu", "metrics of Nsight Compute, as --metrics and the page raw name them")    \
    X(PROFILE_DETAILS, "details", "Nsight Compute's page details")                                 \
    X(PROFILE_NVPROF, "nvprof", "metrics and events of nvprof; times of nvprof and nsys")

enum profile_tool {
#define PROFILE_TOOL_ENUM(constant, name, help) constant,
    PROFILE_TOOL_LIST(PROFILE_TOOL_ENUM) PROFILE_TOOLS
#undef PROFILE_TOOL_ENUM
};

/* Where their definition differs between architectures: on GPUs of compute capability `from` to
 * `to` (61 is 6.1) rows with the trait are NEAR, elsewhere as the row says. X(CONSTANT, bit, from,
 * to, why). Measured: a GT 1030, a GTX 1080 Ti and a TITAN Xp count 16 transactions for a warp that
 * loads floats in a row and 4 for one that loads bytes, a V100 four sectors; of kernels that only
 * store, a GTX 1070 counts four requests an instruction, half of the unified cache's sectors as
 * found, and none of the L2's. */
#define COUNTER_CHANGE_LIST(X)                                                                     \
    X(PIECES, 2, 50, 69, "before Volta a load counts 4 transactions for each sector, of 8 B each") \
    X(QUARTERS, 3, 50, 69,                                                                         \
      "before Volta an instruction of a whole warp is 4 requests to the unified cache")            \
    X(LOADS_ALONE, 4, 50, 69, "before Volta the hit rate of loads alone")                          \
    X(STORES_HALF, 5, 50, 69, "before Volta half of the stores count as hits")                     \
    X(STORES_MISS, 6, 50, 69, "before Volta stores that miss the line count as misses")            \
    X(TEXTURES, 7, 20, 39, "before Maxwell this is a cache for textures alone")

enum counter_trait {
    COUNTER_AVERAGED = 0,  /* over launches, by their cycles */
    COUNTER_ADDS = 1 << 0, /* over launches */
    COUNTER_NEAR = 1 << 1, /* our definition is near theirs but another: shown beside it, and no
                            * part of a fit */
    COUNTER_NEAR_ADDS = COUNTER_NEAR | COUNTER_ADDS,
#define COUNTER_CHANGE_TRAIT(constant, bit, from, to, why) COUNTER_##constant = 1 << (bit),
    COUNTER_CHANGE_LIST(COUNTER_CHANGE_TRAIT)
#undef COUNTER_CHANGE_TRAIT
};

/* The expression of counters that are the clock of the SMs. What they measured stands in the place
 * of gpu.clock in all other expressions of a profile, which makes its cycles from times. */
#define COUNTER_CLOCK    "gpu.clock"
#define COUNTER_CYCLES   "core.cycles"
#define COUNTER_TIME     "core.cycles / gpu.clock"
#define COUNTER_RATE(of) of " * gpu.clock / core.cycles"

/* X(TOOL, name, unit, traits, expression, definition). A name may be a sum ("A + B": of counters
 * that must all be there), and '*' stands for any letters: the sum of all counters that match.
 * UNIT_PERCENT names only counters in %, every other unit only those that are not. */
#define COUNTER_LIST(X)                                                                            \
    COUNTER_TIME_LIST(X)                                                                           \
    COUNTER_ISSUE_LIST(X) COUNTER_L1_LIST(X) COUNTER_L2_LIST(X) COUNTER_DRAM_LIST(X)

#define COUNTER_DRAM_CLOCK "dram.clock * dram.rate / 2"
#define COUNTER_TIME_LIST(X)                                                                       \
    X(NCU, "sm__cycles_elapsed.max", CYCLES, ADDS, COUNTER_CYCLES,                                 \
      "cycles from the start of a launch to its end")                                              \
    X(NCU, "sm__cycles_elapsed.avg", CYCLES, ADDS, COUNTER_CYCLES, "the same, mean over SMs")      \
    X(NCU, "smsp__cycles_elapsed.max", CYCLES, ADDS, COUNTER_CYCLES, "the same of sub-cores")      \
    X(NCU, "smsp__cycles_elapsed.avg", CYCLES, ADDS, COUNTER_CYCLES,                               \
      "the same of sub-cores, mean")                                                               \
    X(NCU, "gpc__cycles_elapsed.max", CYCLES, ADDS, COUNTER_CYCLES, "the same of clusters")        \
    X(NCU, "sm__cycles_elapsed.sum", CYCLES, ADDS, "core.cycles * gpu.sms", "the same, all SMs")   \
    X(NCU, "smsp__cycles_elapsed.sum", CYCLES, ADDS, "core.cycles * gpu.sms * scheduler.count",    \
      "the same, all sub-cores")                                                                   \
    X(NCU, "gpc__cycles_elapsed.avg", CYCLES, ADDS, COUNTER_CYCLES, "the same of clusters, mean")  \
    X(DETAILS, "Elapsed Cycles", CYCLES, ADDS, COUNTER_CYCLES, "sm__cycles_elapsed.max")           \
    X(NVPROF, "elapsed_cycles_sm", NONE, ADDS, "core.cycles * gpu.sms",                            \
      "cycles of a launch, summed over SMs")                                                       \
    X(NVPROF, "elapsed_cycles_pm", NONE, ADDS, "core.cycles * gpu.sms", "the same")                \
    X(NCU, "gpu__time_duration.sum", SECONDS, ADDS, COUNTER_TIME,                                  \
      "time of a launch; profilers may lock the clock to another one")                             \
    X(NCU, "gpu__time_duration.avg", SECONDS, ADDS, COUNTER_TIME, "the same")                      \
    X(NCU, "gpu__time_duration_measured_user.sum", SECONDS, ADDS, COUNTER_TIME, "the same")        \
    X(DETAILS, "Duration", SECONDS, ADDS, COUNTER_TIME, "gpu__time_duration.sum")                  \
    X(NVPROF, "Duration", SECONDS, ADDS, COUNTER_TIME,                                             \
      "time of a kernel in a summary (Avg) or trace; the start of a launch is part of it")         \
    X(NCU, "sm__cycles_active.avg", CYCLES, NEAR_ADDS, COUNTER_CYCLES,                             \
      "theirs are cycles of SMs with warps, ours all")                                             \
    X(NCU, "sm__cycles_active.max", CYCLES, NEAR_ADDS, COUNTER_CYCLES, "likewise")                 \
    X(NCU, "smsp__cycles_active.avg", CYCLES, NEAR_ADDS, COUNTER_CYCLES, "likewise, of sub-cores") \
    X(DETAILS, "SM Active Cycles", CYCLES, NEAR_ADDS, COUNTER_CYCLES, "sm__cycles_active.avg")     \
    X(NCU, "sm__cycles_elapsed.avg.per_second", HERTZ, NEAR, COUNTER_CLOCK,                        \
      "the clock that the GPU had; times of ours are at it")                                       \
    X(NCU, "smsp__cycles_elapsed.avg.per_second", HERTZ, NEAR, COUNTER_CLOCK, "the same")          \
    X(NCU, "gpc__cycles_elapsed.avg.per_second", HERTZ, NEAR, COUNTER_CLOCK, "the same")           \
    X(DETAILS, "SM Frequency", HERTZ, NEAR, COUNTER_CLOCK, "the same")                             \
    X(NCU, "dram__cycles_elapsed.avg.per_second", HERTZ, NEAR, COUNTER_DRAM_CLOCK,                 \
      "the clock of the DRAM, two transfers per cycle")                                            \
    X(DETAILS, "DRAM Frequency", HERTZ, NEAR, COUNTER_DRAM_CLOCK, "the same")                      \
    X(NCU, "device__attribute_multiprocessor_count", NONE, NEAR, "gpu.sms",                        \
      "SMs of the GPU and of the machine")                                                         \
    X(DETAILS, "# SMs", NONE, NEAR, "gpu.sms", "the same")

#define COUNTER_RESIDENT "occupancy.achieved * gpu.max_threads / 32"
#define COUNTER_ISSUE_LIST(X)                                                                      \
    X(NCU, "smsp__inst_executed.sum", NONE, ADDS, "stream.warp_instructions",                      \
      "warp instructions executed")                                                                \
    X(NCU, "sm__inst_executed.sum", NONE, ADDS, "stream.warp_instructions", "the same")            \
    X(NVPROF, "inst_executed", NONE, ADDS, "stream.warp_instructions", "the same")                 \
    X(DETAILS, "Executed Instructions", NONE, ADDS, "stream.warp_instructions", "the same")        \
    X(NCU, "smsp__inst_executed.avg", NONE, ADDS,                                                  \
      "stream.warp_instructions / (gpu.sms * scheduler.count)", "the same, of one sub-core")       \
    X(DETAILS, "Avg. Executed Instructions Per Scheduler", NONE, ADDS,                             \
      "stream.warp_instructions / (gpu.sms * scheduler.count)", "smsp__inst_executed.avg")         \
    X(NCU, "smsp__thread_inst_executed.sum", NONE, ADDS, "core.thread_instructions",               \
      "thread instructions executed")                                                              \
    X(NVPROF, "thread_inst_executed", NONE, ADDS, "core.thread_instructions", "the same")          \
    X(NCU, "sm__inst_executed.avg.per_cycle_elapsed", NONE, AVERAGED, "core.ipc / gpu.sms",        \
      "warp instructions per cycle of one SM")                                                     \
    X(DETAILS, "Executed Ipc Elapsed", NONE, AVERAGED, "core.ipc / gpu.sms", "the same")           \
    X(NCU, "smsp__inst_executed.avg.per_cycle_elapsed", NONE, AVERAGED,                            \
      "core.ipc / (gpu.sms * scheduler.count)", "warp instructions per cycle of one sub-core")     \
    X(NCU, "sm__inst_executed.sum.per_cycle_elapsed", NONE, AVERAGED, "core.ipc", "of all SMs")    \
    X(NCU, "smsp__inst_executed.sum.per_cycle_elapsed", NONE, AVERAGED, "core.ipc", "the same")    \
    X(NCU, "smsp__inst_issued.sum", NONE, NEAR_ADDS, "stream.warp_instructions",                   \
      "theirs includes replays")                                                                   \
    X(NVPROF, "inst_issued", NONE, NEAR_ADDS, "stream.warp_instructions", "likewise")              \
    X(DETAILS, "Issued Instructions", NONE, NEAR_ADDS, "stream.warp_instructions", "likewise")     \
    X(NCU, "smsp__inst_issued.avg", NONE, NEAR_ADDS,                                               \
      "stream.warp_instructions / (gpu.sms * scheduler.count)", "likewise, of one sub-core")       \
    X(DETAILS, "Avg. Issued Instructions Per Scheduler", NONE, NEAR_ADDS,                          \
      "stream.warp_instructions / (gpu.sms * scheduler.count)", "smsp__inst_issued.avg")           \
    X(NCU, "smsp__thread_inst_executed_per_inst_executed.ratio", NONE, AVERAGED,                   \
      "core.thread_instructions / stream.warp_instructions",                                       \
      "active threads per warp instruction")                                                       \
    X(DETAILS, "Avg. Active Threads Per Warp", NONE, AVERAGED,                                     \
      "core.thread_instructions / stream.warp_instructions", "the same")                           \
    X(NVPROF, "warp_execution_efficiency", PERCENT, AVERAGED,                                      \
      "core.thread_instructions / stream.warp_instructions / 32",                                  \
      "SIMD efficiency: active threads per warp instruction / 32")                                 \
    X(NCU, "smsp__inst_executed.avg.per_cycle_active", NONE, NEAR,                                 \
      "core.ipc / (gpu.sms * scheduler.count)",                                                    \
      "theirs counts cycles of sub-cores with warps, ours all")                                    \
    X(NVPROF, "issued_ipc", NONE, NEAR, "core.ipc / gpu.sms", "likewise, and includes replays")    \
    X(NCU, "sm__inst_executed.avg.per_cycle_active", NONE, NEAR, "core.ipc / gpu.sms",             \
      "theirs counts cycles of SMs with warps, ours all")                                          \
    X(DETAILS, "Executed Ipc Active", NONE, NEAR, "core.ipc / gpu.sms", "likewise")                \
    X(NVPROF, "ipc", NONE, NEAR, "core.ipc / gpu.sms", "likewise")                                 \
    X(NCU, "smsp__issue_active.avg.pct_of_peak_sustained_active", PERCENT, AVERAGED,               \
      "core.issued", "issue slot utilisation: share of scheduler cycles with an issue")            \
    X(NCU, "smsp__issue_active.avg.per_cycle_active", NONE, AVERAGED, "core.issued", "the same")   \
    X(NCU, "smsp__issue_inst0.avg.pct_of_peak_sustained_active", PERCENT, AVERAGED,                \
      "1 - core.issued", "share of scheduler cycles without an issue")                             \
    X(DETAILS, "No Eligible", PERCENT, AVERAGED, "1 - core.issued",                                \
      "share of scheduler cycles without an issue")                                                \
    X(DETAILS, "One or More Eligible", PERCENT, AVERAGED, "core.issued",                           \
      "share of scheduler cycles with an issue")                                                   \
    X(DETAILS, "Issued Warp Per Scheduler", NONE, AVERAGED, "core.issued", "likewise")             \
    X(NVPROF, "issue_slot_utilization", PERCENT, AVERAGED, "core.issued", "likewise")              \
    X(NVPROF, "stall_memory_dependency", PERCENT, NEAR, "core.stall.memory / (1 - core.issued)",   \
      "theirs is a share of warp stalls, ours of cycles")                                          \
    X(NVPROF, "stall_exec_dependency", PERCENT, NEAR, "core.stall.data / (1 - core.issued)",       \
      "likewise")                                                                                  \
    X(NVPROF, "stall_inst_fetch", PERCENT, NEAR, "core.stall.instruction / (1 - core.issued)",     \
      "likewise")                                                                                  \
    X(NVPROF, "stall_sync", PERCENT, NEAR, "core.stall.barrier / (1 - core.issued)", "likewise")   \
    X(NVPROF, "stall_pipe_busy", PERCENT, NEAR, "core.stall.pipe / (1 - core.issued)", "likewise") \
    X(NCU, "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct", PERCENT, NEAR,          \
      "core.stall.memory", "theirs is the share of warps stalled on the L1 and beyond")            \
    X(NCU, "smsp__warp_issue_stalled_barrier_per_warp_active.pct", PERCENT, NEAR,                  \
      "core.stall.barrier", "theirs is the share of stalled warps")                                \
    X(NCU, "smsp__warp_issue_stalled_no_instruction_per_warp_active.pct", PERCENT, NEAR,           \
      "core.stall.instruction", "likewise")                                                        \
    X(NCU, "sm__maximum_warps_per_active_cycle_pct", PERCENT, AVERAGED,                            \
      "occupancy.warps * 32 / gpu.max_threads",                                                    \
      "theoretical occupancy: warps that fit / maximum per SM")                                    \
    X(DETAILS, "Theoretical Occupancy", PERCENT, AVERAGED,                                         \
      "occupancy.warps * 32 / gpu.max_threads", "the same")                                        \
    X(NCU, "sm__maximum_warps_avg_per_active_cycle", NONE, AVERAGED, "occupancy.warps",            \
      "theoretical resident warps per SM")                                                         \
    X(NCU, "smsp__maximum_warps_avg_per_active_cycle", NONE, AVERAGED,                             \
      "occupancy.warps / scheduler.count", "the same, per scheduler")                              \
    X(DETAILS, "Theoretical Warps Per Scheduler", NONE, AVERAGED,                                  \
      "occupancy.warps / scheduler.count", "the same")                                             \
    X(DETAILS, "Theoretical Active Warps per SM", NONE, AVERAGED, "occupancy.warps",               \
      "theoretical resident warps per SM")                                                         \
    X(NCU, "sm__warps_active.avg.pct_of_peak_sustained_active", PERCENT, AVERAGED,                 \
      "occupancy.achieved", "achieved occupancy: resident warps / maximum per SM")                 \
    X(DETAILS, "Achieved Occupancy", PERCENT, AVERAGED, "occupancy.achieved", "the same")          \
    X(NVPROF, "achieved_occupancy", NONE, AVERAGED, "occupancy.achieved", "the same")              \
    X(NCU, "sm__warps_active.avg.per_cycle_active", NONE, AVERAGED, COUNTER_RESIDENT,              \
      "resident warps per SM")                                                                     \
    X(DETAILS, "Achieved Active Warps Per SM", NONE, AVERAGED, COUNTER_RESIDENT, "the same")       \
    X(NCU, "smsp__warps_active.avg.per_cycle_active", NONE, AVERAGED,                              \
      COUNTER_RESIDENT " / scheduler.count", "the same, per scheduler")                            \
    X(DETAILS, "Active Warps Per Scheduler", NONE, AVERAGED,                                       \
      COUNTER_RESIDENT " / scheduler.count", "the same")                                           \
    X(NCU, "smsp__average_warp_latency_per_inst_issued.ratio", NONE, AVERAGED,                     \
      COUNTER_RESIDENT " / scheduler.count / core.issued",                                         \
      "cycles per warp between issued instructions")                                               \
    X(DETAILS, "Warp Cycles Per Issued Instruction", NONE, AVERAGED,                               \
      COUNTER_RESIDENT " / scheduler.count / core.issued", "the same")                             \
    X(NCU, "smsp__average_warps_active_per_inst_executed.ratio", NONE, AVERAGED,                   \
      COUNTER_RESIDENT " / scheduler.count / core.issued", "the same")                             \
    X(DETAILS, "Warp Cycles Per Executed Instruction", NONE, AVERAGED,                             \
      COUNTER_RESIDENT " / scheduler.count / core.issued", "the same")

#define COUNTER_STORE_MISSES "(l1d.hw_misses - l1d.read_misses)"
#define COUNTER_ATOMICS      "stream.records.global - stream.loads.global - stream.stores.global"

/* Requests of our stream are sectors where coalescer.arch is 40 or more, else lines or parts of
 * them, and so are the transactions of nvprof on GPUs of that age. */
#define COUNTER_L1_LIST(X)                                                                         \
    X(NCU, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", NONE, ADDS, "stream.loads.global",   \
      "instructions that load from global memory")                                                 \
    X(NCU, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", NONE, ADDS, "stream.stores.global",  \
      "instructions that store to global memory, without atomics")                                 \
    X(NCU, "smsp__inst_executed_op_global_ld.sum", NONE, ADDS, "stream.loads.global", "the same")  \
    X(NCU, "smsp__inst_executed_op_global_st.sum", NONE, ADDS, "stream.stores.global", "the same") \
    X(NCU, "smsp__sass_inst_executed_op_global_ld.sum", NONE, ADDS, "stream.loads.global",         \
      "the same")                                                                                  \
    X(NCU, "smsp__sass_inst_executed_op_global_st.sum", NONE, ADDS, "stream.stores.global",        \
      "the same")                                                                                  \
    X(NCU, "sm__sass_inst_executed_op_global_ld.sum", NONE, ADDS, "stream.loads.global",           \
      "the same")                                                                                  \
    X(NCU, "sm__sass_inst_executed_op_global_st.sum", NONE, ADDS, "stream.stores.global",          \
      "the same")                                                                                  \
    X(NVPROF, "global_load_requests", NONE, ADDS | COUNTER_QUARTERS, "stream.loads.global",        \
      "the same")                                                                                  \
    X(NVPROF, "global_store_requests", NONE, ADDS | COUNTER_QUARTERS, "stream.stores.global",      \
      "the same")                                                                                  \
    X(NVPROF, "inst_executed_global_loads", NONE, ADDS, "stream.loads.global", "the same")         \
    X(NVPROF, "inst_executed_global_stores", NONE, ADDS, "stream.stores.global", "the same")       \
    X(NVPROF, "gld_request", NONE, ADDS, "stream.loads.global", "the same")                        \
    X(NVPROF, "gst_request", NONE, ADDS, "stream.stores.global", "the same")                       \
    X(NVPROF, "global_load", NONE, ADDS, "stream.loads.global", "the same")                        \
    X(NVPROF, "global_store", NONE, ADDS, "stream.stores.global", "the same")                      \
    X(NCU,                                                                                         \
      "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum + "                                       \
      "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",                                          \
      NONE, ADDS, COUNTER_ATOMICS, "atomics on global memory, with and without an answer")         \
    X(NVPROF, "global_atomic_requests + global_reduction_requests", NONE, ADDS | COUNTER_QUARTERS, \
      COUNTER_ATOMICS, "the same")                                                                 \
    X(NCU,                                                                                         \
      "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum + "                                          \
      "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",                                            \
      NONE, ADDS, "stream.records.local", "instructions that access local memory")                 \
    X(NVPROF, "local_load + local_store", NONE, ADDS, "stream.records.local", "the same")          \
    X(NCU, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", NONE, AVERAGED, \
      "l1d.reads / stream.loads.global", "sectors per load")                                       \
    X(NCU, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", NONE, AVERAGED, \
      "l1d.writes / stream.stores.global", "sectors per store")                                    \
    X(NVPROF, "gld_transactions_per_request", NONE, AVERAGED | COUNTER_PIECES,                     \
      "l1d.reads / stream.loads.global", "the same of loads")                                      \
    X(NVPROF, "gst_transactions_per_request", NONE, AVERAGED, "l1d.writes / stream.stores.global", \
      "the same of stores")                                                                        \
    X(NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", NONE, ADDS, "l1d.reads",              \
      "sectors requested by loads")                                                                \
    X(NVPROF, "gld_transactions", NONE, ADDS | COUNTER_PIECES, "l1d.reads", "the same")            \
    X(NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", NONE, ADDS, "l1d.writes",             \
      "sectors that stores write")                                                                 \
    X(NVPROF, "gst_transactions", NONE, ADDS, "l1d.writes", "the same")                            \
    X(NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", NONE, ADDS,                \
      "l1d.reads - l1d.read_misses", "load sectors that hit; pending hits count as hits")          \
    X(NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", NONE, ADDS,               \
      "l1d.read_misses", "load sectors that miss")                                                 \
    X(NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum", NONE, ADDS,                \
      "l1d.writes - " COUNTER_STORE_MISSES, "store sectors that hit the line")                     \
    X(NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_miss.sum", NONE, ADDS,               \
      COUNTER_STORE_MISSES, "store sectors that miss the line")                                    \
    X(NCU, "l1tex__t_sectors.sum", NONE, ADDS, "l1d.accesses", "sectors of all look-ups")          \
    X(NCU, "l1tex__t_sectors_lookup_hit.sum", NONE, ADDS, "l1d.accesses - l1d.hw_misses",          \
      "sectors that hit")                                                                          \
    X(NCU, "l1tex__t_sectors_lookup_miss.sum", NONE, ADDS, "l1d.hw_misses", "sectors that miss")   \
    X(NCU, "l1tex__t_sector_hit_rate.pct", PERCENT, AVERAGED, "l1d.hw_hit_rate",                   \
      "sector hit rate of loads and stores")                                                       \
    X(NCU, "tex__t_sector_hit_rate.pct", PERCENT, AVERAGED, "l1d.hw_hit_rate",                     \
      "the same, until 2018")                                                                      \
    X(DETAILS, "L1/TEX Hit Rate", PERCENT, AVERAGED, "l1d.hw_hit_rate",                            \
      "l1tex__t_sector_hit_rate.pct")                                                              \
    X(NVPROF, "global_hit_rate", PERCENT, AVERAGED | COUNTER_LOADS_ALONE, "1 - l1d.miss_rate",     \
      "the same, of global memory")                                                                \
    X(NVPROF, "tex_cache_hit_rate", PERCENT, AVERAGED | COUNTER_STORES_HALF | COUNTER_TEXTURES,    \
      "1 - l1d.miss_rate", "the same, unified cache")                                              \
    X(NCU, "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", PERCENT, AVERAGED,            \
      "1 - l1d.read_misses / l1d.reads", "sector hit rate of loads")                               \
    X(NCU, "l1tex__t_sector_pipe_lsu_mem_global_op_st_hit_rate.pct", PERCENT, AVERAGED,            \
      "1 - " COUNTER_STORE_MISSES " / l1d.writes", "store sectors that hit the line")              \
    X(NCU, "l1tex__t_bytes.sum", BYTES, ADDS, "l1d.accesses * l1d.sector",                         \
      "bytes of all look-ups")                                                                     \
    X(NCU, "l1tex__t_bytes_lookup_hit.sum", BYTES, ADDS,                                           \
      "(l1d.accesses - l1d.hw_misses) * l1d.sector", "bytes of sectors that hit")                  \
    X(NCU, "l1tex__t_bytes_lookup_miss.sum", BYTES, ADDS, "l1d.hw_misses * l1d.sector",            \
      "bytes of sectors that miss")                                                                \
    X(NCU, "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", BYTES, ADDS, "l1d.reads * l1d.sector",  \
      "bytes of the sectors of loads")                                                             \
    X(NCU, "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum", BYTES, ADDS, "l1d.writes * l1d.sector", \
      "bytes of the sectors of stores")                                                            \
    X(NCU, "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", NONE, AVERAGED,              \
      COUNTER_RATE("l1d.reads * l1d.sector"), "bytes per second of loads")                         \
    X(NVPROF, "gld_throughput", NONE, AVERAGED, COUNTER_RATE("l1d.reads * l1d.sector"),            \
      "the same")                                                                                  \
    X(NCU, "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", NONE, AVERAGED,              \
      COUNTER_RATE("l1d.writes * l1d.sector"), "bytes per second of stores")                       \
    X(NVPROF, "gst_throughput", NONE, AVERAGED, COUNTER_RATE("l1d.writes * l1d.sector"),           \
      "the same")                                                                                  \
    X(NVPROF, "l1_cache_global_hit_rate", PERCENT, AVERAGED, "1 - l1d.read_misses / l1d.reads",    \
      "load lines that hit (Fermi, Kepler)")                                                       \
    X(NVPROF, "l1_global_load_hit", NONE, ADDS, "l1d.reads - l1d.read_misses", "likewise")         \
    X(NVPROF, "l1_global_load_miss", NONE, ADDS, "l1d.read_misses", "load lines that miss")        \
    X(NCU, "l1tex__m_xbar2l1tex_read_sectors.sum", NONE, ADDS, "l1d.read_bytes / 32.0",            \
      "sectors returned by the L2")                                                                \
    X(NCU, "l1tex__m_xbar2l1tex_read_bytes.sum", BYTES, ADDS, "l1d.read_bytes", "in bytes")        \
    X(NCU, "l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum", NONE, ADDS,                        \
      "l1d.read_bytes / 32.0", "those of loads")                                                   \
    X(NCU, "l1tex__m_xbar2l1tex_read_bytes_mem_lg_op_ld.sum", BYTES, ADDS, "l1d.read_bytes",       \
      "in bytes")                                                                                  \
    X(NCU, "lts__t_bytes_equiv_l1sectormiss_pipe_lsu_mem_global_op_ld.sum", BYTES, ADDS,           \
      "l1d.read_bytes", "the same, as misses of the L1")                                           \
    X(NVPROF, "l2_global_load_bytes", NONE, ADDS, "l1d.read_bytes", "the same")                    \
    X(NCU, "l1tex__m_xbar2l1tex_read_bytes.sum.per_second", NONE, AVERAGED,                        \
      COUNTER_RATE("l1d.read_bytes"), "bytes per second from the L2")                              \
    X(NCU, "l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum", NONE, ADDS,                       \
      "l1d.write_bytes / 32.0", "sectors that stores write to the L2")                             \
    X(NCU, "l1tex__m_l1tex2xbar_write_bytes_mem_lg_op_st.sum", BYTES, ADDS, "l1d.write_bytes",     \
      "in bytes")                                                                                  \
    X(NCU, "l1tex__m_l1tex2xbar_write_bytes.sum.per_second", NONE, AVERAGED,                       \
      COUNTER_RATE("l1d.write_bytes"), "bytes per second to the L2")                               \
    X(NCU, "l1tex__m_l1tex2xbar_write_sectors.sum", NONE, ADDS, "l1d.write_bytes / 32.0",          \
      "sectors that are written to the L2")                                                        \
    X(NCU, "l1tex__m_l1tex2xbar_write_bytes.sum", BYTES, ADDS, "l1d.write_bytes", "in bytes")      \
    X(NCU, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", NONE, ADDS, "shared.conflicts",   \
      "bank conflicts of shared memory: additional cycles")                                        \
    X(NCU,                                                                                         \
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum + "                                \
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",                                  \
      NONE, ADDS, "shared.conflicts", "the same")                                                  \
    X(NVPROF, "shared_ld_bank_conflict + shared_st_bank_conflict", NONE, ADDS, "shared.conflicts", \
      "the same")                                                                                  \
    X(NVPROF, "l1_shared_bank_conflict", NONE, ADDS, "shared.conflicts", "the same (Fermi)")

/* An L2 of NVIDIA takes any write, so writes are hits there (docs/MODELS.md). Its sectors are 32 B;
 * one request of an L1D with larger sectors is several. */
#define COUNTER_SECTORS(requests) requests " * iif(l1d.enabled, l1d.sector, 32) / 32.0"
#define COUNTER_L2_SECTORS        "(l1d.read_bytes + l1d.write_bytes) / 32.0"
/* Reads of the L1s that a slice lacked: those that crossed, and those that missed at home. */
#define COUNTER_TEX_MISSES "(l2.hw_misses - l2.crossing_misses)"
#define COUNTER_L2_LIST(X)                                                                         \
    X(NCU, "lts__t_sectors_op_read.sum", NONE, ADDS, COUNTER_SECTORS("(l2.reads + l2.crossings)"), \
      "sectors read, by all clients of the L2")                                                    \
    X(NCU, "lts__t_sectors_srcunit_tex_op_read.sum", NONE, ADDS, COUNTER_SECTORS("l2.reads"),      \
      "sectors read by the L1s")                                                                   \
    X(NVPROF, "l2_read_transactions", NONE, ADDS, COUNTER_SECTORS("l2.reads"), "sectors read")     \
    X(NVPROF, "l2_tex_read_transactions", NONE, ADDS | COUNTER_TEXTURES,                           \
      COUNTER_SECTORS("l2.reads"), "sectors read by the L1s")                                      \
    X(NVPROF, "l2_l1_read_transactions", NONE, ADDS, COUNTER_SECTORS("l2.reads"),                  \
      "the same (Fermi, Kepler)")                                                                  \
    X(NVPROF, "l2_subp*_total_read_sector_queries", NONE, ADDS, COUNTER_SECTORS("l2.reads"),       \
      "sectors read, all slices")                                                                  \
    X(NCU, "lts__t_sectors_op_read_lookup_hit.sum", NONE, ADDS,                                    \
      COUNTER_SECTORS("(l2.reads - l2.read_misses)"), "sectors read that hit")                     \
    X(NCU, "lts__t_sectors_op_read_lookup_miss.sum", NONE, ADDS, COUNTER_SECTORS("l2.hw_misses"),  \
      "sectors read that miss")                                                                    \
    X(NCU, "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum", NONE, ADDS,                        \
      COUNTER_SECTORS("(l2.reads - " COUNTER_TEX_MISSES ")"), "of the L1s")                        \
    X(NCU, "lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum", NONE, ADDS,                       \
      COUNTER_SECTORS(COUNTER_TEX_MISSES), "of the L1s")                                           \
    X(NVPROF, "l2_subp*_read_sector_misses", NONE, ADDS, COUNTER_SECTORS("l2.read_misses"),        \
      "sectors read that miss, all slices")                                                        \
    X(NCU, "lts__t_sectors_op_write.sum", NONE, ADDS, "l1d.write_bytes / 32.0",                    \
      "sectors written, by all clients")                                                           \
    X(NCU, "lts__t_sectors_srcunit_tex_op_write.sum", NONE, ADDS, "l1d.write_bytes / 32.0",        \
      "sectors written by the L1s")                                                                \
    X(NVPROF, "l2_write_transactions", NONE, ADDS, "l1d.write_bytes / 32.0", "sectors written")    \
    X(NVPROF, "l2_tex_write_transactions", NONE, ADDS | COUNTER_TEXTURES,                          \
      "l1d.write_bytes / 32.0", "of the L1s")                                                      \
    X(NVPROF, "l2_l1_write_transactions", NONE, ADDS, "l1d.write_bytes / 32.0",                    \
      "the same (Fermi, Kepler)")                                                                  \
    X(NVPROF, "l2_subp*_total_write_sector_queries", NONE, ADDS, "l1d.write_bytes / 32.0",         \
      "sectors written, all slices")                                                               \
    X(NCU, "lts__t_sectors_op_write_lookup_hit.sum", NONE, ADDS, "l1d.write_bytes / 32.0",         \
      "sectors written, which count as hits")                                                      \
    X(NCU, "lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum", NONE, ADDS,                       \
      "l1d.write_bytes / 32.0", "of the L1s")                                                      \
    X(NCU, "lts__t_sectors.sum", NONE, ADDS,                                                       \
      COUNTER_L2_SECTORS " + " COUNTER_SECTORS("l2.crossings"), "sectors read and written")        \
    X(NCU, "lts__t_sectors_srcunit_ltcfabric.sum", NONE, ADDS, COUNTER_SECTORS("l2.crossings"),    \
      "sectors requested by the other half of the L2")                                             \
    X(NCU, "lts__t_sectors_srcunit_ltcfabric_lookup_miss.sum", NONE, ADDS,                         \
      COUNTER_SECTORS("l2.crossing_misses"), "... that miss")                                      \
    X(NCU, "lts__t_sectors_srcunit_ltcfabric_lookup_hit.sum", NONE, ADDS,                          \
      COUNTER_SECTORS("(l2.crossings - l2.crossing_misses)"), "... that hit")                      \
    X(NCU, "lts__t_sectors_srcunit_tex.sum", NONE, ADDS, COUNTER_L2_SECTORS, "of the L1s")         \
    X(NCU, "lts__t_bytes.sum", BYTES, ADDS, "l1d.read_bytes + l1d.write_bytes",                    \
      "bytes read and written")                                                                    \
    X(NCU, "lts__t_bytes_srcunit_tex.sum", BYTES, ADDS, "l1d.read_bytes + l1d.write_bytes",        \
      "of the L1s")                                                                                \
    X(NCU, "lts__t_bytes.sum.per_second", NONE, AVERAGED,                                          \
      COUNTER_RATE("(l1d.read_bytes + l1d.write_bytes)"), "bytes per second")                      \
    X(NCU, "lts__t_sectors_lookup_miss.sum", NONE, ADDS, COUNTER_SECTORS("l2.hw_misses"),          \
      "sectors that miss; writes count as hits")                                                   \
    X(NCU, "lts__t_sectors_srcunit_tex_lookup_miss.sum", NONE, ADDS,                               \
      COUNTER_SECTORS(COUNTER_TEX_MISSES), "of the L1s")                                           \
    X(NCU, "lts__t_sectors_lookup_hit.sum", NONE, ADDS,                                            \
      COUNTER_L2_SECTORS " - " COUNTER_SECTORS("l2.read_misses"),                                  \
      "sectors that hit, and all writes")                                                          \
    X(NCU, "lts__t_sectors_srcunit_tex_lookup_hit.sum", NONE, ADDS,                                \
      COUNTER_L2_SECTORS " - " COUNTER_SECTORS(COUNTER_TEX_MISSES), "of the L1s")                  \
    X(NCU, "lts__t_sectors_op_read.sum.per_second", NONE, AVERAGED,                                \
      COUNTER_RATE(COUNTER_SECTORS("(l2.reads + l2.crossings)")), "sectors read per second")       \
    X(NCU, "lts__t_sectors_srcunit_tex_op_read.sum.per_second", NONE, AVERAGED,                    \
      COUNTER_RATE(COUNTER_SECTORS("l2.reads")), "by the L1s")                                     \
    X(NCU, "lts__t_sectors_op_write.sum.per_second", NONE, AVERAGED,                               \
      COUNTER_RATE("l1d.write_bytes / 32.0"), "sectors written per second")                        \
    X(NCU, "lts__t_sectors_srcunit_tex_op_write.sum.per_second", NONE, AVERAGED,                   \
      COUNTER_RATE("l1d.write_bytes / 32.0"), "by the L1s")                                        \
    X(NVPROF, "l2_read_throughput", NONE, AVERAGED,                                                \
      COUNTER_RATE("32 * " COUNTER_SECTORS("l2.reads")), "bytes read per second")                  \
    X(NVPROF, "l2_tex_read_throughput", NONE, AVERAGED | COUNTER_TEXTURES,                         \
      COUNTER_RATE("32 * " COUNTER_SECTORS("l2.reads")), "by the L1s")                             \
    X(NVPROF, "l2_l1_read_throughput", NONE, AVERAGED,                                             \
      COUNTER_RATE("32 * " COUNTER_SECTORS("l2.reads")), "the same (Fermi, Kepler)")               \
    X(NVPROF, "l2_write_throughput", NONE, AVERAGED, COUNTER_RATE("l1d.write_bytes"),              \
      "bytes written per second")                                                                  \
    X(NVPROF, "l2_tex_write_throughput", NONE, AVERAGED | COUNTER_TEXTURES,                        \
      COUNTER_RATE("l1d.write_bytes"), "by the L1s")                                               \
    X(NVPROF, "l2_l1_write_throughput", NONE, AVERAGED, COUNTER_RATE("l1d.write_bytes"),           \
      "the same (Fermi, Kepler)")                                                                  \
    X(NCU, "lts__t_sector_hit_rate.pct", PERCENT, AVERAGED, "l2.hw_hit_rate",                      \
      "sector hit rate; writes count as hits")                                                     \
    X(DETAILS, "L2 Hit Rate", PERCENT, AVERAGED, "l2.hw_hit_rate", "lts__t_sector_hit_rate.pct")   \
    X(NVPROF, "l2_tex_hit_rate", PERCENT, AVERAGED | COUNTER_STORES_MISS, "l2.hw_hit_rate",        \
      "the same")                                                                                  \
    X(NCU, "lts__t_sector_op_read_hit_rate.pct", PERCENT, AVERAGED,                                \
      "(l2.reads - l2.read_misses) / (l2.reads + l2.crossings)", "sectors read that hit")          \
    X(NVPROF, "l2_tex_read_hit_rate", PERCENT, AVERAGED | COUNTER_TEXTURES,                        \
      "1 - l2.read_misses / l2.reads", "the same")                                                 \
    X(NVPROF, "l2_l1_read_hit_rate", PERCENT, AVERAGED, "1 - l2.read_misses / l2.reads",           \
      "the same (Fermi, Kepler)")

#define COUNTER_DRAM_LIST(X)                                                                       \
    X(NCU, "dram__bytes_read.sum", BYTES, ADDS, "l2.read_bytes", "bytes read from the DRAM")       \
    X(NVPROF, "dram_read_bytes", NONE, ADDS, "l2.read_bytes", "the same")                          \
    X(NCU, "dram__bytes_write.sum", BYTES, ADDS, "l2.write_bytes",                                 \
      "bytes written to the DRAM; what is dirty at the end of a launch stays")                     \
    X(NVPROF, "dram_write_bytes", NONE, ADDS, "l2.write_bytes", "the same")                        \
    X(NCU, "dram__bytes.sum", BYTES, ADDS, "l2.read_bytes + l2.write_bytes", "both")               \
    X(NCU, "fbpa__dram_read_bytes.sum", BYTES, ADDS, "l2.read_bytes", "bytes read, by partitions") \
    X(NCU, "fbpa__dram_write_bytes.sum", BYTES, ADDS, "l2.write_bytes",                            \
      "bytes written, by partitions")                                                              \
    X(NCU, "dram__sectors.sum", NONE, ADDS, "(l2.read_bytes + l2.write_bytes) / 32.0",             \
      "both, in sectors of 32 B")                                                                  \
    X(NCU, "fbpa__dram_read_sectors.sum", NONE, ADDS, "l2.read_bytes / 32.0",                      \
      "in sectors of 32 B, by partitions")                                                         \
    X(NCU, "fbpa__dram_write_sectors.sum", NONE, ADDS, "l2.write_bytes / 32.0",                    \
      "in sectors of 32 B, by partitions")                                                         \
    X(NCU, "dram__sectors_read.sum", NONE, ADDS, "l2.read_bytes / 32.0", "in sectors of 32 B")     \
    X(NVPROF, "dram_read_transactions", NONE, ADDS, "l2.read_bytes / 32.0", "the same")            \
    X(NVPROF, "fb_subp*_read_sectors", NONE, ADDS, "l2.read_bytes / 32.0", "the same, all parts")  \
    X(NCU, "dram__sectors_write.sum", NONE, ADDS, "l2.write_bytes / 32.0", "in sectors of 32 B")   \
    X(NVPROF, "dram_write_transactions", NONE, ADDS, "l2.write_bytes / 32.0", "the same")          \
    X(NVPROF, "fb_subp*_write_sectors", NONE, ADDS, "l2.write_bytes / 32.0",                       \
      "the same, all parts")                                                                       \
    X(NCU, "dram__bytes.sum.per_second", NONE, AVERAGED,                                           \
      COUNTER_RATE("(l2.read_bytes + l2.write_bytes)"), "bytes per second")                        \
    X(DETAILS, "Memory Throughput", NONE, AVERAGED,                                                \
      COUNTER_RATE("(l2.read_bytes + l2.write_bytes)"), "dram__bytes.sum.per_second")              \
    X(NCU, "dram__bytes_read.sum.per_second", NONE, AVERAGED, COUNTER_RATE("l2.read_bytes"),       \
      "bytes read per second")                                                                     \
    X(NVPROF, "dram_read_throughput", NONE, AVERAGED, COUNTER_RATE("l2.read_bytes"), "the same")   \
    X(NCU, "dram__bytes_write.sum.per_second", NONE, AVERAGED, COUNTER_RATE("l2.write_bytes"),     \
      "bytes written per second")                                                                  \
    X(NVPROF, "dram_write_throughput", NONE, AVERAGED, COUNTER_RATE("l2.write_bytes"), "the same") \
    X(NCU, "dram__throughput.avg.pct_of_peak_sustained_elapsed", PERCENT, NEAR, "dram.busy",       \
      "theirs is the busiest part of the DRAM")                                                    \
    X(NVPROF, "dram_utilization", NONE, NEAR, "10 * dram.busy", "likewise, a level from 0 to 10")  \
    X(DETAILS, "DRAM Throughput", PERCENT, NEAR, "dram.busy", "likewise")                          \
    X(DETAILS, "SOL DRAM", PERCENT, NEAR, "dram.busy", "likewise, until 2020")                     \
    X(DETAILS, "SOL FB", PERCENT, NEAR, "dram.busy", "likewise, until 2019")

struct counter_row {
    enum profile_tool tool;
    const char *name;
    enum unit unit;
    unsigned traits; /* of enum counter_trait */
    const char *expression, *definition;
};

extern const struct counter_row counter_table[];
extern const size_t counter_count;

/* Whether one of the names of a row, which may be a sum and have a '*', is this counter; `part` is
 * which of the summands, from 0. */
bool counter_names(const struct counter_row *row, enum profile_tool tool, const char *name,
                   bool percent, size_t *part);
/* Why the definition of a row is another one than ours on GPUs of a compute capability (61 is 6.1;
 * 0: not known), or NULL if it is the same. */
const char *counter_near(const struct counter_row *row, unsigned capability);
/* The number of summands in a row's name. */
size_t counter_parts(const struct counter_row *row);
