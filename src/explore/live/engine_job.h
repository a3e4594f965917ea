/* Internal to explore/live/engine.h: what the sources that answer questions on the live thread
 * share. */
#pragma once

#include "explore/live/engine_state.h"

/* The share of the source that a first estimate samples. */
#define FIRST_SHARE 0.02

/* Which question an answer belongs to. */
struct job {
    struct engine *engine;
    struct question *question;
    uint64_t turn;
    enum depth depth;
};

struct evaluation_job {
    struct job job;
    double since;                 /* clock when it was asked */
    struct engine_evaluation own; /* as published: the request, and the values so far */
    bool late; /* as far as known, its counts will take longer than it may linger */
};

/* Takes the lock if the question is still current. If not, returns false without the lock. */
bool job_lock(const struct job *job);
void job_unlock(const struct job *job);

/* Whether the exact answer comes so soon that an estimate is not worth it. */
bool evaluation_is_quick(struct engine *engine, const struct machine *machine, enum depth depth,
                         unsigned needs);

/* Writes a sorted table of instructions into a detail. */
void engine_list_pcs(const struct pc_table *pcs, struct engine_detail *detail);

/* Writes what a run has counted so far into its detail, which may show more already: the evaluation
 * of the same machine comes before the detail and shows its counts there. */
void engine_show_pcs(const struct pc_table *so_far, struct engine_detail *detail);

/* Evaluates the machine of the job and publishes each step. */
void answer_evaluation(struct evaluation_job *job);
