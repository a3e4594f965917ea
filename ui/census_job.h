/* What the rules and conditions leave of a planned sweep, counted in the background (Sweep pane).
 */
#pragma once

#include "explore/space/space.h"
#include "ui/worker.h"

struct census_result {
    uint64_t asked;     /* number of the question, the caller's */
    struct study study; /* of the census, which names its conditions */
    uint64_t points;    /* legal or not */
    enum status status; /* STATUS_UNSUPPORTED: more points than anybody counts */
    struct census census;
};

/* Takes the study, also where it fails. */
enum status census_job_start(struct worker *worker, struct study *study, uint64_t asked);
void census_result_free(struct census_result *result); /* NULL is allowed */
