/* Internal to explore/plan/planner.h: cutting settings into passes. The planner and the search
 * evaluator share it. explore/plan/pass_cut.c explains where the cuts fall and why. */
#pragma once

#include "explore/plan/planner.h"

/* How many levels one pass may simulate for settings that do not share their first level, and how
 * many cheap levels after one first level count as one of them. */
enum { PASS_LEVELS = 16, CHEAP_LEVELS = 8 };

/* A rough limit on the memory of one pass. */
#define PASS_BYTES ((uint64_t)2 << 30)

/* A setting to simulate on one workload. pass_item_compare sorts items so that those that share
 * work are adjacent; families that share no first levels, and levels, are in the order of their
 * ranks. */
struct pass_item {
    uint32_t stream, family, first, level; /* as in struct setting */
    uint32_t family_rank, level_rank;      /* pass_rank; 0 leaves the order of their numbers */
    uint32_t number;                       /* the caller's own; breaks ties */
    bool shared, cheap;                    /* as in struct setting */
    uint64_t bytes;                        /* estimate of its memory in a pass */
};

int pass_item_compare(const struct pass_item *left, const struct pass_item *right);

/* Ranks the items of one workload, sorts them and so makes neighbours, and thus each pass, show all
 * values of the axes of `part` evenly: families within their stream, and the levels of families
 * that do not fit a pass of `most` levels. */
enum status pass_rank(const struct part *part, struct pass_item *items, size_t count, size_t most,
                      uint64_t seed);

/* How many levels one pass may simulate, given the number of levels over all workloads and streams.
 * Counts only settings that do not share their first level. */
size_t pass_levels(size_t levels, enum depth depth, int threads);

/* Into how many groups to split a pass (struct evaluate_options), given that it is one of `passes`
 * and that `following` passes come after it. Only the last passes are split, because threads that
 * find no pass of their own help with those. Passes over shared levels get fewer groups, because
 * each group prepares the requests again. */
size_t pass_groups_wanted(size_t passes, size_t following, bool shared, int threads);

/* Cuts the sorted items of one part and workload into passes; ends[i] is where pass i ends. A pass
 * has at most `most` levels of settings that do not share their first level. With `early`, the
 * first passes of many are smaller, so that there is something to see soon. `ends` needs room for
 * `count` entries. Returns the number of passes. */
size_t pass_cut(const struct pass_item *items, size_t count, size_t most, bool early, size_t *ends);

/* Estimates the memory that a machine needs in a pass. */
uint64_t plan_machine_bytes(const struct machine *machine, unsigned needs);

/* Fills plan->order and plan->tasks. */
enum status plan_tasks(struct plan *plan, int threads, const double *sizes);
