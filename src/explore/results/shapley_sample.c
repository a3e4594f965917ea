/* Effects of a table of which only a sample of rows is there. */
#include <math.h>
#include <stdlib.h>

#include "base/student.h"
#include "explore/results/shapley_rows.h"

enum { WHOLE = SHAPLEY_PARTS, SAMPLES }; /* the sample without one of its parts, and all of it */

/* Rows that drawn orders sort together. */
#define SAMPLE_ROWS ((size_t)1 << 22)

/* What is known of a variance has this share of the rows as degrees of freedom, and this many. */
#define FREEDOM_SHARE 0.25
#define FREEDOM_MIN   4

double shapley_estimate(double squares, double within, double rows, double cells, double left,
                        double all)
{
    const double freedom = rows - cells;
    if (!(left > 1))
        return 1; /* a row each: all that there is to know */
    if (freedom < fmax(FREEDOM_SHARE * rows, FREEDOM_MIN))
        return NAN;
    /* Of a finite table: what varies has one degree of freedom less than it has rows. */
    const double own = within / freedom * (left - 1) / left;
    return 1 - own / (squares / (rows - 1) * (all - 1) / all);
}

struct tally {
    double rows, sum, squares;
};

/* What varies within cells, and how many rows and cells there are. */
struct spread {
    double squares, rows, cells;
};

/* Adds a cell. tally[WHOLE] are all its rows, tally[p] those of a part. */
static void spread_add(const struct tally *tally, struct spread *spread)
{
    const struct tally *all = &tally[WHOLE];
    for (size_t p = 0; p < SAMPLES; p++) {
        const bool part = p < WHOLE;
        const double rows = all->rows - (part ? tally[p].rows : 0);
        const double sum = all->sum - (part ? tally[p].sum : 0);
        const double squares = all->squares - (part ? tally[p].squares : 0);
        if (!(rows > 0))
            continue;
        spread[p].squares += fmax(squares - sum * sum / rows, 0);
        spread[p].rows += rows;
        spread[p].cells++;
    }
}

static void tally_add(struct tally *tally, double value)
{
    tally->rows++;
    tally->sum += value;
    tally->squares += value * value;
}

/* Cells are rows whose keys are equal if divided by `weight`. */
static void spread_of(const struct keyed *rows, size_t count, uint64_t weight,
                      struct spread spread[SAMPLES])
{
    struct tally tally[SAMPLES] = {0};
    for (size_t p = 0; p < SAMPLES; p++)
        spread[p] = (struct spread){0};
    for (size_t i = 0; i < count; i++) {
        tally_add(&tally[WHOLE], rows[i].value);
        tally_add(&tally[rows[i].part], rows[i].value);
        if (i + 1 < count && rows[i].key / weight == rows[i + 1].key / weight)
            continue;
        spread_add(tally, spread);
        for (size_t p = 0; p < SAMPLES; p++)
            tally[p] = (struct tally){0};
    }
}

/* What axes gained, by how many came before them. */
struct gains {
    size_t axes;
    uint64_t *times;      /* [before][axis] */
    double *sums;         /* [before][axis][SAMPLES] */
    double *all, *square; /* by axis: of the whole sample, wherever */
    double *count;
};

static enum status gains_open(size_t axes, struct gains *gains)
{
    *gains = (struct gains){.axes = axes,
                            .times = calloc(axes * axes + 1, sizeof *gains->times),
                            .sums = calloc(axes * axes * SAMPLES + 1, sizeof *gains->sums),
                            .all = calloc(axes + 1, sizeof *gains->all),
                            .square = calloc(axes + 1, sizeof *gains->square),
                            .count = calloc(axes + 1, sizeof *gains->count)};
    return gains->times && gains->sums && gains->all && gains->square && gains->count
               ? STATUS_OK
               : STATUS_MEMORY;
}

static void gains_close(struct gains *gains)
{
    free(gains->times);
    free(gains->sums);
    free(gains->all);
    free(gains->square);
    free(gains->count);
}

/* Adds what the axes of an order gain, as far as the rows tell it. */
static void gains_add(const struct shapley_table *table, const size_t *order,
                      const struct keyed *rows, struct gains *gains)
{
    uint64_t weight = 1;
    double before[SAMPLES] = {0}, all;
    struct spread whole[SAMPLES], within[SAMPLES];
    for (size_t a = 0; a < table->axis_count; a++)
        weight *= table->counts[a];
    all = (double)weight;
    spread_of(rows, table->row_count, weight, whole);
    for (size_t i = 0; i < table->axis_count; i++) {
        const size_t place = i * gains->axes + order[i];
        weight /= table->counts[order[i]];
        spread_of(rows, table->row_count, weight, within);
        for (size_t p = SAMPLES; p-- > 0;) {
            double known = shapley_estimate(whole[p].squares, within[p].squares, within[p].rows,
                                            within[p].cells, (double)weight, all);
            if (p == WHOLE && isnan(known))
                return;
            known = isfinite(known) ? known : before[WHOLE];
            const double gain = known - before[p];
            gains->sums[place * SAMPLES + p] += gain;
            before[p] = known;
            if (p != WHOLE)
                continue;
            gains->times[place]++;
            gains->all[order[i]] += gain;
            gains->square[order[i]] += gain * gain;
            gains->count[order[i]]++;
        }
    }
}

static double gains_mean(const struct gains *gains, size_t axis, size_t sample)
{
    double sum = 0, known = 0;
    for (size_t before = 0; before < gains->axes; before++) {
        const size_t place = before * gains->axes + axis;
        if (!gains->times[place])
            continue;
        sum += gains->sums[place * SAMPLES + sample] / (double)gains->times[place];
        known++;
    }
    return known > 0 ? sum / known : NAN;
}

static struct shapley_effect gains_effect(const struct gains *gains, size_t axis)
{
    double samples[SHAPLEY_PARTS], mean = 0, variance = 0;
    const double share = gains_mean(gains, axis, WHOLE), count = gains->count[axis];
    if (isnan(share))
        return (struct shapley_effect){0, 1};
    for (size_t p = 0; p < SHAPLEY_PARTS; p++) {
        samples[p] = gains_mean(gains, axis, p);
        mean += samples[p] / SHAPLEY_PARTS;
    }
    for (size_t p = 0; p < SHAPLEY_PARTS; p++)
        variance += (samples[p] - mean) * (samples[p] - mean) * (SHAPLEY_PARTS - 1) / SHAPLEY_PARTS;
    if (count > 1) /* and of the orders drawn */
        variance += fmax(gains->square[axis] - gains->all[axis] * gains->all[axis] / count, 0) /
                    (count * (count - 1));
    return (struct shapley_effect){fmin(fmax(share, 0), 1),
                                   fmin(student_quantile(SHAPLEY_PARTS - 1) * sqrt(variance), 1)};
}

enum status shapley_sample(const struct shapley_table *table, struct shapley_effect *effects)
{
    const double mean = shapley_mean(table);
    const bool varies = shapley_total(table, mean) > 0;
    struct keyed *rows = malloc((table->row_count + 1) * sizeof *rows);
    struct gains gains;
    size_t order[SHAPLEY_AXES], drawn[SHAPLEY_AXES];
    enum status status = gains_open(table->axis_count, &gains);
    if (!rows)
        status = STATUS_MEMORY;
    /* Each order is rotated all around, so that every axis comes equally often in each place. */
    const size_t axes = table->axis_count,
                 orders = (shapley_order_count(table, SAMPLE_ROWS) + axes - 1) / (axes + !axes);
    for (size_t n = 0; n < orders * axes && varies && !status; n++) {
        shapley_order(n / axes, axes, drawn);
        for (size_t i = 0; i < axes; i++)
            order[i] = drawn[(i + n) % axes];
        shapley_sort(table, order, mean, rows);
        gains_add(table, order, rows, &gains);
    }
    for (size_t a = 0; a < table->axis_count && !status; a++)
        effects[a] = varies ? gains_effect(&gains, a) : (struct shapley_effect){NAN, 0};
    gains_close(&gains);
    free(rows);
    return status;
}
