/* Counts of single loads in the expressions of an experiment, load.NAME: of one run, in the L1Ds of
 * all its SMs. The loads of a run are those that reached an L1D, numbered from 1 by kernel and
 * address; loads beyond EXPERIMENT_LOADS_MAX have no counts.
 *
 * A count of instructions comes from a run of its own (struct evaluate_options, pcs), with all its
 * metrics; the stage cache remembers both. */
#pragma once

#include "base/diag.h"
#include "config/experiment_file.h"
#include "explore/plan/stage_cache.h"
#include "model/cache/pc_table.h"
#include "model/evaluate.h"

/* X(name, its value in a struct pc_count `c`, help). What a model does not count is 0. */
#define LOAD_COUNT_LIST(X)                                                                         \
    X(pc, c->pc, "address of the instruction")                                                     \
    X(accesses, c->accesses, "accesses of the L1D")                                                \
    X(misses, c->misses, "misses of the L1D")                                                      \
    X(miss_rate, (double)c->misses / (double)c->accesses, "misses per access")                     \
    X(pending, c->pending, "accesses that joined a line in flight")                                \
    X(executions, c->executions.count, "executions by warps that the L1D served")                  \
    X(mean, pc_executions_mean(&c->executions), "mean miss rate of executions")                    \
    X(deviation, pc_executions_error(&c->executions, 1), "standard deviation of that rate")        \
    X(latency, (double)c->load_cycles / (double)c->loads, "mean cycles until the data are there")  \
    X(stalls, c->stalls, "cycles in which schedulers waited for it")                               \
    X(allocated, c->taken, "misses that allocated a line")                                         \
    X(bypassed, c->bypassed, "misses that bypassed the L1D")                                       \
    X(evicted, c->evicted, "its evicted lines that the bypass policy counted")                     \
    X(rehits, c->rehits, "hits of these lines")                                                    \
    X(since, c->since ? (double)c->since - 1 : NAN, "cycle of the first bypassed miss")            \
    X(passing, c->passing, "L1Ds and launches in which it was bypassed")                           \
    X(missing, c->missing, "L1Ds and launches in which it missed")

#define LOAD_COUNT_NUMBER(name, value, help) LOAD_##name,
enum load_count { LOAD_COUNT_LIST(LOAD_COUNT_NUMBER) LOAD_COUNTS };
#undef LOAD_COUNT_NUMBER

struct load_count_row {
    const char *name, *help;
};
extern const struct load_count_row load_counts[LOAD_COUNTS];

/* The count called "load.NAME"; LOAD_COUNTS: none. */
enum load_count load_count_find(const char *name);

struct experiment_loads {
    double counts[EXPERIMENT_LOADS_MAX][LOAD_COUNTS]; /* NaN beyond `count` */
};

/* Runs a workload on a machine for the counts of its loads, or remembers them. Of `options` uses
 * depth, needs and cancel. STATUS_MEMORY, or as evaluate fails. */
enum status experiment_loads_run(const struct machine *machine, const struct trace_source *source,
                                 const struct evaluate_options *options, struct stage_cache *cache,
                                 struct metrics *metrics, struct experiment_loads *loads,
                                 struct diagnostics *diagnostics);
