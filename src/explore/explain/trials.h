/* Runs experiments on one workload: a machine each, and what is changed about its run. All that an
 * explanation says comes from these.
 *
 * Invariant: a result is that of the whole run, to the digit; an experiment that a limit of time
 * or the user cut short has none. Experiments that must have equal results (stage_key) run once,
 * and what the stage cache knows does not run. Cost: one evaluation for each of the others; at a
 * depth with DEPTH_GROUPED those with one stream share passes. */
#pragma once

#include <stdatomic.h>

#include "explore/plan/stage_cache.h"
#include "model/evaluate.h"
#include "model/gpu/block_placement.h"

struct trial {              /* the fields after the machine as in struct evaluate_options */
    struct machine machine; /* without violations (machine_check) */
    struct ideal_set ideals;
    uint32_t start_delay;
    const struct block_placement *placement;
};

enum trial_state {
    TRIAL_SKIPPED, /* the user or the limit of time came first */
    TRIAL_REFUSED, /* the workload does not fit the machine */
    TRIAL_RAN
};

struct trial_result {
    enum trial_state state;
    uint64_t placed;        /* block_placement_hash of where its blocks lay; 0: not known */
    struct metrics metrics; /* with those of the area stage; only of one that ran */
};

struct trials_options {
    const struct trace_source *source;
    enum depth depth;
    unsigned needs;            /* mask of NEED_... */
    struct stage_cache *cache; /* NULL: nothing is remembered */
    int threads;               /* 0: all; results do not depend on it */
    double time_limit;         /* seconds; 0: none */
    const atomic_bool *cancel; /* may be NULL */
    /* Called about ten times a second by one thread at a time; may be NULL. */
    void (*progress)(void *argument, double share);
    /* Called after results came and trials_watch took them; likewise. */
    void (*grown)(void *argument);
    void *argument;
};

struct trials_count {
    size_t planned;  /* experiments that were asked for */
    size_t done;     /* of these, those with a result */
    size_t repeated; /* of these, equal to an earlier one or remembered: not run */
};

struct trials;

/* The options are copied; source and cache must outlive the trials. NULL: no memory. */
struct trials *trials_open(const struct trials_options *options);
void trials_free(struct trials *trials); /* NULL is allowed */

/* Runs experiments side by side. STATUS_CANCELLED: stopped by the user or the limit of time, and
 * what had ended by then has results. STATUS_MEMORY. `results` fill up while it runs: the others
 * are TRIAL_SKIPPED. */
enum status trials_run(struct trials *trials, const struct trial *items, size_t count,
                       struct trial_result *results, struct diagnostics *diagnostics);

/* From now on `take` is called when results came, by one thread at a time: it makes of them what
 * there is to see. NULL: nothing does. */
void trials_watch(struct trials *trials, void (*take)(void *context), void *context);

/* Records where the blocks of a machine's own run lie; the caller frees *placement in any case. Its
 * count is 0 where nothing was launched, or no time passes. STATUS_CANCELLED, STATUS_MEMORY, and
 * those of evaluate. Cost: a run, unless that run was the first of these experiments. */
enum status trials_place(struct trials *trials, const struct machine *machine,
                         struct block_placement *placement, struct diagnostics *diagnostics);

/* About how many more experiments will be asked for: progress is a share of all of them. */
void trials_expect(struct trials *trials, size_t more);

struct trials_count trials_counted(const struct trials *trials);
