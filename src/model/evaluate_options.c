#include "model/evaluate_options.h"

#include "base/clock.h"

unsigned metric_needs(const struct metric *metric)
{
    bool l2 = metric->stage == STAGE_L2;
    unsigned needs = 0;
    if (metric->traits & METRIC_CLASSES)
        needs |= l2 ? NEED_CLASSES_L2 : NEED_CLASSES_L1D;
    if (metric->traits & METRIC_OPTIMUM)
        needs |= l2 ? NEED_OPT_L2 : NEED_OPT_L1D;
    if (metric->traits & METRIC_WALKERS)
        needs |= NEED_WALKERS;
    return needs;
}

bool evaluate_cancelled(const struct evaluate_options *options)
{
    return options->cancel && atomic_load_explicit(options->cancel, memory_order_relaxed);
}

bool evaluate_due(const struct evaluate_options *options, double *reported)
{
    if (!options->progress)
        return false;
    double now = clock_seconds();
    if (now - *reported < (options->interval > 0 ? options->interval : 0.1))
        return false;
    *reported = now;
    return true;
}
