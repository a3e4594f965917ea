/* Inside of explore/live/engine.h: the mailbox that the screen, the live thread and the sweep
 * thread share. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "explore/live/engine.h"
#include "explore/live/live_answers.h"

/* A question and how far it is: each time it is put, or has to be answered anew, it gets a new
 * turn, and an answer counts only if it is that of the newest turn. */
struct question {
    uint64_t asked, answered; /* turns; 0 = never */
    double since;             /* seconds, when it was put */
};

struct engine {
    int threads, fd;
    pthread_t live, sweeper, keeper;
    atomic_bool cancel_live, cancel_sweep;

    pthread_mutex_t lock; /* everything below, up to the next comment */
    pthread_cond_t live_wake, sweep_wake, keeper_wake;
    bool quit;
    uint64_t turns, requests;
    struct question workload, evaluation, detail, curve;
    struct machine curve_machine, detail_machine;
    enum depth depth;
    uint64_t subject;    /* turn of the newest workload or depth: what is of an older one is void */
    uint64_t evaluating; /* turn of the evaluation under way; 0: none is */
    double linger_until; /* clock; 0: it has published what is worth waiting for */
    bool sweeping;       /* from engine_start_sweep until its thread is done with it */
    struct study study;
    struct engine_snapshot state;

    /* Of the live thread alone. */
    struct trace_source *source;  /* NULL: none, or it could not be opened */
    uint64_t looked_from;         /* turn of the evaluation around which it looks ahead */
    size_t looks;                 /* at neighbours of it, so far */
    double exact_seconds;         /* that the last walk over all of it took; negative: not known */
    struct live_answers *answers; /* of this source */
};

/* The state has changed: rings. With the lock held. */
void engine_publish(struct engine *engine);

/* Whether the evaluation under way may go on although another machine was asked for: one of the
 * same workload and depth, until its exact counts are published or its time is up. The one rule of
 * a held knob. With the lock held. */
bool engine_lingers(const struct engine *engine);

/* What went wrong as one line: the first error and how many follow it. */
void engine_describe(const struct diagnostics *diagnostics, enum status status,
                     char message[ENGINE_MESSAGE]);

/* The live thread has nothing to do: works out one neighbour of the machine on the screen, with the
 * lock released while it does. False: there is none left, and nothing was asked. */
bool engine_look_ahead(struct engine *engine);

/* The threads' functions. */
void *engine_live(void *engine);
void *engine_sweeper(void *engine);
void *engine_keeper(void *engine);
