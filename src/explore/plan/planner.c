#include "explore/plan/planner.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explore/plan/planner_tasks.h"
#include "model/evaluate.h"

static unsigned asked_stages(const struct plan *plan)
{
    unsigned stages = 0;
    for (size_t i = 0; i < plan->counted_count; i++)
        stages |= plan->counted[i]->stage;
    return stages;
}

static unsigned part_needs(const struct plan *plan, unsigned stages)
{
    unsigned needs = 0;
    for (size_t i = 0; i < plan->counted_count; i++)
        if (plan->counted[i]->stage & stages)
            needs |= metric_needs(plan->counted[i]);
    return needs;
}

/* How much the last levels of a part can share, given which columns are asked of them. */
static enum pass_share part_share(const struct plan *plan, unsigned stages)
{
    enum pass_share share = SHARE_LOOKUPS;
    if (stages & ~(unsigned)LOOKUPS_STAGES)
        return SHARE_NOTHING;
    for (size_t i = 0; i < plan->counted_count; i++) {
        const struct metric *column = plan->counted[i];
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

/* At a depth that is not factored, everything is one part. */
static void add_whole(struct plan *plan, enum depth depth, unsigned asked)
{
    const unsigned results = depth_results(depth, asked);
    plan->parts[plan->part_count++].question =
        (struct stage_question){.depth = depth,
                                .stages = results ? depth_reads(depth) : 0,
                                .asked = results,
                                .needs = part_needs(plan, ~(unsigned)STAGE_AREA)};
}

void plan_choose_parts(struct plan *plan, const struct space *space,
                       const struct metric *const *columns, size_t column_count)
{
    const enum depth depth = space->study->depth;
    unsigned parts[STAGE_COUNT];
    plan->space = space;
    plan->counted_count = metrics_counted(columns, column_count, plan->counted);
    plan->stages = asked_stages(plan);
    if (!depth_can(depth, DEPTH_FACTORED)) {
        add_whole(plan, depth, plan->stages);
        return;
    }
    const size_t count = stage_parts(plan->stages, space_couples(space), parts);
    for (size_t i = 0; i < count; i++)
        add_part(plan, parts[i]);
    if (!count) /* nothing but area */
        add_part(plan, 0);
}

void plan_machine(const struct part *part, uint32_t setting, struct machine *machine)
{
    settings_machine(&part->settings, part->settings.items[setting].machine, machine);
}

/* Whether the point of this machine is missing on any workload. */
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

/* The combinations of a chunk of machines. */
static void list_combinations(const struct plan *plan, const struct part *part, uint64_t first,
                              uint32_t combinations[PROJECTION_CHUNK])
{
    const uint64_t left = plan->space->machines - first;
    projection_indices(&part->projection, first, left < PROJECTION_CHUNK ? left : PROJECTION_CHUNK,
                       combinations);
}

/* Numbers the part's settings. Machines that agree in the part's axes have the same setting, so
 * only the first machine of each combination is decoded. */
static enum status number_settings(struct plan *plan, struct part *part)
{
    enum status status =
        projection_init_stages(plan->space, part->question.stages, false, &part->projection);
    if (!status)
        status = settings_open(plan->space, &part->question, &part->settings);
    if (status)
        return status;
    part->setting_of = malloc(part->projection.combinations * sizeof *part->setting_of);
    part->machines = calloc(part->projection.combinations, sizeof *part->machines);
    if (!part->setting_of || !part->machines)
        return STATUS_MEMORY;
    for (uint64_t c = 0; c < part->projection.combinations; c++)
        part->setting_of[c] = NO_SETTING;
    uint32_t combinations[PROJECTION_CHUNK];
    for (uint64_t m = 0; !status && m < plan->space->machines; m++) {
        const size_t place = m % PROJECTION_CHUNK;
        if (!place && space_cancelled(plan->space))
            return STATUS_CANCELLED;
        if (!place)
            list_combinations(plan, part, m, combinations);
        if (!is_missing(plan, m))
            continue;
        const uint32_t combination = combinations[place];
        part->machines[combination]++;
        if (part->setting_of[combination] == NO_SETTING)
            status = settings_find(&part->settings, projection_base(&part->projection, combination),
                                   &part->setting_of[combination]);
    }
    return status;
}

/* Sorts the parts by the number of their settings, so that the last becomes the driver. The sort is
 * stable, so the driver does not depend on chance. */
static void sort_parts(struct plan *plan)
{
    for (size_t i = 1; i < plan->part_count; i++)
        for (size_t k = i; k && plan->parts[k - 1].settings.count > plan->parts[k].settings.count;
             k--) {
            const struct part larger = plan->parts[k - 1];
            plan->parts[k - 1] = plan->parts[k];
            plan->parts[k] = larger;
        }
}

/* Marks which settings of a part a workload still needs. Returns for how many points. */
static uint64_t mark_part(const struct plan *plan, const struct part *part, size_t workload)
{
    const uint64_t machines = plan->space->machines;
    uint32_t combinations[PROJECTION_CHUNK];
    uint64_t missing = 0;
    for (uint64_t m = 0; m < machines; m++) {
        const size_t place = m % PROJECTION_CHUNK;
        if (!place && space_cancelled(plan->space))
            break; /* the plan will not be */
        if (!place)
            list_combinations(plan, part, m, combinations);
        const bool done = plan->done && bit_test(plan->done, workload * machines + m);
        if (done || !bit_test(plan->legal, m))
            continue;
        bit_set(part->needed[workload], part->setting_of[combinations[place]]);
        missing++;
    }
    return missing;
}

/* Marks which settings each workload still needs. */
static enum status mark_needed(struct plan *plan)
{
    const struct space *space = plan->space;
    for (size_t p = 0; p < plan->part_count; p++) {
        struct part *part = &plan->parts[p];
        part->needed = calloc(space->study->workload_count, sizeof *part->needed);
        for (size_t w = 0; w < space->study->workload_count; w++)
            if (!part->needed || !(part->needed[w] = calloc(part->settings.count / 8 + 1, 1)))
                return STATUS_MEMORY;
    }
    for (size_t w = 0; w < space->study->workload_count; w++) {
        uint64_t missing = 0; /* every part says the same */
        for (size_t p = 0; p < plan->part_count; p++)
            missing = mark_part(plan, &plan->parts[p], w);
        plan->missing += missing;
    }
    return space_cancelled(space) ? STATUS_CANCELLED : STATUS_OK;
}

/* Marks which of the needed settings the stage cache has. */
static enum status mark_remembered(struct plan *plan, const struct plan_memory *memory)
{
    size_t workloads = plan->space->study->workload_count;
    for (size_t p = 0; p < plan->part_count; p++) {
        struct part *part = &plan->parts[p];
        part->remembered = calloc(workloads, sizeof *part->remembered);
        for (size_t w = 0; w < workloads; w++)
            if (!part->remembered ||
                !(part->remembered[w] = calloc(part->settings.count / 8 + 1, 1)))
                return STATUS_MEMORY;
        if (!memory || !memory->cache || !part->question.asked)
            continue;
        for (size_t s = 0; s < part->settings.count; s++) {
            struct machine machine;
            struct metrics metrics;
            if (space_cancelled(plan->space))
                return STATUS_CANCELLED;
            plan_machine(part, (uint32_t)s, &machine);
            for (size_t w = 0; w < workloads; w++)
                if (bit_test(part->needed[w], s) &&
                    stages_recall(memory->cache, memory->digests[w], &part->question, &machine,
                                  &metrics))
                    bit_set(part->remembered[w], s);
        }
    }
    return STATUS_OK;
}

/* Groups the combinations of a part by setting (a stable counting sort). */
static enum status list_members(struct part *part)
{
    size_t total = 0;
    part->member_ends = calloc(part->settings.count + 1, sizeof *part->member_ends);
    if (!part->member_ends)
        return STATUS_MEMORY;
    for (uint64_t c = 0; c < part->projection.combinations; c++)
        if (part->setting_of[c] != NO_SETTING)
            part->member_ends[part->setting_of[c]]++;
    for (size_t s = 0; s < part->settings.count; s++) {
        size_t count = part->member_ends[s];
        part->member_ends[s] = total;
        total += count;
    }
    part->members = malloc((total + 1) * sizeof *part->members);
    if (!part->members)
        return STATUS_MEMORY;
    for (uint64_t c = 0; c < part->projection.combinations; c++)
        if (part->setting_of[c] != NO_SETTING)
            part->members[part->member_ends[part->setting_of[c]]++] = (uint32_t)c;
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
    plan->legal = legal;
    plan->done = done;
    plan_choose_parts(plan, space, columns, column_count);
    enum status status = STATUS_OK;
    for (size_t p = 0; p < plan->part_count && !status; p++)
        status = number_settings(plan, &plan->parts[p]);
    sort_parts(plan);
    if (!status)
        status = mark_needed(plan);
    if (!status)
        status = mark_remembered(plan, memory);
    if (!status)
        status = projection_init_stages(plan->space, plan_driver(plan)->question.stages, true,
                                        &plan->rest);
    for (size_t p = 0; p < plan->part_count && !status; p++)
        status = list_members(&plan->parts[p]);
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
        free(part->machines);
        free(part->members);
        free(part->member_ends);
        settings_close(&part->settings);
        projection_free(&part->projection);
    }
    projection_free(&plan->rest);
    free(plan->order);
    free(plan->tasks);
    free(plan);
}

static int compare_points(const void *a, const void *b)
{
    const struct plan_point *left = a, *right = b;
    return left->point < right->point ? -1 : left->point > right->point;
}

/* Whether the settings of the parts before the driver that this machine needs are there. */
static bool is_there(const struct plan *plan, const struct plan_there *there, uint64_t machine)
{
    for (size_t p = 0; there && p + 1 < plan->part_count; p++)
        if (there->settings[p] &&
            !bit_test(there->settings[p], plan_setting(&plan->parts[p], machine)))
            return false;
    return true;
}

struct point_list {
    struct plan_point *items;
    size_t count, capacity;
};

/* Appends the missing points that share one combination of the driver's axes. */
static enum status add_points(const struct plan *plan, size_t workload, uint32_t combination,
                              size_t slot, const struct plan_there *there, struct point_list *list)
{
    uint64_t base = projection_base(&plan_driver(plan)->projection, combination);
    if (array_reserve(&list->items, &list->capacity, list->count + plan->rest.combinations))
        return STATUS_MEMORY;
    for (uint64_t r = 0; r < plan->rest.combinations; r++) {
        uint64_t machine = base + projection_base(&plan->rest, r);
        uint64_t point = workload * plan->space->machines + machine;
        if (bit_test(plan->legal, machine) && !(plan->done && bit_test(plan->done, point)) &&
            is_there(plan, there, machine))
            list->items[list->count++] = (struct plan_point){point, slot};
    }
    return STATUS_OK;
}

/* The points of a setting are the product of its members (combinations of the driver's axes) and
 * the combinations of all other axes. */
enum status plan_points(const struct plan *plan, const struct task *task,
                        const struct plan_there *there, struct plan_point **points, size_t *count)
{
    const struct part *driver = plan_driver(plan);
    struct point_list list = {0};
    enum status status = STATUS_OK;
    *points = NULL;
    *count = 0;
    for (size_t slot = 0; slot < task->count && !status; slot++) {
        uint32_t setting = task->settings[slot];
        size_t first = setting ? driver->member_ends[setting - 1] : 0;
        for (size_t i = first; i < driver->member_ends[setting] && !status; i++)
            status = add_points(plan, task->workload, driver->members[i], slot, there, &list);
    }
    if (status) {
        free(list.items);
        return status;
    }
    /* The store is fastest with ascending ids. */
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_points);
    *points = list.items;
    *count = list.count;
    return STATUS_OK;
}

/* Each counted metric comes from the one part that simulates its stage. The stream's metrics are
 * equal in all parts, so the first is taken. */
void plan_compose(const struct plan *plan, uint64_t machine,
                  const struct metrics *const parts[PARTS_MAX], struct area_kept *kept,
                  struct metrics *metrics)
{
    metrics_clear(metrics);
    if (plan->stages & STAGE_AREA) {
        struct machine whole;
        space_machine(plan->space, machine, &whole);
        area_evaluate_next(&whole, kept, metrics);
    }
    for (size_t i = 0; i < plan->counted_count; i++)
        for (size_t p = 0; p < plan->part_count; p++)
            if (plan->counted[i]->stage & plan->parts[p].question.stages) {
                metric_set(plan->counted[i], metrics, metric_get(plan->counted[i], parts[p]));
                break;
            }
    metrics_derive(metrics);
}
