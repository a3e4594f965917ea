/* Passes: settings of one part and one stream that are simulated together (explore/planner.h).
 *
 * A large pass shares the walk over the source and its first level; many passes keep all threads
 * busy, and a killed sweep loses the passes that it was in. At PASS_SETTINGS the walk is a tenth of
 * a pass: larger ones would save little and lose more. Settings go in the order (stream, first
 * level), a first level is cut only where it alone is more than a pass should hold. */
#include "explore/planner_tasks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/evaluate.h"

enum { PASS_SETTINGS = 16, PASSES_A_THREAD = 4 };

/* Rough bytes that one pass may hold, and that some things take. */
#define PASS_BYTES ((uint64_t)2 << 30)
#define LINE_BYTES 32
#define OPT_BYTES  ((uint64_t)1 << 30)

/* Cost of a pass, in units of walking the source once: the walk, each first level, each setting. */
#define FIRST_WEIGHT   1.0
#define SETTING_WEIGHT 0.5

static uint64_t cache_bytes(const struct cache_config *cache, uint64_t units, bool opt)
{
    if (!cache->enabled)
        return 0;
    bool offline = opt || cache->replacement == REPLACEMENT_OPT;
    return cache->size / cache->line * units * LINE_BYTES + (offline ? OPT_BYTES : 0);
}

/* About what a setting needs in a pass. */
static uint64_t setting_bytes(const struct plan *plan, const struct part *part, uint32_t setting)
{
    struct machine machine;
    plan_machine(plan, part, setting, &machine);
    uint64_t tlb = machine.tlb.enabled ? machine.tlb.entries * machine.gpu.sms * LINE_BYTES : 0;
    return tlb + cache_bytes(&machine.l1d, machine.gpu.sms, part->needs & NEED_OPT_L1D) +
           cache_bytes(&machine.l2, 1, part->needs & NEED_OPT_L2);
}

static int compare_settings(const void *a, const void *b, void *argument)
{
    const struct part *part = argument;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const struct setting *x = &part->settings[left], *y = &part->settings[right];
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return left < right ? -1 : left > right;
}

/* Writes the settings that a workload needs into `list` in the order of passes. */
static size_t list_needed(struct part *part, size_t workload, uint32_t *list)
{
    size_t count = 0;
    for (size_t s = 0; s < part->setting_count; s++)
        if (bit_test(part->needed[workload], s))
            list[count++] = (uint32_t)s;
    qsort_r(list, count, sizeof *list, compare_settings, part);
    return count;
}

/* How many settings from list[0] on have its first level. */
static size_t run_length(const struct part *part, const uint32_t *list, size_t count)
{
    size_t length = 1;
    while (length < count && part->settings[list[length]].first == part->settings[list[0]].first)
        length++;
    return length;
}

static double task_weight(const struct part *part, const struct task *task, double size)
{
    if (!part->stages)
        return 0;
    size_t firsts = 1;
    for (size_t i = 1; i < task->count; i++)
        firsts +=
            part->settings[task->settings[i]].first != part->settings[task->settings[i - 1]].first;
    return size * (1 + FIRST_WEIGHT * (double)firsts + SETTING_WEIGHT * (double)task->count);
}

/* How many settings from list[0] on go into the next pass. */
static size_t pass_length(const struct plan *plan, const struct part *part, const uint32_t *list,
                          size_t count, size_t most)
{
    uint64_t bytes = 0;
    size_t length = 0, run_end = 0;
    while (length < count && length < most) {
        const struct setting *setting = &part->settings[list[length]];
        if (setting->stream != part->settings[list[0]].stream)
            break;
        if (length == run_end) {
            run_end += run_length(part, list + length, count - length);
            bool fits_elsewhere = run_end - length <= most;
            if (length && run_end > most && fits_elsewhere)
                break;
        }
        bytes += setting_bytes(plan, part, list[length]);
        if (length && bytes > PASS_BYTES)
            break;
        length++;
    }
    return length;
}

/* The passes of one part on one workload; their settings take the head of *free_order. */
static enum status add_tasks(struct plan *plan, size_t workload, size_t part_number, size_t most,
                             double size, uint32_t **free_order)
{
    struct part *part = &plan->parts[part_number];
    uint32_t *list = *free_order;
    size_t count = list_needed(part, workload, list);
    *free_order += count;
    for (size_t first = 0; first < count;) {
        size_t length = pass_length(plan, part, list + first, count - first, most);
        if (array_reserve(&plan->tasks, &plan->task_capacity, plan->task_count + 1))
            return STATUS_MEMORY;
        struct task *task = &plan->tasks[plan->task_count++];
        *task = (struct task){
            .workload = workload, .part = part_number, .settings = list + first, .count = length};
        task->weight = task_weight(part, task, size);
        first += length;
    }
    return STATUS_OK;
}

static size_t count_needed(const struct part *part, size_t workloads)
{
    size_t count = 0;
    for (size_t w = 0; w < workloads; w++)
        for (size_t s = 0; s < part->setting_count; s++)
            count += bit_test(part->needed[w], s);
    return count;
}

enum status plan_tasks(struct plan *plan, int threads, const double *sizes)
{
    size_t workloads = plan->space->study->workload_count;
    size_t needed[PARTS_MAX] = {0}, most[PARTS_MAX] = {0}, total = 0;
    size_t passes = (size_t)threads * PASSES_A_THREAD;
    for (size_t p = 0; p < plan->part_count; p++) {
        needed[p] = count_needed(&plan->parts[p], workloads);
        size_t wanted = (needed[p] + passes - 1) / passes;
        most[p] = wanted < 1 ? 1 : wanted > PASS_SETTINGS ? PASS_SETTINGS : wanted;
        total += needed[p];
    }
    plan->order = malloc((total + 1) * sizeof *plan->order);
    if (!plan->order)
        return STATUS_MEMORY;
    uint32_t *free_order = plan->order;
    for (size_t w = 0; w < workloads; w++)
        for (size_t p = 0; p < plan->part_count; p++) {
            enum status status = add_tasks(plan, w, p, most[p], sizes[w], &free_order);
            if (status)
                return status;
        }
    return STATUS_OK;
}
