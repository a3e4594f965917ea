/* Turns the settings of a plan into tasks: explore/plan/pass_cut.c cuts them into passes,
 * explore/plan/task_order.h orders those. Weights are rough and in units of one walk over one
 * record; they only order tasks and split progress, so they need not be calibrated. */
#include "explore/plan/planner_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "explore/plan/task_order.h"
#include "model/evaluate.h"

enum { REMEMBERED_SETTINGS = 1024 };

/* Rough bytes of a cache line in a simulated cache, and of an offline policy's future accesses. */
#define LINE_BYTES 32
#define OPT_BYTES  ((uint64_t)1 << 30)

/* The cost of a pass in units of one walk over the source: the walk is 1; add these for each first
 * level, each setting, and each shared level. */
#define FIRST_WEIGHT   1.0
#define SETTING_WEIGHT 0.5
#define LEVEL_WEIGHT   0.1

static uint64_t cache_bytes(const struct cache_config *cache, uint64_t instances, bool opt)
{
    if (!cache->enabled)
        return 0;
    bool offline = opt || cache_is_offline(cache);
    return cache->size / cache->line * instances * LINE_BYTES + (offline ? OPT_BYTES : 0);
}

uint64_t plan_machine_bytes(const struct machine *machine, unsigned needs)
{
    uint64_t tlb = machine->tlb.enabled ? machine->tlb.entries * machine->gpu.sms * LINE_BYTES : 0;
    return tlb + cache_bytes(&machine->l1d, machine->gpu.sms, needs & NEED_OPTIMUM(STAGE_L1D)) +
           cache_bytes(&machine->l2, 1, needs & NEED_OPTIMUM(STAGE_L2));
}

/* Scratch space for cutting one part on one workload. */
struct cutting {
    struct pass_item *items;
    size_t *ends;
};

/* Lists the settings that a workload needs and the stage cache does not have. */
static size_t list_items(const struct part *part, size_t workload, struct pass_item *items)
{
    size_t count = 0;
    for (size_t s = 0; s < part->settings.count; s++) {
        if (!bit_test(part->needed[workload], s) || bit_test(part->remembered[workload], s))
            continue;
        const struct setting *setting = &part->settings.items[s];
        struct machine machine;
        plan_machine(part, (uint32_t)s, &machine);
        items[count++] =
            (struct pass_item){.stream = setting->stream,
                               .family = setting->family,
                               .first = setting->first,
                               .level = setting->level,
                               .number = (uint32_t)s,
                               .shared = setting->shared,
                               .cheap = setting->cheap,
                               .bytes = plan_machine_bytes(&machine, part->question.needs)};
    }
    return count;
}

static size_t list_remembered(const struct part *part, size_t workload, uint32_t *list)
{
    size_t count = 0;
    for (size_t s = 0; s < part->settings.count; s++)
        if (bit_test(part->needed[workload], s) && bit_test(part->remembered[workload], s))
            list[count++] = (uint32_t)s;
    return count;
}

static size_t count_firsts(const struct part *part, const struct task *task)
{
    size_t firsts = 1;
    for (size_t i = 1; i < task->count; i++)
        firsts += part->settings.items[task->settings[i]].first !=
                  part->settings.items[task->settings[i - 1]].first;
    return firsts;
}

static size_t count_levels(const struct part *part, const struct task *task)
{
    size_t levels = 1;
    for (size_t i = 1; i < task->count; i++)
        levels += part->settings.items[task->settings[i]].level !=
                  part->settings.items[task->settings[i - 1]].level;
    return levels;
}

static double task_weight(const struct part *part, const struct task *task, double size)
{
    if (!part->question.stages || task->remembered)
        return 0;
    if (task->shared)
        return size * (1 + LEVEL_WEIGHT * (double)task->firsts);
    return size * (1 + FIRST_WEIGHT * (double)task->firsts +
                   SETTING_WEIGHT * (double)count_levels(part, task));
}

static enum status add_task(struct plan *plan, struct task task, double size)
{
    const struct part *part = &plan->parts[task.part];
    if (array_reserve(&plan->tasks, &plan->task_capacity, plan->task_count + 1))
        return STATUS_MEMORY;
    task.shared = !task.remembered && part->settings.items[task.settings[0]].shared;
    task.firsts = task.remembered ? 0 : count_firsts(part, &task);
    task.weight = task_weight(part, &task, size);
    plan->tasks[plan->task_count++] = task;
    return STATUS_OK;
}

/* Adds the tasks of one part on one workload, and takes space for their settings from *free_order.
 */
static enum status add_tasks(struct plan *plan, size_t workload, size_t part_number, size_t most,
                             double size, const struct cutting *cutting, uint32_t **free_order)
{
    const struct part *part = &plan->parts[part_number];
    struct task task = {.workload = workload, .part = part_number};
    uint32_t *list = *free_order;
    size_t count = list_items(part, workload, cutting->items);
    enum status status = pass_rank(part, cutting->items, count, most, plan->space->study->seed);
    size_t passes = pass_cut(cutting->items, count, most, true, cutting->ends);
    for (size_t i = 0; i < count; i++)
        list[i] = cutting->items[i].number;
    for (size_t i = 0, first = 0; i < passes && !status; first = cutting->ends[i++]) {
        task.settings = list + first;
        task.count = cutting->ends[i] - first;
        status = add_task(plan, task, size);
    }
    list += count;
    task.remembered = true;
    count = list_remembered(part, workload, list);
    for (size_t first = 0; first < count && !status; first += task.count) {
        size_t left = count - first;
        task.settings = list + first;
        task.count = left < REMEMBERED_SETTINGS ? left : REMEMBERED_SETTINGS;
        status = add_task(plan, task, size);
    }
    *free_order = list + count;
    return status;
}

/* Sets a mark; returns false if it was set before. */
static bool is_first(uint8_t *marks, size_t number)
{
    bool first = !bit_test(marks, number);
    bit_set(marks, number);
    return first;
}

/* Counts the levels still to simulate on all workloads, for settings that do not share their first
 * level. CHEAP_LEVELS cheap levels count as one, in addition to their first level. */
static enum status count_alone(const struct part *part, size_t workloads, size_t *levels)
{
    size_t level_bytes = settings_distinct(&part->settings, NUMBER_LEVEL) / 8 + 1,
           first_bytes = settings_distinct(&part->settings, NUMBER_FIRST) / 8 + 1;
    uint8_t *marks = malloc(level_bytes + first_bytes);
    size_t cheap = 0;
    if (!marks)
        return STATUS_MEMORY;
    *levels = 0;
    for (size_t w = 0; w < workloads; w++) {
        memset(marks, 0, level_bytes + first_bytes);
        for (size_t s = 0; s < part->settings.count; s++) {
            const struct setting *setting = &part->settings.items[s];
            if (setting->shared || !bit_test(part->needed[w], s) ||
                bit_test(part->remembered[w], s) || !is_first(marks, setting->level))
                continue;
            *(setting->cheap ? &cheap : levels) += 1;
            if (setting->cheap)
                *levels += is_first(marks + level_bytes, setting->first);
        }
    }
    *levels += cheap / CHEAP_LEVELS;
    free(marks);
    return STATUS_OK;
}

static size_t count_needed(const struct part *part, size_t workloads)
{
    size_t count = 0;
    for (size_t w = 0; w < workloads; w++)
        for (size_t s = 0; s < part->settings.count; s++)
            count += bit_test(part->needed[w], s);
    return count;
}

/* Splits the late passes into groups, so that threads without a pass of their own can help. */
static void deal_groups(struct plan *plan, int threads)
{
    size_t passes = 0, following = 0;
    for (size_t t = 0; t < plan->task_count; t++)
        passes += !plan->tasks[t].remembered;
    for (size_t t = plan->task_count; t-- > 0;) {
        struct task *task = &plan->tasks[t];
        task->groups = 1;
        if (!task->remembered)
            task->groups = pass_groups_wanted(passes, following++, task->shared, threads);
    }
}

enum status plan_tasks(struct plan *plan, int threads, const double *sizes)
{
    size_t workloads = plan->space->study->workload_count, total = 0, most = 0;
    size_t limits[PARTS_MAX] = {0};
    for (size_t p = 0; p < plan->part_count; p++) {
        const struct part *part = &plan->parts[p];
        size_t levels;
        if (count_alone(part, workloads, &levels))
            return STATUS_MEMORY;
        limits[p] = pass_levels(levels, part->question.depth, threads);
        total += count_needed(part, workloads);
        most = most < part->settings.count ? part->settings.count : most;
    }
    plan->order = malloc((total + 1) * sizeof *plan->order);
    const struct cutting cutting = {calloc(most + 1, sizeof *cutting.items),
                                    calloc(most + 1, sizeof *cutting.ends)};
    enum status status = plan->order && cutting.items && cutting.ends ? STATUS_OK : STATUS_MEMORY;
    uint32_t *free_order = plan->order;
    for (size_t w = 0; w < workloads; w++)
        for (size_t p = 0; p < plan->part_count && !status; p++)
            status = space_cancelled(plan->space)
                         ? STATUS_CANCELLED
                         : add_tasks(plan, w, p, limits[p], sizes[w], &cutting, &free_order);
    if (!status)
        status = task_order(plan, threads);
    deal_groups(plan, threads);
    free(cutting.items);
    free(cutting.ends);
    return status;
}
