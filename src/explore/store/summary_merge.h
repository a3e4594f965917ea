/* Inside of explore/store/store_merge.h: putting stores into a summary.
 *
 * A summary has counted its points into sums, and what was counted cannot be taken out again. So
 * whole inputs are chosen: those whose points no other has, and of those that share points the one
 * that has all of them (a later attempt at the same shard). Then fronts and best points merge,
 * marginals add, bitmaps or. What the target held is one more input: where the others have all of
 * it, it is made anew. The rows and the counts do not depend on the order of the inputs; the sums
 * do in their last digits, as those of one run do. */
#pragma once

#include "explore/store/store_merge.h"

/* The inputs are of the target's study. STATUS_CONFLICT, before anything is written, where two
 * inputs share some of their points only, and where points or marginals that should be equal
 * differ. All in one transaction. */
enum status summary_merge(struct store *target, const char *const *inputs, size_t count,
                          struct merge_result *result, struct diagnostics *diagnostics);
