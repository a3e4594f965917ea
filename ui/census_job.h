/* What the rules and conditions leave of a planned sweep, counted in the background (Sweep pane).
 */
#pragma once

#include "explore/space/space.h"
#include "ui/worker.h"

enum { CENSUS_REASONS = 8 };

struct census_reason { /* why a rule removes the first machine that it does */
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

/* The reason of a rule, or NULL. */
const char *census_reason(const struct census_result *result, const char *rule);

/* Takes the study, also where it fails. */
enum status census_job_start(struct worker *worker, struct study *study, uint64_t asked);
void census_result_free(struct census_result *result); /* NULL is allowed */
