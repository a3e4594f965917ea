/* Internal to explore/sweep/sweep_cost.h: how long a pass will take, from reports of its head.
 * A head on its own that says something else when it is twice as long says too little, and goes on.
 * Pure: a report is a time and the share of the source that was done by then, and the clock is the
 * caller's. What comes before the first report, such as building the tree of stages, does not scale
 * with the source; nor does what comes while the processor's caches still fill. O(1) a report. */
#pragma once

#include <stdbool.h>

struct pass_head {
    /* Given by the caller: */
    double start;   /* the time at which the pass began */
    double most;    /* seconds after the first report in which the head is usually seen */
    double longest; /* where those say too little: seconds after which to stop all the same */
    bool alone;     /* it is not compared with other heads, and may be longer than they are */
    /* Filled by reports: */
    double first;              /* time of the first report of a share; 0: none yet */
    double begin, begin_share; /* where the extrapolation begins */
    double now, share;         /* and where it ends */
    double check, said;        /* after so long the next check, and what was said at the last */
    bool agreed;               /* the last two checks did */
};

/* Takes a report; those of share 0 say nothing. Returns whether enough of the pass was seen. */
bool pass_head_report(struct pass_head *head, double now, double share);

/* Seconds of the whole pass; 0 if no share was reported. */
double pass_head_seconds(const struct pass_head *head);
