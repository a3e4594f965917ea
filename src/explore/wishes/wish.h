/* What somebody wants of a machine: "core.ipc >= 8 min total.area", "max core.ipc with total.area
 * <= 0.2". The goal is a metric that is to be least or most; what must hold are conditions
 * (explore/space/conditions.h), parted by commas or "and".
 *
 * Invariant: conditions that need no run (parameters, areas) are apart from those that need one, so
 * that a machine which breaks one of the former is never run. */
#pragma once

#include "base/diag.h"
#include "schema/study.h"

struct wish {
    struct objective goal;
    struct condition *where; /* can be told without a run */
    size_t where_count;
    struct condition *filters; /* need a run */
    size_t filter_count;
    const struct metric **metrics; /* of all conditions, each once */
    size_t metric_count;
};

/* Reports every error with what was expected and the nearest name. `depth` must answer all metrics.
 * The caller frees the wish in any case. */
enum status wish_parse(const char *text, enum depth depth, struct wish *wish,
                       struct diagnostics *diagnostics);
void wish_free(struct wish *wish);
/* "least total.area with core.ipc >= 8"; malloc'ed, NULL: no memory. */
char *wish_print(const struct wish *wish);

/* Whether the goal of a machine is known without a run. */
static inline bool wish_is_exact(const struct wish *wish)
{
    return wish->goal.metric->stage == STAGE_AREA;
}
/* The goal as a cost: less is better. */
static inline double wish_cost(const struct wish *wish, double value)
{
    return wish->goal.direction == HIGHER_IS_BETTER ? -value : value;
}
