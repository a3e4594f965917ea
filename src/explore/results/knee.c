#include "explore/results/knee.h"

#include <math.h>

static double cost_of(const struct front_view *front, size_t objective, size_t point)
{
    const double value = front->values[point * front->stride + front->columns[objective]];
    return front->objectives[objective].direction == HIGHER_IS_BETTER ? -value : value;
}

/* The range of an objective over the front. */
struct range {
    double low, high;
};

static struct range range_of(const struct front_view *front, size_t objective)
{
    struct range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < front->count; i++) {
        range.low = fmin(range.low, cost_of(front, objective, i));
        range.high = fmax(range.high, cost_of(front, objective, i));
    }
    return range;
}

size_t front_knee(const struct front_view *front)
{
    struct range ranges[METRIC_COUNT];
    size_t knee = 0;
    double least = INFINITY;
    bool end = false;
    if (front->count < 3 || front->objective_count < 2)
        return front->count;
    for (size_t t = 0; t < front->objective_count; t++)
        ranges[t] = range_of(front, t);
    for (size_t i = 0; i < front->count; i++) {
        double sum = 0;
        for (size_t t = 0; t < front->objective_count; t++)
            if (ranges[t].high > ranges[t].low)
                sum += (cost_of(front, t, i) - ranges[t].low) / (ranges[t].high - ranges[t].low);
        knee = sum < least ? i : knee;
        least = fmin(least, sum);
    }
    for (size_t t = 0; t < front->objective_count; t++)
        end = end || (ranges[t].high > ranges[t].low && cost_of(front, t, knee) <= ranges[t].low);
    return end ? front->count : knee;
}

size_t front_price(const struct objective *objectives, size_t count)
{
    for (size_t t = count; t-- > 0;)
        if (objectives[t].metric->unit == UNIT_AREA)
            return t;
    return count - 1;
}

size_t front_step(const struct front_view *front, size_t price, size_t gain, size_t point)
{
    size_t next = front->count;
    for (size_t i = 0; i < front->count; i++)
        if (cost_of(front, price, i) > cost_of(front, price, point) &&
            cost_of(front, gain, i) < cost_of(front, gain, point) &&
            (next == front->count || cost_of(front, price, i) < cost_of(front, price, next)))
            next = i;
    return next;
}
