/* What an explanation is asked: how to make a metric of a machine better, and by how much a change
 * does. Pure. */
#pragma once

#include "schema/metrics.h"

struct question {
    const struct machine *machine;
    const struct metric *metric; /* has a direction */
    enum depth depth;
    const struct metrics *base; /* of the machine, with those of the area stage */
};

/* How much better `value` is than `base`, as a share of the latter; negative if it is worse, NaN if
 * there is nothing to compare. */
double metric_gain(const struct metric *metric, double base, double value);
/* The same beside the machine itself. */
double question_gain(const struct question *question, double value);
