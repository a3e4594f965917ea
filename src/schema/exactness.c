#include "schema/exactness.h"

bool metric_assumes_clock(const struct metric *metric, enum depth depth)
{
    return metric->traits & METRIC_WALKERS && !depth_can(depth, DEPTH_TIMED);
}

bool metric_exact_at(const struct metric *metric, enum depth depth)
{
    return metric_exact(metric) && !metric_assumes_clock(metric, depth);
}
