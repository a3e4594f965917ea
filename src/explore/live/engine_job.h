/* Inside of explore/live/engine.h: what the live thread's answers share. */
#pragma once

#include "explore/live/engine_state.h"

/* Of the source in a first estimate. */
#define FIRST_SHARE 0.02

/* How long after its beginning an evaluation whose machine was left may go on; and at a depth
 * without estimates, where nothing else would show that a held knob does anything. */
#define LINGER_SECONDS       0.4
#define LINGER_SECONDS_ALONE 1.0

/* What an answer needs to know of its question. */
struct job {
    struct engine *engine;
    struct question *question;
    uint64_t turn;
    enum depth depth;
};

struct evaluation_job {
    struct job job;
    double since;                 /* clock, when it was asked for */
    struct engine_evaluation own; /* as it was asked, and what was found so far */
    bool late; /* its counts take longer than it may linger, as far as that is known */
};

/* Takes the lock and tells whether the question still stands; with false it is released again. */
bool job_lock(const struct job *job);
void job_unlock(const struct job *job);

/* Whether the exact answer comes soon enough without an estimate. */
bool evaluation_is_quick(struct engine *engine, const struct machine *machine, unsigned needs);

void answer_evaluation(struct evaluation_job *job);
