/* Putting the results of several stores of one study into one: of shards, or of runs on several
 * machines. */
#pragma once

#include "explore/store/store.h"

struct merge_result {
    uint64_t points; /* in the target in the end */
    uint64_t added;
    uint64_t equal; /* points that were there already, with the same values */
};

/* Puts every point of the stores inputs[0..count) into the store `target`, which is made where
 * there is none. May be repeated with the same inputs and changes nothing then. STATUS_CONFLICT,
 * saying what differs, where the studies, workloads or evaluators are not the same, before anything
 * is written; and where a point has other values than before: evaluation is deterministic, so one
 * of the two is wrong. Of such an input nothing is taken, those before it stay. Where an input is a
 * summary, so is the target (explore/store/summary_merge.h says what can be merged). */
enum status store_merge(const char *target, const char *const *inputs, size_t count,
                        struct merge_result *result, struct diagnostics *diagnostics);

/* The same for a store that is open for writing and one input. */
enum status store_take(struct store *store, const char *input, struct merge_result *result,
                       struct diagnostics *diagnostics);
