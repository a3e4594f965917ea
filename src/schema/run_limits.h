/* The limits that a timed run compares its counts with: requests that wait, entries in use, flits
 * in a buffer.
 *
 * A run depends on such a limit only through the outcomes of these comparisons, so one run answers
 * for every machine whose limits give the same outcomes (model/timing/run_proof.h). The models keep
 * a limit as a struct limit (model/timing/base/limit.h), and no other code reads one. A new limit
 * is one row here, and its struct limit a line of run_proof.c. What limits the blocks of an SM is
 * compared with in closed form (occupancy_keeps of model/gpu/occupancy.h). */
#pragma once

#include <stdint.h>

#include "schema/machine.h"

/* X(ID, path, field): a parameter. S(ID, name, sum): a sum of parameters of a machine `m`, which
 * have rows of their own. */
#define RUN_LIMIT_LIST(X, S)                                                                       \
    X(CORE_RESPONSES, "core.responses", core.responses)                                            \
    X(L1I_ENTRIES, "l1i.mshr.entries", l1i.entries)                                                \
    X(L1I_MERGE, "l1i.mshr.merge", l1i.merge)                                                      \
    X(L1I_MISS_QUEUE, "l1i.miss_queue", l1i.miss_queue)                                            \
    X(L1D_ENTRIES, "l1d.mshr.entries", l1d.mshr.entries)                                           \
    X(L1D_MERGE, "l1d.mshr.merge", l1d.mshr.merge)                                                 \
    X(L1D_MISS_QUEUE, "l1d.miss_queue", l1d.miss_queue)                                            \
    X(L2_ENTRIES, "l2.mshr.entries", l2.mshr.entries)                                              \
    X(L2_MERGE, "l2.mshr.merge", l2.mshr.merge)                                                    \
    X(L2_MISS_QUEUE, "l2.miss_queue", l2.miss_queue)                                               \
    X(L2_QUEUE, "l2.queue", l2.queue)                                                              \
    X(NETWORK_QUEUE, "network.queue", network.queue)                                               \
    X(NETWORK_INJECT, "network.inject", network.inject)                                            \
    X(NETWORK_EJECTED, "network.ejected", network.ejected)                                         \
    X(DRAM_QUEUE, "dram.queue", dram.queue)                                                        \
    X(DRAM_RETURNS, "dram.returns", dram.returns)                                                  \
    S(DRAM_CREDITS, "dram.queue + dram.returns", m->dram.queue + m->dram.returns)                  \
    X(WALKER_QUEUE, "walker.queue", walker.queue)                                                  \
    X(WALKER_COUNT, "walker.count", walker.count)                                                  \
    X(GPU_BLOCKS, "gpu.max_blocks", gpu.max_blocks)                                                \
    X(GPU_SHARED, "gpu.shared_memory", gpu.shared_memory)                                          \
    X(GPU_REGISTERS, "gpu.registers", gpu.registers)

enum run_limit {
#define RUN_LIMIT_ENUM(id, name, amount) RUN_LIMIT_##id,
    RUN_LIMIT_LIST(RUN_LIMIT_ENUM, RUN_LIMIT_ENUM)
#undef RUN_LIMIT_ENUM
        RUN_LIMITS
};

/* Its parameter, or its sum of parameters. */
const char *run_limit_name(enum run_limit limit);
uint64_t run_limit_of(const struct machine *machine, enum run_limit limit);
/* Sets all of them to 0, so that machines compare equal that differ in nothing else. */
void run_limits_clear(struct machine *machine);
