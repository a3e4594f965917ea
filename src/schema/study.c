#include "schema/study.h"

#include <stdlib.h>
#include <string.h>

static void free_conditions(struct condition *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(conditions[i].text);
    free(conditions);
}

void study_free(struct study *study)
{
    free(study->name);
    free(study->path);
    free(study->machine_name);
    for (size_t i = 0; i < study->workload_count; i++)
        free(study->workloads[i]);
    free(study->workloads);
    for (size_t i = 0; i < study->axis_count; i++)
        free(study->axes[i].values);
    free(study->axes);
    free_conditions(study->where, study->where_count);
    free_conditions(study->filters, study->filter_count);
    free(study->objectives);
    free(study->columns);
    memset(study, 0, sizeof *study);
}
