#include "explore/space/legality.h"

#include <stdlib.h>

#include "explore/space/conditions.h"
#include "model/area/area.h"

struct legality {
    const struct space *space;
    const uint8_t *bitmap;
    struct expression **conditions; /* one per `where`; NULL if there is a bitmap */
    bool areas;                     /* some condition names a metric of STAGE_AREA */
};

enum status legality_create(const struct space *space, const uint8_t *bitmap,
                            struct legality **result, struct diagnostics *diagnostics)
{
    const struct study *study = space->study;
    struct legality *legality = calloc(1, sizeof *legality);
    *result = NULL;
    if (!legality)
        return STATUS_MEMORY;
    legality->space = space;
    legality->bitmap = bitmap;
    enum status status = STATUS_OK;
    if (!bitmap) {
        legality->conditions = calloc(study->where_count + 1, sizeof *legality->conditions);
        status = legality->conditions ? STATUS_OK : STATUS_MEMORY;
    }
    for (size_t i = 0; legality->conditions && i < study->where_count; i++) {
        struct place place = {.file = study->path, .line = study->where[i].line};
        enum status found = expression_create(study->where[i].text, &place, SCOPE_MACHINE,
                                              &legality->conditions[i], diagnostics);
        status = status ? status : found;
        legality->areas =
            legality->areas || (!found && expression_reads_metrics(legality->conditions[i]));
    }
    if (status) {
        legality_free(legality);
        return status;
    }
    *result = legality;
    return STATUS_OK;
}

void legality_free(struct legality *legality)
{
    if (!legality)
        return;
    for (size_t i = 0; legality->conditions && i < legality->space->study->where_count; i++)
        expression_free(legality->conditions[i]);
    free(legality->conditions);
    free(legality);
}

enum status legality_test(struct legality *legality, uint64_t index, bool *legal,
                          struct diagnostics *diagnostics)
{
    if (legality->bitmap) {
        *legal = bit_test(legality->bitmap, index);
        return STATUS_OK;
    }
    struct machine machine;
    struct violation found[VIOLATION_MAX];
    space_machine(legality->space, index, &machine);
    *legal = !machine_check(&machine, found);
    struct metrics metrics;
    const struct expression_values values = {.machine = &machine, .metrics = &metrics};
    enum status status = STATUS_OK;
    if (*legal && legality->areas) {
        metrics_clear(&metrics);
        area_evaluate(&machine, &metrics);
    }
    for (size_t i = 0; i < legality->space->study->where_count && *legal && !status; i++)
        status = expression_test(legality->conditions[i], &values, legal, diagnostics);
    return status;
}
