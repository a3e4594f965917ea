/* Looks for a wish in the background (explore/wishes/wish_search.h), as `warpscape want` does: what
 * there is of the answer comes after each round (answer_publish). What has run is remembered in the
 * stage cache. It runs at a lower priority than the engine, so that tuning always goes first. */
#pragma once

#include "explore/wishes/wish_search.h"
#include "trace/assumed.h"
#include "ui/jobs/worker.h"

enum { WISH_TEXT = 512 };

struct wish_query {
    char text[WISH_TEXT];
    enum assumed_dependences assumed;
    int threads; /* 0: all */
};

struct wish_answer {
    struct answer answer;
    struct wish_query query;
    struct study study; /* machine, workload, depth, and axes, if any are named; the search takes it
                         * over */
    struct wish_result result;
};

extern const struct job_kind wish_job;
/* NULL: no memory. The study goes to the question; it is freed where there is none. */
struct wish_answer *wish_question_new(const struct wish_query *query, struct study *study);
