/* Inside of explore/plan/planner.h: cutting settings into passes, for the planner and for searches.
 */
#pragma once

#include "explore/plan/planner.h"

/* Most levels of one pass, of settings that do not share their first one; and how many cheap levels
 * behind one first level count as one. */
enum { PASS_LEVELS = 16, CHEAP_LEVELS = 8 };

/* Rough bytes that one pass may hold. */
#define PASS_BYTES ((uint64_t)2 << 30)

/* A setting that has to be simulated on one workload. Items are sorted by pass_item_compare, which
 * puts what goes together side by side. */
struct pass_item {
    uint32_t stream, family, first, level; /* as in struct setting */
    uint32_t number;                       /* the owner's; the last thing to sort by */
    bool shared, cheap;                    /* likewise */
    uint64_t bytes;                        /* about what it needs in a pass */
};

int pass_item_compare(const struct pass_item *left, const struct pass_item *right);

/* The most levels of settings that do not share their first one in one pass, where there are so
 * many of all workloads and streams. */
size_t pass_levels(size_t levels, enum depth depth, int threads);

/* Into how many groups a pass is dealt (struct evaluate_options) that is one of `passes` and before
 * `following` others: threads without a pass of their own will come and help with the last ones.
 * Groups of shared levels each prepare the requests for themselves: fewer do. */
size_t pass_groups_wanted(size_t passes, size_t following, bool shared, int threads);

/* Cuts the items of one part and workload into passes of at most `most` levels of settings that do
 * not share their first one; ends[i] is where pass i ends. `ends` has room for all items. Returns
 * how many passes there are. */
size_t pass_cut(const struct pass_item *items, size_t count, size_t most, size_t *ends);

/* About what a machine needs in a pass. */
uint64_t plan_machine_bytes(const struct machine *machine, unsigned needs);

/* Fills plan->order and plan->tasks. */
enum status plan_tasks(struct plan *plan, int threads, const double *sizes);
