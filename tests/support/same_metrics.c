#include "support/same_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { EVERY_STAGE = ~0u };

const struct metric *metrics_differ(const struct metrics *a, const struct metrics *b,
                                    unsigned stages)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (metric->stage & stages && !same_number(metric_get(metric, a), metric_get(metric, b)))
            return metric;
    }
    return NULL;
}

static bool of_area(const struct metric *metric)
{
    struct derivation derivation;
    if (metric->stage & STAGE_AREA)
        return true;
    if (metric_derivation(metric, &derivation))
        for (size_t i = 0; i < derivation.count; i++)
            if (of_area(derivation.inputs[i]))
                return true;
    return false;
}

const struct metric *counts_differ(const struct metrics *a, const struct metrics *b)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (!of_area(metric) && !same_number(metric_get(metric, a), metric_get(metric, b)))
            return metric;
    }
    return NULL;
}

void assert_same_stages(const struct metrics *found, const struct metrics *expected,
                        unsigned stages)
{
    const struct metric *metric = metrics_differ(found, expected, stages);
    if (metric)
        fail_msg("%s: %.17g, expected %.17g", metric->path, metric_get(metric, found),
                 metric_get(metric, expected));
}

void assert_same_metrics(const struct metrics *found, const struct metrics *expected)
{
    assert_same_stages(found, expected, EVERY_STAGE);
}
