#include "explore/plan/planner.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explore/plan/planner_tasks.h"
#include "explore/space/setting_table.h"
#include "model/area/area.h"
#include "model/evaluate.h"

static unsigned asked_stages(const struct metric *const *columns, size_t count)
{
    unsigned stages = 0;
    for (size_t i = 0; i < count; i++)
        stages |= columns[i]->stage;
    return stages;
}

static unsigned part_needs(const struct plan *plan, unsigned stages)
{
    unsigned needs = 0;
    for (size_t i = 0; i < plan->column_count; i++)
        if (plan->columns[i]->stage & stages)
            needs |= metric_needs(plan->columns[i]);
    return needs;
}

/* What the part's columns let its last levels share. */
static enum pass_share part_share(const struct plan *plan, unsigned stages)
{
    enum pass_share share = SHARE_LOOKUPS;
    if (stages & STAGE_PWC)
        return SHARE_NOTHING;
    for (size_t i = 0; i < plan->column_count; i++) {
        const struct metric *column = plan->columns[i];
        if (!(column->stage & stages & ~STAGE_STREAM) || column->traits & METRIC_LOOKUP)
            continue;
        if (!(column->traits & METRIC_TRAFFIC))
            return SHARE_NOTHING;
        share = SHARE_TRAFFIC;
    }
    return share;
}

static void add_part(struct plan *plan, unsigned stages)
{
    plan->parts[plan->part_count++].question =
        (struct stage_question){.stages = stages,
                                .asked = plan->stages & stages,
                                .needs = part_needs(plan, stages),
                                .share = part_share(plan, stages)};
}

/* Latencies feed back into the order of accesses: the L1D is one part with the stream. */
static void choose_reuse_part(struct plan *plan, unsigned asked)
{
    bool simulated = asked & ~(unsigned)STAGE_AREA;
    plan->parts[plan->part_count++].question =
        (struct stage_question){.depth = DEPTH_REUSE,
                                .stages = simulated ? stage_chain(STAGE_REUSE, false) : 0,
                                .asked = simulated ? STAGE_REUSE : 0,
                                .needs = part_needs(plan, ~(unsigned)STAGE_AREA)};
}

void plan_choose_parts(struct plan *plan)
{
    unsigned asked = plan->stages = asked_stages(plan->columns, plan->column_count);
    if (plan->space->study->depth == DEPTH_REUSE) {
        choose_reuse_part(plan, asked);
        return;
    }
    if (space_couples(plan->space) && asked & (STAGE_L2 | STAGE_PWC)) {
        add_part(plan, stage_chain(STAGE_L2, true));
        return;
    }
    if (asked & (STAGE_L1D | STAGE_L2))
        add_part(plan, stage_chain(asked & STAGE_L2 ? STAGE_L2 : STAGE_L1D, false));
    if (asked & (STAGE_TLB | STAGE_PWC))
        add_part(plan, stage_chain(asked & STAGE_PWC ? STAGE_PWC : STAGE_TLB, false));
    if (!plan->part_count) /* the stream alone, or nothing but area */
        add_part(plan, asked & STAGE_STREAM);
}

static void combination_machine(const struct plan *plan, const struct part *part,
                                uint64_t combination, struct machine *machine)
{
    struct machine whole;
    space_machine(plan->space, projection_base(&part->projection, combination), &whole);
    stage_machine(&whole, part->question.stages, machine);
}

void plan_machine(const struct plan *plan, const struct part *part, uint32_t setting,
                  struct machine *machine)
{
    combination_machine(plan, part, part->settings[setting].combination, machine);
}

static enum status project_part(const struct plan *plan, unsigned stages, bool inverse,
                                struct projection *projection)
{
    const struct study *study = plan->space->study;
    bool *kept = calloc(study->axis_count + 1, sizeof *kept);
    if (!kept)
        return STATUS_MEMORY;
    for (size_t a = 0; a < study->axis_count; a++)
        kept[a] = !(study->axes[a].parameter->stages & stages) == inverse;
    enum status status = projection_init(plan->space, kept, projection);
    free(kept);
    return status;
}

/* Numbers the settings of a part while its combinations are met. */
struct numbering {
    const struct plan *plan;
    struct part *part;
    struct setting_table *streams, *firsts, *families, *levels, *settings;
    size_t capacity;
};

struct same_query {
    const struct numbering *numbering;
    const struct machine *machine; /* as seen */
    unsigned stages;
    enum machine_form form;
};

static bool same_machine(void *argument, uint32_t combination)
{
    const struct same_query *query = argument;
    const struct part *part = query->numbering->part;
    struct machine machine, other;
    combination_machine(query->numbering->plan, part, combination, &machine);
    simulate_form(&part->question, query->form, &machine, &other);
    return machine_same(&other, query->machine, query->stages);
}

/* The number of the machine's value of `stages`, a new one where it is met for the first time. */
static enum status number_of(const struct numbering *numbering, struct setting_table *table,
                             const struct machine *machine, unsigned stages, enum machine_form form,
                             uint32_t combination, uint32_t *number)
{
    struct machine seen;
    struct same_query query = {numbering, &seen, stages, form};
    simulate_form(&numbering->part->question, form, machine, &seen);
    return setting_table_number(table, machine_hash(&seen, stages), combination, same_machine,
                                &query, number);
}

static enum status number_combination(struct numbering *numbering, uint32_t combination)
{
    struct part *part = numbering->part;
    unsigned stages = part->question.stages;
    unsigned firsts = stages & (STAGE_STREAM | STAGE_L1D | STAGE_TLB | STAGE_REUSE);
    struct machine machine, level;
    combination_machine(numbering->plan, part, combination, &machine);
    struct setting setting = {.combination = combination};
    setting.shared = simulate_form(&part->question, FORM_LEVEL, &machine, &level);
    setting.cheap = simulate_form(&part->question, FORM_LAST, &machine, &level) && !setting.shared;
    uint32_t number;
    enum status status = number_of(numbering, numbering->streams, &machine, stages & STAGE_STREAM,
                                   FORM_MACHINE, combination, &setting.stream);
    if (!status)
        status = number_of(numbering, numbering->firsts, &machine, firsts, FORM_LEVEL, combination,
                           &setting.first);
    if (!status)
        status = number_of(numbering, numbering->families, &machine, firsts, FORM_FAMILY,
                           combination, &setting.family);
    if (!status)
        status = number_of(numbering, numbering->levels, &machine, stages, FORM_LAST, combination,
                           &setting.level);
    if (!status)
        status = number_of(numbering, numbering->settings, &machine, stages, FORM_MACHINE,
                           combination, &number);
    if (status)
        return status;
    if (number == part->setting_count) {
        if (array_reserve(&part->settings, &numbering->capacity, part->setting_count + 1))
            return STATUS_MEMORY;
        part->settings[part->setting_count++] = setting;
    }
    part->setting_of[combination] = number;
    return STATUS_OK;
}

/* Whether any workload misses the point of this machine. */
static bool is_missing(const struct plan *plan, uint64_t machine)
{
    const struct space *space = plan->space;
    if (!bit_test(plan->legal, machine))
        return false;
    for (size_t w = 0; w < space->study->workload_count; w++)
        if (!plan->done || !bit_test(plan->done, w * space->machines + machine))
            return true;
    return false;
}

static enum status number_settings(struct plan *plan, struct part *part)
{
    struct numbering numbering = {.plan = plan, .part = part};
    enum status status = project_part(plan, part->question.stages, false, &part->projection);
    if (status)
        return status;
    part->setting_of = malloc(part->projection.combinations * sizeof *part->setting_of);
    numbering.streams = setting_table_create();
    numbering.firsts = setting_table_create();
    numbering.families = setting_table_create();
    numbering.levels = setting_table_create();
    numbering.settings = setting_table_create();
    if (!part->setting_of || !numbering.streams || !numbering.firsts || !numbering.families ||
        !numbering.levels || !numbering.settings)
        status = STATUS_MEMORY;
    for (uint64_t c = 0; !status && c < part->projection.combinations; c++)
        part->setting_of[c] = NO_SETTING;
    for (uint64_t m = 0; !status && m < plan->space->machines; m++) {
        if (!is_missing(plan, m))
            continue;
        uint64_t combination = projection_index(&part->projection, m);
        if (part->setting_of[combination] == NO_SETTING)
            status = number_combination(&numbering, (uint32_t)combination);
    }
    part->stream_count = setting_table_count(numbering.streams);
    part->first_count = setting_table_count(numbering.firsts);
    part->level_count = setting_table_count(numbering.levels);
    setting_table_free(numbering.streams);
    setting_table_free(numbering.firsts);
    setting_table_free(numbering.families);
    setting_table_free(numbering.levels);
    setting_table_free(numbering.settings);
    return status;
}

/* Which settings each workload still has to simulate. */
static enum status mark_needed(struct plan *plan)
{
    const struct space *space = plan->space;
    for (size_t p = 0; p < plan->part_count; p++) {
        struct part *part = &plan->parts[p];
        part->needed = calloc(space->study->workload_count, sizeof *part->needed);
        for (size_t w = 0; w < space->study->workload_count; w++)
            if (!part->needed || !(part->needed[w] = calloc(part->setting_count / 8 + 1, 1)))
                return STATUS_MEMORY;
    }
    for (size_t w = 0; w < space->study->workload_count; w++)
        for (uint64_t m = 0; m < space->machines; m++) {
            bool done = plan->done && bit_test(plan->done, w * space->machines + m);
            if (done || !bit_test(plan->legal, m))
                continue;
            plan->missing++;
            for (size_t p = 0; p < plan->part_count; p++)
                bit_set(plan->parts[p].needed[w], plan_setting(&plan->parts[p], m));
        }
    return STATUS_OK;
}

/* Which of these the cache has. */
static enum status mark_remembered(struct plan *plan, const struct plan_memory *memory)
{
    size_t workloads = plan->space->study->workload_count;
    for (size_t p = 0; p < plan->part_count; p++) {
        struct part *part = &plan->parts[p];
        part->remembered = calloc(workloads, sizeof *part->remembered);
        for (size_t w = 0; w < workloads; w++)
            if (!part->remembered ||
                !(part->remembered[w] = calloc(part->setting_count / 8 + 1, 1)))
                return STATUS_MEMORY;
        if (!memory || !memory->cache || !part->question.asked)
            continue;
        for (size_t s = 0; s < part->setting_count; s++) {
            struct machine machine;
            struct metrics metrics;
            plan_machine(plan, part, (uint32_t)s, &machine);
            for (size_t w = 0; w < workloads; w++)
                if (bit_test(part->needed[w], s) &&
                    stages_recall(memory->cache, memory->digests[w], &part->question, &machine,
                                  &metrics))
                    bit_set(part->remembered[w], s);
        }
    }
    return STATUS_OK;
}

/* Sorts the driver's combinations by their setting (counting sort, stable). */
static enum status list_members(struct plan *plan)
{
    const struct part *driver = plan_driver(plan);
    size_t total = 0;
    plan->member_ends = calloc(driver->setting_count + 1, sizeof *plan->member_ends);
    if (!plan->member_ends)
        return STATUS_MEMORY;
    for (uint64_t c = 0; c < driver->projection.combinations; c++)
        if (driver->setting_of[c] != NO_SETTING)
            plan->member_ends[driver->setting_of[c]]++;
    for (size_t s = 0; s < driver->setting_count; s++) {
        size_t count = plan->member_ends[s];
        plan->member_ends[s] = total;
        total += count;
    }
    plan->members = malloc((total + 1) * sizeof *plan->members);
    if (!plan->members)
        return STATUS_MEMORY;
    for (uint64_t c = 0; c < driver->projection.combinations; c++)
        if (driver->setting_of[c] != NO_SETTING)
            plan->members[plan->member_ends[driver->setting_of[c]]++] = (uint32_t)c;
    return STATUS_OK;
}

enum status plan_create(const struct space *space, const uint8_t *legal, const uint8_t *done,
                        const struct metric *const *columns, size_t column_count, int threads,
                        const double *sizes, const struct plan_memory *memory, struct plan **result)
{
    struct plan *plan = calloc(1, sizeof *plan);
    *result = NULL;
    if (!plan)
        return STATUS_MEMORY;
    plan->space = space;
    plan->legal = legal;
    plan->done = done;
    plan->columns = columns;
    plan->column_count = column_count;
    plan_choose_parts(plan);
    enum status status = STATUS_OK;
    for (size_t p = 0; p < plan->part_count && !status; p++)
        status = number_settings(plan, &plan->parts[p]);
    if (!status && plan->part_count == 2 &&
        plan->parts[0].setting_count > plan->parts[1].setting_count) {
        struct part larger = plan->parts[0];
        plan->parts[0] = plan->parts[1];
        plan->parts[1] = larger;
    }
    if (!status)
        status = mark_needed(plan);
    if (!status)
        status = mark_remembered(plan, memory);
    if (!status)
        status = project_part(plan, plan_driver(plan)->question.stages, true, &plan->rest);
    if (!status)
        status = list_members(plan);
    if (!status)
        status = plan_tasks(plan, threads, sizes);
    if (status) {
        plan_free(plan);
        return status;
    }
    *result = plan;
    return STATUS_OK;
}

void plan_free(struct plan *plan)
{
    if (!plan)
        return;
    for (size_t p = 0; p < plan->part_count; p++) {
        struct part *part = &plan->parts[p];
        for (size_t w = 0; part->needed && w < plan->space->study->workload_count; w++)
            free(part->needed[w]);
        for (size_t w = 0; part->remembered && w < plan->space->study->workload_count; w++)
            free(part->remembered[w]);
        free(part->needed);
        free(part->remembered);
        free(part->setting_of);
        free(part->settings);
        projection_free(&part->projection);
    }
    projection_free(&plan->rest);
    free(plan->members);
    free(plan->member_ends);
    free(plan->order);
    free(plan->tasks);
    free(plan);
}

static int compare_points(const void *a, const void *b)
{
    const struct plan_point *left = a, *right = b;
    return left->point < right->point ? -1 : left->point > right->point;
}

/* Appends the missing points of one combination of the driver. */
static enum status add_points(const struct plan *plan, size_t workload, uint32_t combination,
                              size_t slot, struct plan_point **points, size_t *count,
                              size_t *capacity)
{
    uint64_t base = projection_base(&plan_driver(plan)->projection, combination);
    if (array_reserve(points, capacity, *count + plan->rest.combinations))
        return STATUS_MEMORY;
    for (uint64_t r = 0; r < plan->rest.combinations; r++) {
        uint64_t machine = base + projection_base(&plan->rest, r);
        uint64_t point = workload * plan->space->machines + machine;
        if (bit_test(plan->legal, machine) && !(plan->done && bit_test(plan->done, point)))
            (*points)[(*count)++] = (struct plan_point){point, slot};
    }
    return STATUS_OK;
}

enum status plan_points(const struct plan *plan, const struct task *task,
                        struct plan_point **points, size_t *count)
{
    size_t capacity = 0;
    enum status status = STATUS_OK;
    *points = NULL;
    *count = 0;
    for (size_t slot = 0; slot < task->count && !status; slot++) {
        uint32_t setting = task->settings[slot];
        size_t first = setting ? plan->member_ends[setting - 1] : 0;
        for (size_t i = first; i < plan->member_ends[setting] && !status; i++)
            status =
                add_points(plan, task->workload, plan->members[i], slot, points, count, &capacity);
    }
    if (status) {
        free(*points);
        *points = NULL;
        return status;
    }
    /* Ascending ids are what the store writes fastest. */
    if (*count)
        qsort(*points, *count, sizeof **points, compare_points);
    return STATUS_OK;
}

void plan_compose(const struct plan *plan, uint64_t machine,
                  const struct metrics *const parts[PARTS_MAX], struct metrics *metrics)
{
    metrics_clear(metrics);
    if (plan->stages & STAGE_AREA) {
        struct machine whole;
        space_machine(plan->space, machine, &whole);
        area_evaluate(&whole, metrics);
    }
    for (size_t i = 0; i < plan->column_count; i++)
        for (size_t p = 0; p < plan->part_count; p++)
            if (plan->columns[i]->stage & plan->parts[p].question.stages) {
                metric_set(plan->columns[i], metrics, metric_get(plan->columns[i], parts[p]));
                break;
            }
}
