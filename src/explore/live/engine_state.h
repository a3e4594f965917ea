/* Internal to explore/live/engine.h: the state that the screen, the live thread and the sweep
 * thread share. One mutex protects it; the threads release it while they work. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "explore/live/engine.h"
#include "explore/live/live_answers.h"
#include "model/cache/pc_table.h"
#include "model/reuse/distance_histogram.h"
#include "model/timing/base/timing_log.h"

/* A question and the state of its answer. It gets a new turn each time it is asked or must be
 * answered again. Only an answer to the newest turn counts. */
struct question {
    uint64_t asked, answered; /* turns; 0 for never */
    double since;             /* clock when it was asked */
};

/* What a run leaves behind for a detail. */
struct detail_results {
    struct reuse_histogram histogram;
    struct pc_table pcs;
    struct timing_log log;
};
void detail_results_free(struct detail_results *results);

struct engine {
    int threads, fd;
    int live_threads; /* of one evaluation at a depth whose models use several */
    pthread_t live, sweeper, keeper;
    atomic_bool cancel_live, cancel_sweep;

    pthread_mutex_t lock; /* protects everything up to the next comment line */
    pthread_cond_t live_wake, sweep_wake, keeper_wake;
    bool quit;
    uint64_t turns, requests;
    struct question workload, evaluation, detail, curve;
    struct machine curve_machine, detail_machine;
    enum depth depth;
    enum assumed_dependences assumed;
    uint64_t subject;    /* turn of the newest workload or depth; answers to older ones are void */
    uint64_t evaluating; /* turn of the running evaluation; 0 for none */
    double linger_until; /* clock; 0 once it has published what was worth waiting for */
    bool sweeping;       /* from engine_start_sweep until the sweep thread is done */
    struct study study;
    struct engine_snapshot state;
    struct trace_launch *launches; /* `state.launches` of them, once the workload is open */

    /* Used by the live thread only. */
    struct trace_source *source;       /* NULL if there is none or it could not be opened */
    uint64_t looked_from;              /* turn of the evaluation whose neighbours it evaluates */
    size_t looks;                      /* neighbours considered so far */
    double exact_seconds[DEPTH_COUNT]; /* of the last full walk of the source; negative if none */
    struct live_answers *answers;      /* for this source */
    /* What the last exact run at depth timing left, and of which machine: a detail of it takes no
     * run of its own. If `run.log.times` is empty there is none. */
    struct detail_results run;
    struct machine run_machine;
};

/* Forgets how long exact answers took. */
void engine_forget_times(struct engine *engine);

/* Marks the snapshot as newer. Call it with the lock held. */
void engine_publish(struct engine *engine);

/* Whether the running evaluation may go on although another machine was asked for. It may if it is
 * for the same workload and depth, until its exact counts are published or its time is up. This is
 * the only place that decides what happens while a key is held down. Call it with the lock held. */
bool engine_lingers(const struct engine *engine);

/* Writes what went wrong as one line: the first error, and how many more there are. */
void engine_describe(const struct diagnostics *diagnostics, enum status status,
                     char message[ENGINE_MESSAGE]);

/* Evaluates one neighbour of the machine on the screen, when the live thread has nothing else to
 * do. Releases the lock meanwhile. Returns false if no neighbour is left and nothing was asked. */
bool engine_look_ahead(struct engine *engine);

/* The main function of the live thread; the argument is the struct engine. */
void *engine_live(void *engine);
