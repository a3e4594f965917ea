/* Counts in the background how many points of a planned sweep are legal, and which rules and
 * conditions remove the others (Sweep pane). The count may take seconds on a large space, so it
 * runs on a worker. */
#pragma once

#include "explore/space/space.h"
#include "ui/jobs/worker.h"

enum { CENSUS_REASONS = 8 };

struct census_reason { /* why a rule removes the first machine that it removes */
    const char *rule;
    char text[200];
};

struct census_result {
    struct answer answer; /* the message says why budgets are not solved, else "" */
    struct study study;   /* of the census, which names its conditions; its budgets are solved */
    size_t axis_count;    /* in front of those that solve a budget */
    uint64_t points;      /* legal or not */
    struct census census;
    struct census_reason reasons[CENSUS_REASONS];
    size_t reason_count;
};

/* The reason text of a rule, or NULL. */
const char *census_reason(const struct census_result *result, const char *rule);

extern const struct job_kind census_job;
/* Takes over the study, even on failure. NULL: no memory. */
struct census_result *census_result_new(struct study *study);
