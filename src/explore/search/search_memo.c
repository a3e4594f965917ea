#include "explore/search/search_memo.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explore/plan/simulate.h"

enum status memo_open(const struct plan *plan, const struct part *part, struct memo *memo)
{
    *memo = (struct memo){.plan = plan, .part = part};
    enum status status = settings_open(plan->space, &part->question, &memo->settings);
    if (!status)
        status =
            projection_init_stages(plan->space, part->question.stages, false, &memo->projection);
    return status;
}

void memo_close(struct memo *memo)
{
    settings_close(&memo->settings);
    projection_free(&memo->projection);
    key_table_free(&memo->combinations);
    key_table_free(&memo->results);
    free(memo->setting_of);
    free(memo->values);
    free(memo->ready);
}

/* Machines that agree in the part's axes have the same setting, so usually a hash lookup is enough.
 */
enum status memo_setting(struct memo *memo, uint64_t index, uint32_t *setting)
{
    uint64_t combination = projection_index(&memo->projection, index);
    uint32_t known = key_table_find(&memo->combinations, combination), number;
    if (known != KEY_NONE) {
        *setting = memo->setting_of[known];
        return STATUS_OK;
    }
    if (array_reserve(&memo->setting_of, &memo->setting_capacity,
                      (size_t)memo->combinations.count + 1))
        return STATUS_MEMORY;
    enum status status = settings_find(&memo->settings, index, setting);
    if (!status)
        status = key_table_number(&memo->combinations, combination, &number);
    if (!status)
        memo->setting_of[number] = *setting;
    return status;
}

enum status memo_result(struct memo *memo, uint32_t setting, uint64_t workload, size_t *result)
{
    size_t columns = memo->plan->counted_count;
    uint64_t workloads = memo->plan->space->study->workload_count;
    size_t next = memo->results.count;
    uint32_t number;
    if (array_reserve(&memo->values, &memo->value_capacity, (next + 1) * columns) ||
        array_reserve(&memo->ready, &memo->ready_capacity, next + 1))
        return STATUS_MEMORY;
    enum status status = key_table_number(&memo->results, setting * workloads + workload, &number);
    *result = number;
    if (!status && number == next)
        memo->ready[number] = false;
    return status;
}

void memo_recall(const struct memo *memo, size_t result, struct metrics *metrics)
{
    const struct plan *plan = memo->plan;
    const double *values = memo->values + result * plan->counted_count;
    metrics_clear(metrics);
    for (size_t c = 0; c < plan->counted_count; c++)
        metric_set(plan->counted[c], metrics, values[c]);
}

void memo_keep(struct memo *memo, size_t result, const struct metrics *metrics)
{
    const struct plan *plan = memo->plan;
    for (size_t c = 0; c < plan->counted_count; c++)
        memo->values[result * plan->counted_count + c] = metric_get(plan->counted[c], metrics);
    memo->ready[result] = true;
}
