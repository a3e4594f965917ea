/* Errors of our figures against measured ones, in %, and their mean without signs: what the tables
 * of published latencies, bandwidths and strides end with. A figure that is NaN does not count. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "report/table.h"

struct study_errors { /* zero-initialize */
    double sum;
    size_t count;
};

/* The error of a figure, which is counted. */
static inline double study_error(struct study_errors *errors, double ours, double measured)
{
    const double error = 100 * (ours / measured - 1);
    errors->count += !isnan(error);
    errors->sum += isnan(error) ? 0 : fabs(error);
    return error;
}

/* Finishes a table, and below it as text says the mean of so many `figures`. */
static inline enum status study_table_finish(struct table *table, enum table_format format,
                                             const struct study_errors *errors, const char *figures,
                                             FILE *out)
{
    const enum status status = table_finish(table, format, out);
    if (!status && format == TABLE_TEXT && errors->count)
        fprintf(out, "\n%zu %s: %.2f %% off in the mean\n", errors->count, figures,
                errors->sum / (double)errors->count);
    return status;
}
