#include "explore/space/projection.h"

#include <stdlib.h>
#include <string.h>

enum status projection_init(const struct space *space, const bool *kept,
                            struct projection *projection)
{
    const struct study *study = space->study;
    *projection = (struct projection){.combinations = 1};
    for (size_t a = 0; a < study->axis_count; a++)
        projection->axis_count += kept[a];
    projection->axes = calloc(projection->axis_count + 1, sizeof *projection->axes);
    if (!projection->axes)
        return STATUS_MEMORY;
    uint64_t stride = 1;
    size_t left = projection->axis_count;
    for (size_t a = study->axis_count; a-- > 0;) {
        uint64_t count = study->axes[a].count;
        if (kept[a]) {
            projection->axes[--left] =
                (struct projected_axis){stride, projection->combinations, count};
            projection->combinations *= count;
        }
        stride *= count;
    }
    return STATUS_OK;
}

/* A list of machines is one axis that every stage depends on. */
static enum status projection_init_listed(const struct space *space, bool empty,
                                          struct projection *projection)
{
    *projection = (struct projection){.combinations = empty ? 1 : space->machines};
    projection->axes = calloc(1, sizeof *projection->axes);
    if (!projection->axes)
        return STATUS_MEMORY;
    *projection->axes = (struct projected_axis){1, 1, space->machines};
    projection->axis_count = !empty;
    return STATUS_OK;
}

enum status projection_init_stages(const struct space *space, unsigned stages, bool inverse,
                                   struct projection *projection)
{
    const struct study *study = space->study;
    if (space->listed)
        return projection_init_listed(space, inverse, projection);
    bool *kept = calloc(study->axis_count + 1, sizeof *kept);
    if (!kept)
        return STATUS_MEMORY;
    for (size_t a = 0; a < study->axis_count; a++)
        kept[a] = !(study->axes[a].parameter->stages & stages) == inverse;
    enum status status = projection_init(space, kept, projection);
    free(kept);
    return status;
}

void projection_free(struct projection *projection)
{
    free(projection->axes);
    *projection = (struct projection){0};
}

uint64_t projection_index(const struct projection *projection, uint64_t machine)
{
    uint64_t combination = 0;
    for (size_t i = 0; i < projection->axis_count; i++) {
        const struct projected_axis *axis = &projection->axes[i];
        combination += machine / axis->stride % axis->count * axis->weight;
    }
    return combination;
}

/* Neighbours have equal digits for as long as the stride says. */
static void add_digits(const struct projected_axis *axis, uint64_t first, size_t count,
                       uint32_t *combinations)
{
    const uint32_t weight = (uint32_t)axis->weight, end = (uint32_t)axis->count * weight;
    uint32_t digit = (uint32_t)(first / axis->stride % axis->count) * weight;
    uint64_t left = axis->stride - first % axis->stride;
    for (size_t i = 0; i < count; left = axis->stride) {
        const size_t stop = left < count - i ? i + (size_t)left : count;
        for (; i < stop; i++)
            combinations[i] += digit;
        digit = digit + weight == end ? 0 : digit + weight;
    }
}

void projection_indices(const struct projection *projection, uint64_t first, size_t count,
                        uint32_t *combinations)
{
    memset(combinations, 0, count * sizeof *combinations);
    for (size_t i = 0; i < projection->axis_count; i++)
        add_digits(&projection->axes[i], first, count, combinations);
}

uint64_t projection_base(const struct projection *projection, uint64_t combination)
{
    uint64_t machine = 0;
    for (size_t i = 0; i < projection->axis_count; i++) {
        const struct projected_axis *axis = &projection->axes[i];
        machine += combination / axis->weight % axis->count * axis->stride;
    }
    return machine;
}
