/* Internal to explore/sweep/sweep_cost.h: how long a pass will take, from reports of its head.
 * Pure: a report is a time and the share of the source that was done by then, and the clock is the
 * caller's. What comes before the first report, such as building the tree of stages, does not scale
 * with the source; nor does what comes while the processor's caches still fill. O(1) a report. */
#pragma once

#include <stdbool.h>

struct pass_head {
    /* Given by the caller: */
    double start;   /* the time at which the pass began */
    double most;    /* seconds after the first report in which the head is usually seen */
    double longest; /* where those were too short: seconds after which to stop all the same */
    /* Filled by reports: */
    double first;              /* time of the first report of a share; 0: none yet */
    double begin, begin_share; /* where the extrapolation begins */
    double now, share;         /* and where it ends */
};

/* Takes a report; those of share 0 say nothing. Returns whether enough of the pass was seen. */
bool pass_head_report(struct pass_head *head, double now, double share);

/* Seconds of the whole pass; 0 if no share was reported. */
double pass_head_seconds(const struct pass_head *head);
