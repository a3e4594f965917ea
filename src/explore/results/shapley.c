#include "explore/results/shapley_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/student.h"

enum { ORDERS_MIN = 8, ORDERS_MAX = 256, ORDERS_SEED = 0x5a, PARTS_SEED = 0x17 };

/* Rows that drawn orders sort together. */
#define ORDERS_ROWS ((size_t)1 << 24)

/* A variance below the rounding error of the sums is none. */
#define ROUNDING 1e-24

double shapley_mean(const struct shapley_table *table)
{
    double sum = 0;
    for (size_t i = 0; i < table->row_count; i++)
        sum += table->values[i] - table->values[0];
    return table->row_count ? table->values[0] + sum / (double)table->row_count : NAN;
}

double shapley_total(const struct shapley_table *table, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < table->row_count; i++)
        squares += (table->values[i] - mean) * (table->values[i] - mean);
    return squares > ROUNDING * (double)table->row_count * mean * mean ? squares : 0;
}

/* ---- all subsets ---- */

/* The rows that agree in some axes, by those axes: numbers, and sums of deviations from the mean.
 */
struct sums {
    uint32_t *rows;
    double *values;
    size_t count;
};

static enum status sums_open(struct sums *sums, size_t count)
{
    sums->rows = calloc(count, sizeof *sums->rows);
    sums->values = calloc(count, sizeof *sums->values);
    sums->count = count;
    return sums->rows && sums->values ? STATUS_OK : STATUS_MEMORY;
}

static void sums_close(struct sums *sums)
{
    free(sums->rows);
    free(sums->values);
}

/* Adds up an axis of `count` values whose neighbours are `stride` cells apart. */
static void sums_reduce(const struct sums *from, size_t count, size_t stride, struct sums *to)
{
    for (size_t block = 0; block < to->count / stride; block++)
        for (size_t v = 0; v < count; v++) {
            const size_t source = (block * count + v) * stride, target = block * stride;
            for (size_t i = 0; i < stride; i++) {
                to->rows[target + i] += from->rows[source + i];
                to->values[target + i] += from->values[source + i];
            }
        }
}

static double sums_explained(const struct sums *sums)
{
    double explained = 0;
    for (size_t i = 0; i < sums->count; i++)
        if (sums->rows[i])
            explained += sums->values[i] * sums->values[i] / sums->rows[i];
    return explained;
}

/* Fills explained[S] for every S that has the axes of `kept` and any of those from `axis` on. The
 * cells of `sums` are those of all of these. */
static enum status explain_from(const struct shapley_table *table, const struct sums *sums,
                                size_t axis, size_t kept, double *explained)
{
    struct sums without = {0};
    size_t stride = 1;
    if (axis == table->axis_count) {
        explained[kept] = sums_explained(sums);
        return STATUS_OK;
    }
    for (size_t a = axis + 1; a < table->axis_count; a++)
        stride *= table->counts[a];
    enum status status = sums_open(&without, sums->count / table->counts[axis]);
    if (!status) {
        sums_reduce(sums, table->counts[axis], stride, &without);
        status = explain_from(table, &without, axis + 1, kept, explained);
    }
    sums_close(&without);
    return status ? status
                  : explain_from(table, sums, axis + 1, kept | (size_t)1 << axis, explained);
}

/* The share of all orders in which a given axis comes right after a given set of `before` axes. */
static double order_share(size_t before, size_t axes)
{
    return exp(lgamma((double)before + 1) + lgamma((double)(axes - before)) -
               lgamma((double)axes + 1));
}

static enum status all_subsets(const struct shapley_table *table, size_t cells, double mean,
                               double total, struct shapley_effect *effects)
{
    const size_t subsets = (size_t)1 << table->axis_count;
    struct sums sums = {0};
    double *explained = calloc(subsets, sizeof *explained), shares[SHAPLEY_AXES];
    enum status status = sums_open(&sums, cells);
    if (!status && !explained)
        status = STATUS_MEMORY;
    for (size_t i = 0; i < table->row_count && !status; i++) {
        sums.rows[table->cells[i]]++;
        sums.values[table->cells[i]] += table->values[i] - mean;
    }
    if (!status)
        status = explain_from(table, &sums, 0, 0, explained);
    sums_close(&sums);
    for (size_t before = 0; before < table->axis_count; before++)
        shares[before] = order_share(before, table->axis_count);
    for (size_t a = 0; a < table->axis_count && !status; a++) {
        double sum = 0;
        for (size_t set = 0; set < subsets; set++)
            if (!(set >> a & 1))
                sum += shares[__builtin_popcountll(set)] *
                       fmax(explained[set | (size_t)1 << a] - explained[set], 0);
        effects[a] = (struct shapley_effect){sum / total, 0};
    }
    free(explained);
    return status;
}

/* ---- drawn orders ---- */

size_t shapley_order_count(const struct shapley_table *table, size_t rows)
{
    const size_t orders = rows / (table->row_count + 1);
    return orders < ORDERS_MIN ? ORDERS_MIN : orders > ORDERS_MAX ? ORDERS_MAX : orders;
}

void shapley_order(size_t number, size_t axes, size_t *order)
{
    for (size_t a = 0; a < axes; a++)
        order[a] = a;
    for (size_t left = axes; left > 1; left--) {
        size_t drawn = random_below(random_at(ORDERS_SEED + number, left), left);
        size_t axis = order[left - 1];
        order[left - 1] = order[drawn];
        order[drawn] = axis;
    }
}

static int compare_keys(const void *a, const void *b)
{
    const struct keyed *left = a, *right = b;
    return left->key < right->key ? -1 : left->key > right->key;
}

void shapley_sort(const struct shapley_table *table, const size_t *order, double mean,
                  struct keyed *rows)
{
    for (size_t i = 0; i < table->row_count; i++) {
        size_t digits[SHAPLEY_AXES];
        uint64_t cell = table->cells[i], key = 0;
        for (size_t a = table->axis_count; a-- > 0; cell /= table->counts[a])
            digits[a] = cell % table->counts[a];
        for (size_t a = 0; a < table->axis_count; a++)
            key = key * table->counts[order[a]] + digits[order[a]];
        rows[i] = (struct keyed){key, table->values[i] - mean,
                                 (uint32_t)(random_at(PARTS_SEED, i) % SHAPLEY_PARTS)};
    }
    qsort(rows, table->row_count, sizeof *rows, compare_keys);
}

/* What the axes explain whose values make a key if divided by `weight`. */
static double explained_by(const struct keyed *rows, size_t count, uint64_t weight)
{
    double explained = 0, sum = 0, members = 0;
    for (size_t i = 0; i < count; i++) {
        sum += rows[i].value;
        members++;
        if (i + 1 < count && rows[i].key / weight == rows[i + 1].key / weight)
            continue;
        explained += sum * sum / members;
        sum = members = 0;
    }
    return explained;
}

static enum status drawn_orders(const struct shapley_table *table, double mean, double total,
                                struct shapley_effect *effects)
{
    const size_t orders = shapley_order_count(table, ORDERS_ROWS);
    size_t order[SHAPLEY_AXES];
    double squares[SHAPLEY_AXES] = {0};
    struct keyed *rows = malloc((table->row_count + 1) * sizeof *rows);
    if (!rows)
        return STATUS_MEMORY;
    for (size_t n = 0; n < orders; n++) {
        uint64_t weight = 1;
        double before = 0;
        shapley_order(n, table->axis_count, order);
        shapley_sort(table, order, mean, rows);
        for (size_t a = 0; a < table->axis_count; a++)
            weight *= table->counts[a];
        for (size_t a = 0; a < table->axis_count; a++) {
            weight /= table->counts[order[a]];
            const double explained = explained_by(rows, table->row_count, weight);
            const double gain = fmax(explained - before, 0) / total;
            effects[order[a]].share += gain / (double)orders;
            squares[order[a]] += gain * gain / (double)orders;
            before = explained;
        }
    }
    for (size_t a = 0; a < table->axis_count; a++) {
        const double spread = fmax(squares[a] - effects[a].share * effects[a].share, 0);
        effects[a].margin =
            student_quantile((double)orders - 1) * sqrt(spread / (double)(orders - 1));
    }
    free(rows);
    return STATUS_OK;
}

enum status shapley_effects(const struct shapley_table *table, uint64_t work,
                            struct shapley_effect *effects, bool *exact)
{
    uint64_t cells = 1, sums = 1;
    const double mean = shapley_mean(table), total = shapley_total(table, mean);
    *exact = table->axis_count < 32;
    for (size_t a = 0; a < table->axis_count; a++) {
        effects[a] = (struct shapley_effect){total > 0 ? 0 : NAN, 0};
        *exact = *exact && !__builtin_mul_overflow(cells, table->counts[a], &cells) &&
                 !__builtin_mul_overflow(sums, table->counts[a] + 1, &sums);
    }
    *exact = *exact && cells <= SHAPLEY_CELLS && sums <= work;
    if (!(total > 0)) {
        *exact = true;
        return STATUS_OK;
    }
    return *exact ? all_subsets(table, cells, mean, total, effects)
                  : drawn_orders(table, mean, total, effects);
}
