#include "explore/results/told_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { PARTNER_ROWS = 1 << 16, SHUFFLE_ROWS = 1 << 13, FIT_TURNS = 20, SHUFFLE_SEED = 0x70d };

/* Shuffles that may explain as much, and how many are tried for each axis of each table: chance
 * names one in (1 + 1) / 80 of samples, and half of the 5 % is left for axes that are tried again.
 */
enum { SHUFFLES_AS_GOOD = 1, SHUFFLES = 80 };

/* Values nearer than that differ by rounding. */
#define ROUNDING 1e-12

static bool same_value(double a, double b)
{
    return fabs(a - b) <= ROUNDING * fmax(fabs(a), fabs(b));
}

/* The row of a cell; row_count if there is none. */
static size_t find_row(const struct shapley_table *table, uint64_t cell)
{
    size_t low = 0, high = table->row_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table->cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->row_count && table->cells[low] == cell ? low : table->row_count;
}

enum proof { PROOF_NONE, PROOF_MATTERS, PROOF_EQUAL };

/* What the rows say that differ in one axis alone. */
static enum proof ask_partners(const struct shapley_table *table, size_t axis)
{
    const size_t step = 1 + table->row_count / PARTNER_ROWS;
    size_t asked = 0, partnered = 0;
    uint64_t stride = 1;
    for (size_t a = axis + 1; a < table->axis_count; a++)
        stride *= table->counts[a];
    for (size_t i = 0; i < table->row_count; i += step, asked++) {
        const uint64_t own = table->cells[i] / stride % table->counts[axis];
        const uint64_t first = table->cells[i] - own * stride;
        bool found = false;
        for (uint64_t v = 0; v < table->counts[axis]; v++) {
            const size_t other = v == own ? table->row_count : find_row(table, first + v * stride);
            if (other == table->row_count)
                continue;
            if (!same_value(table->values[i], table->values[other]))
                return PROOF_MATTERS;
            found = true;
        }
        partnered += found;
    }
    return partnered && 2 * partnered >= asked ? PROOF_EQUAL : PROOF_NONE;
}

/* Rows that are shuffled: residuals, and the values of the axes. */
struct residuals {
    const struct shapley_table *table;
    size_t count;
    double *values, *shuffled;
    uint32_t *digits;    /* [axis][row] */
    double *sums, *rows; /* by value of an axis */
};

static void residuals_close(struct residuals *residuals)
{
    free(residuals->values);
    free(residuals->shuffled);
    free(residuals->digits);
    free(residuals->sums);
    free(residuals->rows);
}

static enum status residuals_open(const struct shapley_table *table, struct residuals *residuals)
{
    const size_t step = 1 + table->row_count / SHUFFLE_ROWS;
    const size_t count = (table->row_count + step - 1) / step;
    size_t most = 0;
    double mean = 0;
    for (size_t a = 0; a < table->axis_count; a++)
        most = table->counts[a] > most ? table->counts[a] : most;
    *residuals = (struct residuals){
        .table = table,
        .count = count,
        .values = malloc((count + 1) * sizeof *residuals->values),
        .shuffled = malloc((count + 1) * sizeof *residuals->shuffled),
        .digits = malloc((count * table->axis_count + 1) * sizeof *residuals->digits),
        .sums = malloc((most + 1) * sizeof *residuals->sums),
        .rows = malloc((most + 1) * sizeof *residuals->rows)};
    if (!residuals->values || !residuals->shuffled || !residuals->digits || !residuals->sums ||
        !residuals->rows)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        uint64_t cell = table->cells[i * step];
        residuals->values[i] = table->values[i * step] - table->values[0];
        for (size_t a = table->axis_count; a-- > 0;) {
            const uint64_t met = table->counts[a] > 1 ? table->counts[a] : 1;
            residuals->digits[a * count + i] = (uint32_t)(cell % met);
            cell /= met;
        }
        mean += residuals->values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++)
        residuals->values[i] -= mean;
    return STATUS_OK;
}

/* Sums values by the value of an axis; returns what the means explain. */
static double sum_by(const struct residuals *residuals, size_t axis, const double *values)
{
    const uint32_t *digits = residuals->digits + axis * residuals->count;
    const size_t met = residuals->table->counts[axis];
    double explained = 0;
    memset(residuals->sums, 0, met * sizeof *residuals->sums);
    memset(residuals->rows, 0, met * sizeof *residuals->rows);
    for (size_t i = 0; i < residuals->count; i++) {
        residuals->sums[digits[i]] += values[i];
        residuals->rows[digits[i]]++;
    }
    for (size_t v = 0; v < met; v++)
        if (residuals->rows[v] > 0)
            explained += residuals->sums[v] * residuals->sums[v] / residuals->rows[v];
    return explained;
}

/* Takes away what the told axes do one by one, until little of it is left. */
static void residuals_fit(struct residuals *residuals, const bool *told)
{
    for (int turn = 0; turn < FIT_TURNS; turn++)
        for (size_t a = 0; a < residuals->table->axis_count; a++) {
            const uint32_t *digits = residuals->digits + a * residuals->count;
            if (!told[a])
                continue;
            (void)sum_by(residuals, a, residuals->values);
            for (size_t i = 0; i < residuals->count; i++)
                residuals->values[i] -= residuals->sums[digits[i]] / residuals->rows[digits[i]];
        }
}

static double sum_squares(const struct residuals *residuals)
{
    double squares = 0;
    for (size_t i = 0; i < residuals->count; i++)
        squares += residuals->values[i] * residuals->values[i];
    return squares;
}

/* Whether the axis explains more than nearly all shuffles. */
static bool beats_chance(struct residuals *residuals, size_t axis, size_t tables)
{
    const double own = sum_by(residuals, axis, residuals->values);
    const size_t shuffles = SHUFFLES * residuals->table->axis_count * tables - 1;
    size_t as_good = 0;
    uint64_t drawn = 0;
    memcpy(residuals->shuffled, residuals->values, residuals->count * sizeof *residuals->shuffled);
    for (size_t s = 0; s < shuffles && as_good <= SHUFFLES_AS_GOOD; s++) {
        for (size_t left = residuals->count; left > 1; left--) {
            const size_t other = random_below(random_at(SHUFFLE_SEED, drawn++), left);
            const double value = residuals->shuffled[left - 1];
            residuals->shuffled[left - 1] = residuals->shuffled[other];
            residuals->shuffled[other] = value;
        }
        as_good += sum_by(residuals, axis, residuals->shuffled) >= own * (1 - ROUNDING);
    }
    return as_good <= SHUFFLES_AS_GOOD;
}

enum status told_axes(const struct shapley_table *table, size_t tables, bool *told)
{
    struct residuals residuals;
    bool settled[SHAPLEY_AXES] = {false};
    enum status status = residuals_open(table, &residuals);
    for (size_t a = 0; a < table->axis_count; a++) {
        const enum proof proof = table->counts[a] > 1 ? ask_partners(table, a) : PROOF_EQUAL;
        told[a] = proof == PROOF_MATTERS;
        settled[a] = proof != PROOF_NONE;
    }
    const double squares = status ? 0 : sum_squares(&residuals);
    for (bool found = !status; found;) {
        residuals_fit(&residuals, told);
        const double left = sum_squares(&residuals);
        found = false;
        for (size_t a = 0; a < table->axis_count && left > ROUNDING * squares; a++) {
            if (settled[a] || !beats_chance(&residuals, a, tables))
                continue;
            told[a] = settled[a] = found = true;
        }
    }
    residuals_close(&residuals);
    return status;
}
