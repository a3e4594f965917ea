#include "model/launch_parts.h"

#include <math.h>

#include "base/memory.h"

bool metric_adds(const struct metric *metric)
{
    struct derivation derivation;
    return (metric->unit == UNIT_NONE || metric->unit == UNIT_BYTES) &&
           (metric->provenance == FROM_STREAM || metric->provenance == FROM_MODEL) &&
           !(metric->traits & METRIC_MEAN) && !metric_derivation(metric, &derivation);
}

void launch_parts_add(void *context, uint32_t launch, const struct metrics *so_far)
{
    struct launch_parts *made = context;
    struct timing_parts *parts = made->parts;
    (void)launch;
    if (array_reserve(&parts->items, &parts->capacity, parts->count + 1)) {
        made->status = STATUS_MEMORY;
        return;
    }
    struct timing_part *part = &parts->items[parts->count++];
    *part = (struct timing_part){0};
    metrics_clear(&part->metrics);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        const double before = metric_get(metric, &made->before);
        if (metric_adds(metric))
            metric_set(metric, &part->metrics,
                       metric_get(metric, so_far) - (isnan(before) ? 0 : before));
    }
    metrics_derive(&part->metrics);
    made->before = *so_far;
}
