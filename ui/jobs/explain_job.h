/* Explains a number in the background (explore/explain/explain.h), as `warpscape explain` does:
 * what there is of the answer comes while experiments run (answer_publish). Results are remembered
 * in the stage cache, so an explanation that was cut short by an edit costs nothing twice. It runs
 * at a lower priority than the engine, so that tuning always goes first. */
#pragma once

#include "explore/explain/explain.h"
#include "trace/assumed.h"
#include "ui/jobs/worker.h"

struct explain_query {
    char workload[256];
    enum assumed_dependences assumed;
    struct machine machine;
    enum depth depth;
    const struct metric *metric; /* NULL: time, or else misses */
    unsigned parts;              /* of enum explain_part */
    double patience;             /* seconds to wait, in case of a newer question */
    int threads;                 /* 0: all */
};

struct explain_result {
    struct answer answer;
    struct explain_query query;
    struct explanation explanation; /* its metric is NULL: nothing is known yet */
};

extern const struct job_kind explain_job;
/* NULL: no memory. */
struct explain_result *explain_result_new(const struct explain_query *query);
/* Whether two queries are about the same numbers, whatever parts are asked for. */
bool explain_query_same(const struct explain_query *a, const struct explain_query *b);
