/* The metrics of each launch by itself, from those of all launches so far.
 *
 * A metric that adds up is a count, of accesses or of bytes; rates and ratios are derived again
 * from the counts of a part. What neither adds up nor is derived (means, percentiles, areas) is not
 * known of a part, and NaN. Invariant: the parts of a metric that adds up sum up to that of the
 * run. */
#pragma once

#include "model/timing/base/timing_log.h"

/* Whether the metric of a run is the sum of those of its parts. */
bool metric_adds(const struct metric *metric);

struct launch_parts {
    struct timing_parts *parts;
    struct metrics before; /* of the launches before the next one; all NaN at first */
    enum status status;    /* STATUS_MEMORY: some are missing */
};

/* `launched` of struct evaluate_options; the context is a struct launch_parts. */
void launch_parts_add(void *context, uint32_t launch, const struct metrics *so_far);
