/* Merges several stores of one study into one: those of shards, or of runs on several computers.
 *
 * Invariants: merging the same inputs again changes nothing. Nothing is taken from an input that
 * conflicts; the inputs merged before it stay. */
#pragma once

#include "explore/store/store.h"

struct merge_result {
    uint64_t points; /* in the target afterwards */
    uint64_t added;
    uint64_t equal; /* points that were there already with the same values */
};

/* Puts every point of the stores inputs[0..count) into the store `target`, and makes it if it does
 * not exist. Returns STATUS_CONFLICT and says what differs: before anything is written, if the
 * studies, workloads or evaluators are not the same; and when a point has other values than before,
 * since evaluation is deterministic and one of the two must be wrong. If an input is a summary, so
 * is the target (explore/store/summary_merge.h says what can be merged). */
enum status store_merge(const char *target, const char *const *inputs, size_t count,
                        struct merge_result *result, struct diagnostics *diagnostics);

/* Does the same for one input and a store that is open for writing. */
enum status store_take(struct store *store, const char *input, struct merge_result *result,
                       struct diagnostics *diagnostics);
