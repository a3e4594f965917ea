#include "explore/store/importance_counting.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "explore/results/shapley.h"
#include "explore/results/told_axes.h"
#include "explore/store/machine_values.h"

/* Relative rounding error that sums over very many rows may have. */
#define ROUNDING 1e-12

/* Deviations of what an axis without effect explains by chance. */
#define CHANCE 3

/* The index of the point's value on each axis. */
static void read_digits(struct counting *counting, uint64_t point)
{
    uint64_t machine = point % counting->space->machines;
    for (size_t a = counting->axis_count; a-- > counting->workloads;) {
        counting->digits[a] = machine % counting->counts[a];
        machine /= counting->counts[a];
    }
    if (counting->workloads)
        counting->digits[0] = point / counting->space->machines;
}

/* One counting of all workloads together, or one for each. */
struct countings {
    struct counting *parts;
    size_t count;
};

/* Adds a row to its cells. `origin` is the first value met, which keeps the deviations small. */
static enum status count_row(void *argument, const struct store_row *row)
{
    const struct countings *all = argument;
    uint64_t workload = row->point / all->parts->space->machines;
    struct counting *counting = &all->parts[all->count > 1 ? workload : 0];
    double value = row->values[counting->column];
    if (isnan(value)) {
        counting->without++;
        return STATUS_OK;
    }
    if (array_reserve(&counting->points, &counting->point_capacity, counting->kept + 1) ||
        array_reserve(&counting->values, &counting->value_capacity, counting->kept + 1))
        return STATUS_MEMORY;
    counting->points[counting->kept] = row->point;
    counting->values[counting->kept++] = value;
    if (!counting->rows++)
        counting->origin = value;
    value -= counting->origin;
    counting->sum += value;
    counting->squares += value * value;
    read_digits(counting, row->point);
    size_t pair = 0;
    for (size_t a = 0; a < counting->axis_count; a++) {
        size_t digit = counting->digits[a];
        add_cell(&counting->singles[a][digit], value);
        for (size_t b = a + 1; b < counting->axis_count; b++, pair++)
            if (counting->pairs[pair])
                add_cell(&counting->pairs[pair][digit * counting->counts[b] + counting->digits[b]],
                         value);
    }
    return STATUS_OK;
}

/* Counts every point of a summary. It only has sums over single axes, so there are no pairs. */
static void count_marginals(struct counting *counting, struct store *store)
{
    const struct study *study = counting->space->study;
    double low = INFINITY, high = -INFINITY, sum = 0, squares = 0;
    for (size_t w = counting->first_workload; w < counting->workload_end; w++)
        for (size_t a = 0; a < study->axis_count; a++)
            for (size_t v = 0; v < study->axes[a].count; v++) {
                const struct marginal *all = store_marginal(store, w, a, v, counting->column);
                struct cell *cell = &counting->singles[a + counting->workloads][v];
                cell->rows += all->count;
                cell->sum += all->sum;
                if (a || !all->count) /* each axis covers all points, so the first is enough */
                    continue;
                counting->rows += all->count;
                sum += all->sum;
                squares += all->squares;
                low = fmin(low, all->min);
                high = fmax(high, all->max);
                if (counting->workloads) {
                    counting->singles[0][w].rows += all->count;
                    counting->singles[0][w].sum += all->sum;
                }
            }
    counting->origin = low <= high ? low : 0;
    for (size_t a = 0; a < counting->axis_count; a++)
        for (size_t v = 0; v < counting->counts[a]; v++)
            counting->singles[a][v].sum -= (double)counting->singles[a][v].rows * counting->origin;
    double rows = (double)counting->rows;
    counting->sum = sum - rows * counting->origin;
    if (low < high)
        counting->squares = squares - counting->origin * (2 * sum - rows * counting->origin);
    for (size_t i = 0; i < counting->axis_count * (counting->axis_count + 1) / 2; i++) {
        free(counting->pairs[i]);
        counting->pairs[i] = NULL;
    }
}

static void free_counting(struct counting *counting)
{
    size_t pairs = counting->axis_count * (counting->axis_count + 1) / 2;
    for (size_t a = 0; counting->singles && a < counting->axis_count; a++)
        free(counting->singles[a]);
    for (size_t i = 0; counting->pairs && i < pairs; i++)
        free(counting->pairs[i]);
    free(counting->counts);
    free(counting->digits);
    free(counting->points);
    free(counting->values);
    free(counting->singles);
    free(counting->pairs);
}

/* `limit` is the number of cells that all pairs together may have. */
static enum status open_counting(const struct space *space, size_t first_workload,
                                 size_t workload_end, uint64_t limit, struct counting *counting)
{
    const struct study *study = space->study;
    counting->space = space;
    counting->first_workload = first_workload;
    counting->workload_end = workload_end;
    counting->workloads = workload_end - first_workload > 1;
    counting->axis_count = study->axis_count + counting->workloads;
    size_t axes = counting->axis_count;
    counting->counts = calloc(axes + 1, sizeof *counting->counts);
    counting->digits = calloc(axes + 1, sizeof *counting->digits);
    counting->singles = calloc(axes + 1, sizeof *counting->singles);
    counting->pairs = calloc(axes * (axes + 1) / 2 + 1, sizeof *counting->pairs);
    if (!counting->counts || !counting->digits || !counting->singles || !counting->pairs)
        return STATUS_MEMORY;
    for (size_t a = 0; a < axes; a++) {
        bool workload = counting->workloads && !a;
        counting->counts[a] =
            workload ? study->workload_count : study->axes[a - counting->workloads].count;
        counting->singles[a] = calloc(counting->counts[a], sizeof **counting->singles);
        if (!counting->singles[a])
            return STATUS_MEMORY;
    }
    uint64_t cells = 0;
    for (size_t a = 0; a < axes; a++)
        for (size_t b = a + 1; b < axes; b++) {
            uint64_t own = (uint64_t)counting->counts[a] * counting->counts[b];
            if (own > limit - cells)
                continue;
            cells += own;
            struct cell **pair = &counting->pairs[pair_number(axes, a, b)];
            *pair = calloc(own, sizeof **pair);
            if (!*pair)
                return STATUS_MEMORY;
        }
    return STATUS_OK;
}

/* The sum over the values of an axis of rows * (mean of the value - mean)^2. */
static double single_sum(const struct counting *counting, size_t axis, double mean)
{
    double sum = 0;
    for (size_t v = 0; v < counting->counts[axis]; v++) {
        const struct cell *cell = &counting->singles[axis][v];
        if (!cell->rows)
            continue;
        double effect = cell->sum / (double)cell->rows - mean;
        sum += (double)cell->rows * effect * effect;
    }
    return sum;
}

/* The sum over the cells of a pair of rows * (what neither axis explains)^2. */
static double pair_sum(const struct counting *counting, size_t a, size_t b, double mean)
{
    const struct cell *cells = counting->pairs[pair_number(counting->axis_count, a, b)];
    double sum = 0;
    for (size_t v = 0; v < counting->counts[a]; v++)
        for (size_t w = 0; w < counting->counts[b]; w++) {
            const struct cell *cell = &cells[v * counting->counts[b] + w];
            const struct cell *first = &counting->singles[a][v];
            const struct cell *second = &counting->singles[b][w];
            if (!cell->rows)
                continue;
            double effect = cell->sum / (double)cell->rows - first->sum / (double)first->rows -
                            second->sum / (double)second->rows + mean;
            sum += (double)cell->rows * effect * effect;
        }
    return sum;
}

/* The product of the numbers of values that occur. Saturates; only equality with `rows` matters. */
static uint64_t count_combinations(const struct counting *counting)
{
    uint64_t combinations = 1;
    for (size_t a = 0; a < counting->axis_count; a++) {
        if (__builtin_mul_overflow(combinations, (uint64_t)count_met(counting, a), &combinations))
            return UINT64_MAX;
    }
    return combinations;
}

/* What an axis explains by itself. Of a summary, what chance alone would rarely explain is told. */
static void explain_alone(const struct counting *counting, size_t index, double mean, double total,
                          struct importance_axis *axis)
{
    const double explained = single_sum(counting, index, mean), rows = (double)counting->rows,
                 met = (double)count_met(counting, index),
                 all = (double)count_combinations(counting);
    axis->alone = total > 0 ? explained / total : NAN;
    if (!counting->sampled || !(total > 0))
        return;
    const double share = shapley_estimate(total, total - explained, rows, met, all / met, all);
    axis->alone = fmin(fmax(share, 0), 1); /* 0 if not known */
    axis->untold = !counting->kept && !(axis->alone * rows > CHANCE * sqrt(2 * met));
}

static enum status fill_axis(const struct counting *counting, size_t index, double mean,
                             double total, struct importance_axis *axis)
{
    bool workload = counting->workloads && !index;
    axis->axis = workload ? NULL : &counting->space->study->axes[index - counting->workloads];
    axis->count = counting->counts[index];
    axis->share = NAN;
    explain_alone(counting, index, mean, total, axis);
    axis->values = calloc(axis->count, sizeof *axis->values);
    struct cell *sums = calloc(axis->count + 1, sizeof *sums);
    enum status status = axis->values && sums ? STATUS_OK : STATUS_MEMORY;
    for (size_t v = 0; v < axis->count && !status; v++)
        sums[v] = counting->singles[index][v];
    if (!status)
        status = importance_basis(counting, index, axis, sums);
    for (size_t v = 0; v < axis->count && !status; v++) {
        axis->values[v].rows = counting->singles[index][v].rows;
        double of_value = sums[v].rows ? sums[v].sum / (double)sums[v].rows : NAN;
        /* Sums in different orders round differently. Do not show that as an effect. */
        bool same = fabs(of_value - mean) <= ROUNDING * fabs(counting->origin + mean);
        axis->values[v].mean = counting->origin + (same ? mean : of_value);
    }
    free(sums);
    return status;
}

/* Numbers the combination of a point's values among those that occur. place[a][v] is the place of
 * a value among those of its axis. */
static uint64_t point_cell(struct counting *counting, size_t axes, size_t *const *place,
                           const size_t *met, uint64_t point)
{
    uint64_t cell = 0;
    read_digits(counting, point);
    for (size_t a = 0; a < axes; a++)
        cell = cell * met[a] + place[a][counting->digits[a]];
    return cell;
}

static enum status share_variance(struct counting *counting, struct importance *importance)
{
    const size_t axes = counting->axis_count;
    struct shapley_effect effects[SHAPLEY_AXES];
    size_t met[SHAPLEY_AXES] = {0}, *place[SHAPLEY_AXES] = {NULL};
    bool told[SHAPLEY_AXES];
    double sum = 0;
    uint64_t *cells = malloc((counting->kept + 1) * sizeof *cells);
    enum status status = cells ? STATUS_OK : STATUS_MEMORY;
    for (size_t a = 0; a < axes && !status; a++) {
        met[a] = 0;
        place[a] = calloc(counting->counts[a] + 1, sizeof *place[a]);
        if (!place[a])
            status = STATUS_MEMORY;
        for (size_t v = 0; v < counting->counts[a] && !status; v++) {
            place[a][v] = met[a];
            met[a] += counting->singles[a][v].rows > 0;
        }
    }
    for (size_t i = 0; i < counting->kept && !status; i++)
        cells[i] = point_cell(counting, axes, place, met, counting->points[i]);
    const struct shapley_table table = {met, axes, cells, counting->values, counting->kept};
    importance->exact = !counting->sampled;
    if (!status && counting->sampled)
        status = told_axes(&table, counting->tables, told);
    if (!status)
        status = counting->sampled
                     ? shapley_sample(&table, effects)
                     : shapley_effects(&table, SHAPLEY_WORK, effects, &importance->exact);
    for (size_t a = 0; a < axes && !status; a++) {
        importance->axes[a].untold = counting->sampled && !told[a];
        if (importance->axes[a].untold)
            effects[a] = (struct shapley_effect){0, 0};
        sum += effects[a].share;
    }
    /* Estimates may be more than everything together. */
    for (size_t a = 0; a < axes && !status; a++) {
        importance->axes[a].share =
            counting->sampled ? effects[a].share / fmax(sum, 1) : effects[a].share;
        importance->axes[a].margin = effects[a].margin;
    }
    importance->unassigned = counting->sampled ? fmax(1 - sum, 0) : 0;
    for (size_t a = 0; a < axes; a++)
        free(place[a]);
    free(cells);
    return status;
}

/* Pairs, and what is left, of a complete table. */
static void conclude_pairs(const struct counting *counting, double mean, double total,
                           struct importance *importance)
{
    const size_t axes = counting->axis_count;
    double rest = total > 0 ? 1 : NAN;
    for (size_t a = 0; a < axes; a++)
        rest -= importance->axes[a].alone;
    for (size_t a = 0; a < axes; a++)
        for (size_t b = a + 1; b < axes; b++) {
            bool counted = counting->pairs[pair_number(axes, a, b)] && total > 0;
            double share = counted ? pair_sum(counting, a, b, mean) / total : NAN;
            importance->pairs[importance->pair_count++] = (struct importance_pair){a, b, share};
            rest -= share;
        }
    importance->rest = fabs(rest) < 1e-12 ? 0 : rest; /* rounding error */
}

/* Turns the sums into shares. Single axes come first, because a pair's share is what remains of its
 * cells after the effects of its two axes. */
static enum status conclude(struct counting *counting, struct importance *importance)
{
    size_t axes = counting->axis_count;
    double rows = (double)counting->rows, mean = rows > 0 ? counting->sum / rows : NAN;
    double total = fmax(counting->squares - counting->sum * mean, 0); /* rows * variance */
    importance->rows = counting->rows;
    importance->without = counting->without;
    importance->combinations = count_combinations(counting);
    importance->complete = counting->rows && importance->combinations == counting->rows;
    counting->sampled = counting->sampled && !importance->complete;
    importance->sampled = counting->sampled;
    importance->exact = true;
    importance->mean = counting->origin + mean;
    importance->variance = rows > 0 ? total / rows : NAN;
    importance->rest = NAN;
    importance->axes = calloc(axes + 1, sizeof *importance->axes);
    importance->pairs = calloc(axes * (axes + 1) / 2 + 1, sizeof *importance->pairs);
    if (!importance->axes || !importance->pairs)
        return STATUS_MEMORY;
    /* A variance below the rounding error of the sums is none. */
    if (!(total > 1e-18 * rows * counting->origin * counting->origin))
        total = 0;
    for (; importance->axis_count < axes; importance->axis_count++) {
        struct importance_axis *axis = &importance->axes[importance->axis_count];
        enum status status = fill_axis(counting, importance->axis_count, mean, total, axis);
        if (status)
            return status;
    }
    if (importance->complete)
        conclude_pairs(counting, mean, total, importance);
    return total > 0 && counting->kept && axes <= SHAPLEY_AXES
               ? share_variance(counting, importance)
               : STATUS_OK;
}

static enum status find_column(struct store *store, const struct metric *metric, size_t *column,
                               struct diagnostics *diagnostics)
{
    const struct metric *const *columns;
    size_t count = store_columns(store, &columns);
    for (*column = 0; *column < count; ++*column)
        if (columns[*column] == metric)
            return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "the study did not store %s",
                             metric->path);
}

static enum status count_all(struct store *store, const char *where,
                             const struct countings *countings, struct diagnostics *diagnostics)
{
    const struct query query = {.where = where};
    if (!store_is_summary(store) || !store_space(store)->study->axis_count)
        return store_query(store, &query, count_row, (void *)(uintptr_t)countings, diagnostics);
    if (where)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "a summary has sums over all points and cannot choose among them");
    for (size_t i = 0; i < countings->count; i++)
        count_marginals(&countings->parts[i], store);
    return STATUS_OK;
}

/* Whether legal points have no row. A table without gaps needs no census to know. */
static enum status ask_sampled(struct store *store, bool *sampled, struct diagnostics *diagnostics)
{
    uint64_t points = 0, legal = 0;
    enum status status = store_count_legal(store, &points, &legal, diagnostics);
    *sampled = points < legal;
    return status;
}

/* Counts all legal points, if the metric is known of them without a run. `sampled`: the rows of the
 * store are not all. */
static enum status count_unrun(struct store *store, const struct metric *metric, bool sampled,
                               const struct countings *countings, bool *unrun)
{
    size_t column;
    struct machine_values *values;
    *unrun = false;
    if (!(sampled || store_is_summary(store) || find_column(store, metric, &column, NULL)))
        return STATUS_OK;
    enum status status = machine_values_open(store_space(store), metric, &values);
    *unrun = !status;
    if (status)
        return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
    status = machine_values_each(values, count_row, (void *)(uintptr_t)countings);
    machine_values_close(values);
    return status;
}

/* Counts the rows of the store. */
static enum status count_stored(struct store *store, const struct metric *metric, const char *where,
                                const struct countings *countings, bool sampled,
                                struct diagnostics *diagnostics)
{
    size_t column;
    enum status status = find_column(store, metric, &column, diagnostics);
    for (size_t i = 0; i < countings->count && !status; i++) {
        countings->parts[i].column = column;
        countings->parts[i].sampled = sampled;
    }
    return status ? status : count_all(store, where, countings, diagnostics);
}

enum status importance_parts(struct store *store, const struct metric *metric, const char *where,
                             size_t count, struct importance *results,
                             struct diagnostics *diagnostics)
{
    const struct space *space = store_space(store);
    struct countings countings = {calloc(count, sizeof *countings.parts), count};
    bool sampled = false, unrun = false;
    enum status status = countings.parts ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = ask_sampled(store, &sampled, diagnostics);
    for (size_t i = 0; i < count && !status; i++) {
        size_t end = count > 1 ? i + 1 : space->study->workload_count;
        status = open_counting(space, i, end, IMPORTANCE_CELLS / count, &countings.parts[i]);
        countings.parts[i].tables = count;
    }
    if (!status && !where)
        status = count_unrun(store, metric, sampled, &countings, &unrun);
    if (!status && !unrun)
        status = count_stored(store, metric, where, &countings, sampled, diagnostics);
    for (size_t i = 0; i < count && !status; i++) {
        status = conclude(&countings.parts[i], &results[i]);
        results[i].unrun = unrun;
    }
    for (size_t i = 0; countings.parts && i < count; i++)
        free_counting(&countings.parts[i]);
    free(countings.parts);
    return status;
}

enum status importance_without(struct store *store, struct importance *importance,
                               struct diagnostics *diagnostics)
{
    uint64_t points;
    if (!store_is_summary(store) || !store_space(store)->study->axis_count || importance->unrun)
        return STATUS_OK;
    enum status status = store_count(store, &points, diagnostics);
    if (!status)
        importance->without = points - importance->rows;
    return status;
}

enum status importance_compute(struct store *store, const struct metric *metric, const char *where,
                               struct importance *importance, struct diagnostics *diagnostics)
{
    *importance = (struct importance){0};
    enum status status = importance_parts(store, metric, where, 1, importance, diagnostics);
    if (!status)
        status = importance_without(store, importance, diagnostics);
    if (status)
        importance_free(importance);
    return status;
}

void importance_free(struct importance *importance)
{
    for (size_t a = 0; importance->axes && a < importance->axis_count; a++)
        free(importance->axes[a].values);
    free(importance->axes);
    free(importance->pairs);
    *importance = (struct importance){0};
}
