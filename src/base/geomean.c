#include "base/geomean.h"

#include <math.h>

void geomean_add(struct geomean *geomean, double value)
{
    geomean->count++;
    if (value > 0)
        geomean->logarithms += logl(value);
    else
        geomean->undefined = true;
}

double geomean_value(const struct geomean *geomean)
{
    if (!geomean->count || geomean->undefined)
        return NAN;
    return (double)expl(geomean->logarithms / (long double)geomean->count);
}
