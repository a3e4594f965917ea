#include "report/experiments/accelsim_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum accelsim_count accelsim_base(enum accelsim_count count)
{
    static const enum accelsim_count bases[] = {
#define BASE(id, column, field, name, base) [ACCELSIM_##id] = ACCELSIM_##base,
        ACCELSIM_COUNT_LIST(BASE)
#undef BASE
    };
    return bases[count];
}

double accelsim_error(const struct accelsim_row *row, enum accelsim_count count)
{
    const double difference = row->ours[count] - row->theirs[count];
    return difference == 0 ? 0 : difference / row->theirs[accelsim_base(count)];
}

const struct accelsim_run *accelsim_run_of(const struct accelsim_study *study, size_t row)
{
    size_t low = 0, high = study->run_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(study->runs[middle].first <= row ? &low : &high) = middle;
    }
    return &study->runs[low];
}

static bool is_in(const struct accelsim_study *study, const struct accelsim_group *group,
                  size_t row)
{
    const struct accelsim_row *item = &study->rows.items[row];
    return (!group->gpu || !strcmp(group->gpu, item->gpu)) &&
           (!group->family || !strcmp(group->family, item->family)) &&
           (!group->one_sm || accelsim_run_of(study, row)->sms == 1);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum status accelsim_errors(const struct accelsim_study *study, const struct accelsim_group *group,
                            enum accelsim_count count, struct accelsim_errors *errors)
{
    double *sorted = malloc(study->rows.count * sizeof *sorted), sum = 0;
    size_t rows = 0;
    *errors = (struct accelsim_errors){.mean = NAN, .p95 = NAN, .worst = NAN};
    if (!sorted)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->rows.count; i++) {
        const double error = fabs(accelsim_error(&study->rows.items[i], count));
        if (!is_in(study, group, i))
            continue;
        errors->refused += isnan(error);
        errors->equal += error == 0;
        errors->within_1 += error <= 0.01;
        errors->within_2 += error <= 0.02;
        if (!isnan(error))
            sum += sorted[rows++] = error;
    }
    errors->rows = rows;
    qsort(sorted, rows, sizeof *sorted, compare_doubles);
    if (rows) {
        errors->mean = sum / (double)rows;
        errors->p95 = sorted[rows * 95 / 100];
        errors->worst = sorted[rows - 1];
    }
    free(sorted);
    return STATUS_OK;
}

double accelsim_rate(const struct accelsim_study *study, const struct accelsim_run *run)
{
    double misses = 0, hits = 0;
    for (size_t i = run->first; i < run->first + run->count; i++) {
        const struct accelsim_row *row = &study->rows.items[i];
        hits += row->reads[ACCELSIM_READ_HIT];
        misses += row->reads[ACCELSIM_READ_MISS] + row->reads[ACCELSIM_READ_SECTOR_MISS] +
                  row->theirs[ACCELSIM_L1D_PENDING];
    }
    return 100 * misses / (hits + misses);
}

double accelsim_rate_error(const struct accelsim_study *study, const struct accelsim_run *run,
                           enum depth depth)
{
    return 100 * run->read_misses[depth] / run->reads[depth] - accelsim_rate(study, run);
}

bool accelsim_is_pair(const struct accelsim_row *a, const struct accelsim_row *b)
{
    return a->kernel == b->kernel && !strcmp(a->trace, b->trace) && !strcmp(a->gpu, b->gpu) &&
           strcmp(a->options, b->options) != 0;
}

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

bool accelsim_pair_right(const struct accelsim_row *a, const struct accelsim_row *b)
{
    return sign(a->ours[ACCELSIM_CYCLES] - b->ours[ACCELSIM_CYCLES]) ==
           sign(a->theirs[ACCELSIM_CYCLES] - b->theirs[ACCELSIM_CYCLES]);
}

void accelsim_pairs(const struct accelsim_study *study, const struct accelsim_group *group,
                    void (*take)(void *context, const struct accelsim_row *a,
                                 const struct accelsim_row *b),
                    void *context)
{
    const struct accelsim_row *rows = study->rows.items;
    for (size_t i = 0; i < study->rows.count; i++)
        for (size_t k = i + 1; k < study->rows.count && is_in(study, group, i); k++)
            if (!isnan(rows[i].ours[ACCELSIM_CYCLES]) && !isnan(rows[k].ours[ACCELSIM_CYCLES]) &&
                accelsim_is_pair(&rows[i], &rows[k]) && is_in(study, group, k))
                take(context, &rows[i], &rows[k]);
}
