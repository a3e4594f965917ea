#include "explore/search/search_memo.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explore/plan/simulate.h"

enum status memo_open(const struct plan *plan, const struct part *part, struct memo *memo)
{
    const struct study *study = plan->space->study;
    const unsigned stages = part->question.stages;
    *memo = (struct memo){.plan = plan, .part = part};
    bool *kept = calloc(study->axis_count + 1, sizeof *kept);
    bool made = kept;
    for (size_t i = 0; i < MEMO_NUMBERS; i++)
        made &= (memo->tables[i] = setting_table_create()) != NULL;
    enum status status = STATUS_MEMORY;
    if (made) {
        for (size_t a = 0; a < study->axis_count; a++)
            kept[a] = study->axes[a].parameter->stages & stages;
        status = projection_init(plan->space, kept, &memo->projection);
    }
    free(kept);
    return status;
}

void memo_close(struct memo *memo)
{
    for (size_t i = 0; i < MEMO_NUMBERS; i++)
        setting_table_free(memo->tables[i]);
    projection_free(&memo->projection);
    point_table_free(&memo->combinations);
    point_table_free(&memo->results);
    free(memo->setting_of);
    free(memo->items);
    free(memo->values);
    free(memo->ready);
}

void memo_machine(const struct memo *memo, uint64_t index, struct machine *machine)
{
    struct machine whole;
    space_machine(memo->plan->space, index, &whole);
    stage_machine(&whole, memo->part->question.stages, machine);
}

struct same_query {
    const struct memo *memo;
    const struct machine *machine; /* as seen */
    unsigned stages;
    enum machine_form form;
};

static bool same_machine(void *argument, uint32_t item)
{
    const struct same_query *query = argument;
    struct machine machine, other;
    memo_machine(query->memo, query->memo->items[item].machine, &machine);
    simulate_form(&query->memo->part->question, query->form, &machine, &other);
    return machine_same(&other, query->machine, query->stages);
}

/* The setting that the machine of a new combination has. */
static enum status number_combination(struct memo *memo, uint64_t index, uint32_t *setting)
{
    const struct stage_question *question = &memo->part->question;
    const unsigned all = question->stages;
    const unsigned firsts = all & (STAGE_STREAM | STAGE_L1D | STAGE_TLB | STAGE_REUSE);
    const struct {
        unsigned stages;
        enum machine_form form;
    } kinds[MEMO_NUMBERS] = {[MEMO_SETTING] = {all, FORM_MACHINE},
                             [MEMO_STREAM] = {all & STAGE_STREAM, FORM_MACHINE},
                             [MEMO_FIRST] = {firsts, FORM_LEVEL},
                             [MEMO_FAMILY] = {firsts, FORM_FAMILY},
                             [MEMO_LEVEL] = {all, FORM_LAST}};
    uint32_t numbers[MEMO_NUMBERS];
    bool shares[MEMO_NUMBERS] = {false};
    struct machine machine, seen;
    if (array_reserve(&memo->items, &memo->capacity, memo->count + 1))
        return STATUS_MEMORY;
    memo_machine(memo, index, &machine);
    memo->items[memo->count].machine = index;
    for (size_t i = 0; i < MEMO_NUMBERS; i++) {
        const unsigned stages = kinds[i].stages;
        struct same_query query = {memo, &seen, stages, kinds[i].form};
        shares[i] = simulate_form(question, kinds[i].form, &machine, &seen);
        enum status status =
            setting_table_number(memo->tables[i], machine_hash(&seen, stages),
                                 (uint32_t)memo->count, same_machine, &query, &numbers[i]);
        if (status)
            return status;
        if (i == MEMO_SETTING && numbers[MEMO_SETTING] < memo->count)
            break; /* a setting that is known: so are its levels */
    }
    if (numbers[MEMO_SETTING] == memo->count)
        memo->items[memo->count++] =
            (struct memo_item){.machine = index,
                               .stream = numbers[MEMO_STREAM],
                               .family = numbers[MEMO_FAMILY],
                               .first = numbers[MEMO_FIRST],
                               .level = numbers[MEMO_LEVEL],
                               .shared = shares[MEMO_FIRST],
                               .cheap = !shares[MEMO_FIRST] && shares[MEMO_LEVEL]};
    *setting = numbers[MEMO_SETTING];
    return STATUS_OK;
}

enum status memo_setting(struct memo *memo, uint64_t index, uint32_t *setting)
{
    uint64_t combination = projection_index(&memo->projection, index);
    size_t known = point_table_find(&memo->combinations, combination), number;
    bool fresh;
    if (known != NO_NUMBER) {
        *setting = memo->setting_of[known];
        return STATUS_OK;
    }
    if (array_reserve(&memo->setting_of, &memo->setting_capacity, memo->combinations.count + 1))
        return STATUS_MEMORY;
    enum status status = number_combination(memo, index, setting);
    if (!status)
        status = point_table_add(&memo->combinations, combination, &number, &fresh);
    if (!status)
        memo->setting_of[number] = *setting;
    return status;
}

enum status memo_result(struct memo *memo, uint32_t setting, uint64_t workload, size_t *result)
{
    size_t columns = memo->plan->column_count;
    uint64_t workloads = memo->plan->space->study->workload_count;
    size_t next = memo->results.count;
    bool fresh;
    if (array_reserve(&memo->values, &memo->value_capacity, (next + 1) * columns) ||
        array_reserve(&memo->ready, &memo->ready_capacity, next + 1))
        return STATUS_MEMORY;
    enum status status =
        point_table_add(&memo->results, setting * workloads + workload, result, &fresh);
    if (!status && fresh)
        memo->ready[*result] = false;
    return status;
}

void memo_recall(const struct memo *memo, size_t result, struct metrics *metrics)
{
    const struct plan *plan = memo->plan;
    const double *values = memo->values + result * plan->column_count;
    metrics_clear(metrics);
    for (size_t c = 0; c < plan->column_count; c++)
        metric_set(plan->columns[c], metrics, values[c]);
}

void memo_keep(struct memo *memo, size_t result, const struct metrics *metrics)
{
    const struct plan *plan = memo->plan;
    for (size_t c = 0; c < plan->column_count; c++)
        memo->values[result * plan->column_count + c] = metric_get(plan->columns[c], metrics);
    memo->ready[result] = true;
}
