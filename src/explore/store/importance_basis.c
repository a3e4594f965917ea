/* Whether the means of the values of an axis say what the axis does: where the other axes are not
 * balanced under it, they would say what those do (explore/store/importance.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/counts.h"
#include "explore/store/importance_counting.h"

/* Two axes hang together if their association is stronger: Cramer's V, from 0 to 1, corrected for
 * what chance does to it (Bergsma, J. Korean Statistical Society 42(3), 2013). */
#define BALANCED 0.1
/* Of few rows the correction leaves nothing. What is this strong before it hangs together. */
#define TIED 0.5

/* The most cells for which rows are matched. */
#define MATCH_CELLS ((uint64_t)1 << 28)

/* How strongly two axes hang together among the rows (BALANCED); 0 if that is not counted. */
static double association(const struct counting *counting, size_t a, size_t b)
{
    const size_t first = a < b ? a : b, second = a < b ? b : a;
    const struct cell *cells = counting->pairs[pair_number(counting->axis_count, first, second)];
    const double rows = (double)counting->rows, m = (double)count_met(counting, first) - 1,
                 n = (double)count_met(counting, second) - 1;
    double square = -1;
    if (!cells || m < 1 || n < 1)
        return 0;
    for (size_t v = 0; v < counting->counts[first]; v++)
        for (size_t w = 0; w < counting->counts[second]; w++) {
            const double found = (double)cells[v * counting->counts[second] + w].rows;
            const double margins = (double)counting->singles[first][v].rows *
                                   (double)counting->singles[second][w].rows;
            square += margins > 0 ? found * found / margins : 0;
        }
    if (square > TIED * TIED * fmin(m, n))
        return sqrt(square / fmin(m, n));
    const double corrected = fmax(square - m * n / (rows - 1), 0);
    return sqrt(corrected / fmax(fmin(m - m * m / (rows - 1), n - n * n / (rows - 1)), 1e-3));
}

/* Sums over the rows that have a counterpart at every value of the axis that occurs: strata are the
 * combinations of all other values. Leaves sums[v].rows 0 if there are none. */
static enum status match_rows(const struct counting *counting, size_t axis, struct cell *sums)
{
    uint64_t stride = 1, cells = counting->space->points;
    const size_t count = counting->counts[axis], met = count_met(counting, axis);
    for (size_t a = axis + 1; a < counting->axis_count; a++)
        stride *= counting->counts[a];
    if (cells > MATCH_CELLS || met > UINT16_MAX)
        return STATUS_OK;
    uint16_t *members = calloc(cells / count + 1, sizeof *members);
    if (!members)
        return STATUS_MEMORY;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < counting->kept; i++) {
            const uint64_t point = counting->points[i], above = point / stride;
            uint16_t *stratum = &members[above / count * stride + point % stride];
            if (!pass)
                ++*stratum;
            else if (*stratum == met)
                add_cell(&sums[above % count], counting->values[i] - counting->origin);
        }
    free(members);
    return STATUS_OK;
}

enum status importance_basis(const struct counting *counting, size_t index,
                             struct importance_axis *axis, struct cell *sums)
{
    double most = 0;
    axis->other = index;
    for (size_t b = 0; b < counting->axis_count; b++) {
        const double own = b == index ? 0 : association(counting, index, b);
        axis->other = own > most ? b : axis->other;
        most = fmax(most, own);
    }
    axis->compared = counting->rows;
    axis->basis = BASIS_ALL;
    if (most <= BALANCED) {
        axis->other = index;
        return STATUS_OK;
    }
    for (size_t v = 0; v < axis->count; v++)
        sums[v] = (struct cell){0};
    enum status status = match_rows(counting, index, sums);
    axis->compared = 0;
    for (size_t v = 0; v < axis->count; v++)
        axis->compared += sums[v].rows;
    axis->basis = axis->compared ? BASIS_MATCHED : BASIS_CONFOUNDED;
    return status;
}

const char *importance_reason(const struct importance *importance,
                              const struct importance_axis *axis, char text[IMPORTANCE_TEXT])
{
    char rows[COUNT_TEXT];
    const struct axis *other = importance->axes[axis->other].axis;
    counted_print(importance->rows, "point", rows);
    if (axis->untold)
        snprintf(text, IMPORTANCE_TEXT, "not told from 0 by %s", rows);
    else if (axis->margin >= 1)
        snprintf(text, IMPORTANCE_TEXT, "some effect: %s are too few", rows);
    else if (axis->basis == BASIS_CONFOUNDED)
        snprintf(text, IMPORTANCE_TEXT, "confounded with %s",
                 other ? other->parameter->path : "workload");
    else if (importance->sampled && axis->basis == BASIS_ALL && axis->share <= axis->margin)
        snprintf(text, IMPORTANCE_TEXT, "too little for %s", rows);
    else
        return NULL;
    return text;
}

const char *importance_share_print(const struct importance_axis *axis, double share, double margin,
                                   char text[IMPORTANCE_TEXT])
{
    const int digits = axis->basis == BASIS_CONFOUNDED || margin >= 0.01 ? 0
                       : margin > 0 && margin < 0.001                    ? 2
                                                                         : 1;
    const int used = snprintf(text, IMPORTANCE_TEXT, "%.*f%%", digits, 100 * share);
    if (margin > 0)
        snprintf(text + used, IMPORTANCE_TEXT - (size_t)used, " +- %.*f%%", digits, 100 * margin);
    return text;
}
