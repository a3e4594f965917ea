#include "explore/explain/question.h"

#include <math.h>

double metric_gain(const struct metric *metric, double base, double value)
{
    if (value == base)
        return 0;
    if (base == 0)
        return NAN;
    return (metric->direction == HIGHER_IS_BETTER ? value - base : base - value) / fabs(base);
}

double question_gain(const struct question *question, double value)
{
    return metric_gain(question->metric, metric_get(question->metric, question->base), value);
}

const char *metric_gain_verb(const struct metric *metric)
{
    return metric->direction == HIGHER_IS_BETTER ? "gains" : "saves";
}

const char *metric_gain_side(const struct metric *metric, double gain)
{
    return (metric->direction == HIGHER_IS_BETTER) == (gain >= 0) ? "more" : "less";
}
