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

/* What a change with a gain does to the metric: "saves", or "gains" where more of it is better. */
const char *metric_gain_verb(const struct metric *metric);
/* "less" or "more": what a value with this gain is. */
const char *metric_gain_side(const struct metric *metric, double gain);
