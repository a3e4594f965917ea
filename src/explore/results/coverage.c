#include "explore/results/coverage.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/counts.h"

static uint64_t cell_of(const struct coverage *coverage, size_t workload, size_t axis, size_t value)
{
    return workload * coverage->values + study_values_before(coverage->space->study, axis) + value;
}

/* Whether one of the machines whose digit, of this stride and count, has this value is legal. */
static bool is_legal(const uint8_t *legal, uint64_t machines, uint64_t stride, uint64_t count,
                     uint64_t value)
{
    for (uint64_t first = value * stride; first < machines; first += stride * count)
        for (uint64_t m = first; m < first + stride; m++)
            if (bit_test(legal, m))
                return true;
    return false;
}

/* How many cells of one workload some legal machine has. */
static uint64_t count_legal(const struct space *space, const uint8_t *legal)
{
    uint64_t found = 0, stride = 1;
    for (size_t a = space->study->axis_count; a-- > 0;) {
        const uint64_t count = space->study->axes[a].count;
        for (uint64_t value = 0; value < count; value++)
            found += is_legal(legal, space->machines, stride, count, value);
        stride *= count;
    }
    return found;
}

enum status coverage_open(const struct space *space, const struct census *census,
                          struct coverage *coverage)
{
    const struct study *study = space->study;
    *coverage = (struct coverage){.space = space,
                                  .values = study_values_before(study, study->axis_count),
                                  .legal = UINT64_MAX};
    coverage->cells = calloc(study->workload_count * coverage->values / 8 + 1, 1);
    if (!coverage->cells)
        return STATUS_MEMORY;
    coverage->cell_count = coverage->values;
    if (census->bitmap) {
        coverage->legal = census->legal * study->workload_count;
        coverage->cell_count = count_legal(space, census->bitmap);
    }
    coverage->cell_count *= study->workload_count;
    return STATUS_OK;
}

enum status coverage_of(const struct space *space, struct coverage *coverage)
{
    struct census census = {0};
    enum status status = STATUS_OK;
    if (space->machines <= CENSUS_MACHINES)
        status = space_census(space, &census, NULL);
    if (status == STATUS_MEMORY)
        return status;
    status = coverage_open(space, &census, coverage);
    census_free(&census);
    return status;
}

void coverage_close(struct coverage *coverage)
{
    free(coverage->cells);
    *coverage = (struct coverage){0};
}

static void cover(struct coverage *coverage, uint64_t cell)
{
    coverage->covered += !bit_test(coverage->cells, cell);
    bit_set(coverage->cells, cell);
}

void coverage_add(struct coverage *coverage, uint64_t point)
{
    const struct study *study = coverage->space->study;
    uint64_t machine = point % coverage->space->machines, end = coverage->values;
    const uint64_t base = point / coverage->space->machines * coverage->values;
    coverage->points++;
    if (coverage->covered == coverage->cell_count)
        return;
    for (size_t a = study->axis_count; a-- > 0; machine /= study->axes[a].count) {
        end -= study->axes[a].count;
        cover(coverage, base + end + machine % study->axes[a].count);
    }
}

void coverage_add_value(struct coverage *coverage, size_t workload, size_t axis, size_t value,
                        uint64_t count)
{
    if (count)
        cover(coverage, cell_of(coverage, workload, axis, value));
    coverage->points += axis ? 0 : count; /* every point has one value of the first axis */
}

const char *coverage_print(const struct coverage *coverage, char text[COVERAGE_TEXT])
{
    char points[COUNT_TEXT], legal[COUNT_TEXT], covered[COUNT_TEXT], cells[COUNT_TEXT];
    int used;
    if (coverage->legal == UINT64_MAX)
        used =
            snprintf(text, COVERAGE_TEXT, "%s", counted_print(coverage->points, "point", points));
    else
        used = snprintf(
            text, COVERAGE_TEXT, "%s of %s (%.3g %%)", count_print(coverage->points, points),
            counted_print(coverage->legal, "point", legal),
            coverage->legal ? 100 * (double)coverage->points / (double)coverage->legal : 100.0);
    snprintf(text + used, COVERAGE_TEXT - (size_t)used,
             ", %s of %s (a value of an axis on a workload)",
             count_print(coverage->covered, covered),
             counted_print(coverage->cell_count, "cell", cells));
    return text;
}
