/* Counts in the background how many points of a planned sweep are legal, and which rules and
 * conditions remove the others (Sweep pane). The count may take seconds on a large space, so it
 * runs on a worker; each result carries the number of its question, and older ones are ignored. */
#pragma once

#include "explore/space/space.h"
#include "ui/jobs/worker.h"

enum { CENSUS_REASONS = 8 };

struct census_reason { /* why a rule removes the first machine that it removes */
    const char *rule;
    char text[200];
};

struct census_result {
    uint64_t asked;     /* number of the question, the caller's */
    struct study study; /* of the census, which names its conditions; its budgets are solved */
    char message[200];  /* why they are not; "" where they are */
    size_t axis_count;  /* in front of those that solve a budget */
    uint64_t points;    /* legal or not */
    enum status status; /* STATUS_UNSUPPORTED: more points than anybody counts */
    struct census census;
    struct census_reason reasons[CENSUS_REASONS];
    size_t reason_count;
};

/* The reason text of a rule, or NULL. */
const char *census_reason(const struct census_result *result, const char *rule);

/* Starts the job. Takes over the study, even on failure. STATUS_MEMORY. */
enum status census_job_start(struct worker *worker, struct study *study, uint64_t asked);
void census_result_free(struct census_result *result); /* NULL is allowed */
