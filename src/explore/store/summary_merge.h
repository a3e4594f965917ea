/* Internal to explore/store/store_merge.h: merging stores into a summary.
 *
 * A summary has added its points into sums, and they cannot be taken out again. So the merge
 * chooses whole inputs: those whose points no other input has, and among those that share points
 * the one that has all of them (a later attempt at the same shard). Then fronts and best points
 * merge, marginals add up, and bitmaps are or-ed. What the target held is one more input; if the
 * others have all of its points, it is made anew.
 *
 * Invariant: rows and counts do not depend on the order of the inputs. The sums do in their last
 * digits, as those of a single run do. */
#pragma once

#include "explore/store/store_merge.h"

/* All inputs must be of the target's study. Works in one transaction. Returns STATUS_CONFLICT,
 * before anything is written, if two inputs share only some of their points, or if points or
 * marginals that should be equal differ. */
enum status summary_merge(struct store *target, const char *const *inputs, size_t count,
                          struct merge_result *result, struct diagnostics *diagnostics);
