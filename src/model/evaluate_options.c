#include "model/evaluate_options.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "model/gpu/block_placement.h"

unsigned metric_needs(const struct metric *metric)
{
    return (metric->traits & METRIC_CLASSES ? NEED_CLASSES(metric->stage) : 0) |
           (metric->traits & METRIC_OPTIMUM ? NEED_OPTIMUM(metric->stage) : 0) |
           (metric->traits & METRIC_WALKERS ? NEED_TIMES(metric->stage) : 0);
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

const char *evaluate_changes(const struct evaluate_options *options, char text[CHANGES_TEXT])
{
    char ideals[IDEAL_TEXT];
    text[0] = '\0';
    const uint64_t placed = options->placement ? block_placement_hash(options->placement) : 0;
    if (!ideal_none(options->ideals) || options->start_delay || options->placement)
        snprintf(text, CHANGES_TEXT, "%s+%" PRIu32 "+%" PRIx64,
                 ideal_print(options->ideals, ideals), options->start_delay, placed);
    return text;
}
