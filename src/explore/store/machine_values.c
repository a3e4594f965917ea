#include "explore/store/machine_values.h"

#include <stdlib.h>

#include "explore/space/projection.h"
#include "model/area/area.h"

struct machine_values {
    const struct space *space;
    const struct metric *metric;
    struct census census;
    struct projection projection; /* onto the axes that change areas */
    double *values;               /* by combination */
    bool *known;                  /* likewise */
    struct area_kept *kept;
    struct metrics metrics; /* of the machine before */
};

static enum status values_prepare(struct machine_values *values)
{
    enum status status = space_census(values->space, &values->census, NULL);
    if (!status &&
        values->census.legal * values->space->study->workload_count > MACHINE_VALUES_POINTS)
        status = STATUS_UNSUPPORTED;
    if (!status)
        status = projection_init_stages(values->space, STAGE_AREA, false, &values->projection);
    const uint64_t combinations = values->projection.combinations;
    if (!status && combinations > MACHINE_VALUES_AREAS)
        status = STATUS_UNSUPPORTED;
    if (status)
        return status;
    values->values = calloc(combinations + 1, sizeof *values->values);
    values->known = calloc(combinations + 1, sizeof *values->known);
    values->kept = calloc(1, sizeof *values->kept);
    return values->values && values->known && values->kept ? STATUS_OK : STATUS_MEMORY;
}

enum status machine_values_open(const struct space *space, const struct metric *metric,
                                struct machine_values **values)
{
    *values = NULL;
    if (metric->stage != STAGE_AREA)
        return STATUS_UNSUPPORTED;
    *values = calloc(1, sizeof **values);
    if (!*values)
        return STATUS_MEMORY;
    **values = (struct machine_values){.space = space, .metric = metric};
    metrics_clear(&(*values)->metrics);
    const enum status status = values_prepare(*values);
    if (status) {
        machine_values_close(*values);
        *values = NULL;
    }
    return status;
}

void machine_values_close(struct machine_values *values)
{
    if (!values)
        return;
    projection_free(&values->projection);
    census_free(&values->census);
    free(values->values);
    free(values->known);
    free(values->kept);
    free(values);
}

static const double *value_of(struct machine_values *values, uint64_t index)
{
    const uint64_t combination = projection_index(&values->projection, index);
    if (!values->known[combination]) {
        struct machine machine;
        space_machine(values->space, index, &machine);
        area_evaluate_next(&machine, values->kept, &values->metrics);
        values->values[combination] = metric_get(values->metric, &values->metrics);
        values->known[combination] = true;
    }
    return &values->values[combination];
}

enum status machine_values_each(struct machine_values *values, row_function row, void *argument)
{
    const struct space *space = values->space;
    for (uint64_t point = 0; point < space->points; point++) {
        const uint64_t machine = point % space->machines;
        if (!bit_test(values->census.bitmap, machine))
            continue;
        const struct store_row given = {point, value_of(values, machine), 1, 1};
        const enum status status = row(argument, &given);
        if (status)
            return status;
    }
    return STATUS_OK;
}
