#include "explore/profiles/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/space/conditions.h"

struct comparison {
    const struct measured *measured;
    struct expression **expressions; /* by row */
    bool *counts;                    /* by row */
};

void comparison_free(struct comparison *comparison)
{
    if (!comparison)
        return;
    for (size_t i = 0; comparison->expressions && i < comparison->measured->count; i++)
        expression_free(comparison->expressions[i]);
    free(comparison->expressions);
    free(comparison->counts);
    free(comparison);
}

/* The expression of a row. At the clock of the profile times say what cycles say. */
static const char *meaning(const struct measured *measured, size_t row)
{
    const char *expression = measured->rows[row].counter->expression;
    return measured->clock >= 1 && !strcmp(expression, COUNTER_TIME) ? COUNTER_CYCLES : expression;
}

/* Whether no earlier row that counts means the same. */
static bool is_first(const struct comparison *comparison, size_t row)
{
    const struct measured *measured = comparison->measured;
    for (size_t i = 0; i < row; i++)
        if (comparison->counts[i] && !strcmp(meaning(measured, i), meaning(measured, row)))
            return false;
    return true;
}

enum status comparison_create(const struct measured *measured, struct comparison **result,
                              struct diagnostics *diagnostics)
{
    struct comparison *comparison = calloc(1, sizeof *comparison);
    enum status status = STATUS_MEMORY;
    *result = NULL;
    if (!comparison)
        return status;
    comparison->measured = measured;
    comparison->expressions = calloc(measured->count + 1, sizeof(struct expression *));
    comparison->counts = calloc(measured->count + 1, sizeof *comparison->counts);
    if (comparison->expressions && comparison->counts)
        status = STATUS_OK;
    for (size_t i = 0; i < measured->count && !status; i++) {
        const struct counter_row *counter = measured->rows[i].counter;
        comparison->counts[i] = !measured->rows[i].near && is_first(comparison, i);
        status = expression_create(counter->expression, NULL, SCOPE_POINT,
                                   &comparison->expressions[i], diagnostics);
    }
    if (status)
        comparison_free(comparison);
    else
        *result = comparison;
    return status;
}

const struct measured *comparison_measured(const struct comparison *comparison)
{
    return comparison->measured;
}

bool comparison_counts(const struct comparison *comparison, size_t row)
{
    return comparison->counts[row];
}

size_t comparison_metrics(const struct comparison *comparison, enum depth depth, bool fitted,
                          const struct metric *metrics[METRIC_COUNT])
{
    bool taken[METRIC_COUNT] = {false};
    size_t count = 0;
    for (size_t i = 0; i < comparison->measured->count; i++) {
        const struct expression_name *names;
        const size_t named = expression_names(comparison->expressions[i], &names);
        for (size_t k = 0; k < named && (comparison->counts[i] || !fitted); k++) {
            const struct metric *metric = names[k].metric;
            if (!metric || taken[metric - metric_table] || !metric_answered(metric, depth))
                continue;
            taken[metric - metric_table] = true;
            metrics[count++] = metric;
        }
    }
    return count;
}

enum status comparison_run(struct comparison *comparison, const struct machine *machine,
                           const struct metrics *metrics, double *ours,
                           struct diagnostics *diagnostics)
{
    const struct measured *measured = comparison->measured;
    struct machine clocked = *machine; /* cycles become times at the clock that was measured at */
    if (measured->clock >= 1)
        clocked.gpu.clock = (uint64_t)llround(measured->clock);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < measured->count && !status; i++) {
        const bool clock = !strcmp(measured->rows[i].counter->expression, COUNTER_CLOCK);
        const struct expression_values values = {.machine = clock ? machine : &clocked,
                                                 .metrics = metrics};
        status = expression_value(comparison->expressions[i], &values, &ours[i], diagnostics);
    }
    return status;
}

double comparison_error(const struct comparison *comparison, const double *ours, const double *base,
                        size_t *counted)
{
    size_t count = 0;
    double sum = 0;
    for (size_t i = 0; i < comparison->measured->count; i++)
        if (comparison->counts[i] && !isnan((base ? base : ours)[i])) {
            const struct measured_row *row = &comparison->measured->rows[i];
            sum += isnan(ours[i]) ? 1 : measured_distance(row->counter->unit, row->value, ours[i]);
            count++;
        }
    if (counted)
        *counted = count;
    return count ? sum / (double)count : NAN;
}
