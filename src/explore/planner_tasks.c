/* Passes: settings of one part and one stream that are simulated together (explore/planner.h).
 *
 * A large pass shares the walk over the source and its first level; many passes keep all threads
 * busy, and a killed sweep loses the passes that it was in. At PASS_SETTINGS the walk is a tenth of
 * a pass: larger ones would save little and lose more. Settings go in the order (stream, first
 * level), a first level is cut only where it alone is more than a pass should hold, and never where
 * it is all there is to simulate: a stack pass costs the same for every member.
 *
 * Tasks are taken in order: the largest first keep threads from waiting for one that came late. */
#include "explore/planner_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/evaluate.h"

enum { PASSES_A_THREAD = 4, REMEMBERED_SETTINGS = 1024 };

/* Rough bytes that some things take. */
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

uint64_t plan_machine_bytes(const struct machine *machine, unsigned needs)
{
    uint64_t tlb = machine->tlb.enabled ? machine->tlb.entries * machine->gpu.sms * LINE_BYTES : 0;
    return tlb + cache_bytes(&machine->l1d, machine->gpu.sms, needs & NEED_OPT_L1D) +
           cache_bytes(&machine->l2, 1, needs & NEED_OPT_L2);
}

static uint64_t setting_bytes(const struct plan *plan, const struct part *part, uint32_t setting)
{
    struct machine machine;
    plan_machine(plan, part, setting, &machine);
    return plan_machine_bytes(&machine, part->question.needs);
}

size_t plan_pass_length(size_t settings, int threads)
{
    size_t passes = (size_t)threads * PASSES_A_THREAD, wanted = (settings + passes - 1) / passes;
    return wanted < 1 ? 1 : wanted > PASS_SETTINGS ? PASS_SETTINGS : wanted;
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

/* Writes the settings that a workload needs, and that are remembered or not, into `list` in the
 * order of passes. */
static size_t list_needed(struct part *part, size_t workload, bool remembered, uint32_t *list)
{
    size_t count = 0;
    for (size_t s = 0; s < part->setting_count; s++)
        if (bit_test(part->needed[workload], s) &&
            bit_test(part->remembered[workload], s) == remembered)
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

/* Settings cost nothing but their first level: the members of a stack pass. */
static bool is_free(const struct part *part)
{
    return part->question.lookups_only;
}

static size_t count_firsts(const struct part *part, const struct task *task)
{
    size_t firsts = 1;
    for (size_t i = 1; i < task->count; i++)
        firsts +=
            part->settings[task->settings[i]].first != part->settings[task->settings[i - 1]].first;
    return firsts;
}

static double task_weight(const struct part *part, const struct task *task, double size)
{
    if (!part->question.stages || task->remembered)
        return 0;
    double settings = is_free(part) ? 0 : SETTING_WEIGHT * (double)task->count;
    return size * (1 + FIRST_WEIGHT * (double)task->firsts + settings);
}

/* How many of `count` settings have room in a pass that holds *bytes; adds theirs. */
static size_t fitting(const struct plan *plan, const struct part *part, const uint32_t *list,
                      size_t count, uint64_t *bytes)
{
    size_t length = 0;
    while (length < count) {
        uint64_t more = setting_bytes(plan, part, list[length]);
        if (*bytes && *bytes + more > PASS_BYTES)
            break;
        *bytes += more;
        length++;
    }
    return length;
}

/* How many settings from list[0] on go into the next pass. */
static size_t pass_length(const struct plan *plan, const struct part *part, const uint32_t *list,
                          size_t count, size_t most)
{
    uint64_t bytes = 0;
    size_t length = 0, cost = 0;
    while (length < count && cost < most &&
           part->settings[list[length]].stream == part->settings[list[0]].stream) {
        size_t run = run_length(part, list + length, count - length);
        size_t wanted = is_free(part) ? 1 : run;
        if (length && wanted > most - cost && wanted <= most)
            break; /* the next pass takes it whole */
        if (wanted > most - cost)
            wanted = most - cost;
        size_t taken = fitting(plan, part, list + length, wanted, &bytes);
        cost += taken;
        length += is_free(part) && taken ? run : taken;
        if (taken < wanted)
            break;
    }
    return length;
}

static enum status add_task(struct plan *plan, const struct task *added)
{
    if (array_reserve(&plan->tasks, &plan->task_capacity, plan->task_count + 1))
        return STATUS_MEMORY;
    plan->tasks[plan->task_count++] = *added;
    return STATUS_OK;
}

/* The passes of one part on one workload; their settings take the head of *free_order. */
static enum status add_tasks(struct plan *plan, size_t workload, size_t part_number, size_t most,
                             double size, uint32_t **free_order)
{
    struct part *part = &plan->parts[part_number];
    enum status status = STATUS_OK;
    for (int remembered = 0; remembered < 2; remembered++) {
        uint32_t *list = *free_order;
        size_t count = list_needed(part, workload, remembered, list), length;
        *free_order += count;
        for (size_t first = 0; first < count && !status; first += length) {
            size_t left = count - first;
            if (remembered)
                length = left < REMEMBERED_SETTINGS ? left : REMEMBERED_SETTINGS;
            else
                length = pass_length(plan, part, list + first, left, most);
            struct task task = {.workload = workload,
                                .part = part_number,
                                .settings = list + first,
                                .count = length,
                                .remembered = remembered};
            task.firsts = remembered ? 0 : count_firsts(part, &task);
            task.weight = task_weight(part, &task, size);
            status = add_task(plan, &task);
        }
    }
    return status;
}

/* How many settings, or first levels where settings are free, have to be simulated. */
static enum status count_costs(const struct part *part, size_t workloads, size_t *count)
{
    uint8_t *firsts = calloc(part->first_count / 8 + 1, 1);
    if (!firsts)
        return STATUS_MEMORY;
    *count = 0;
    for (size_t w = 0; w < workloads; w++) {
        memset(firsts, 0, part->first_count / 8 + 1);
        for (size_t s = 0; s < part->setting_count; s++) {
            if (!bit_test(part->needed[w], s) || bit_test(part->remembered[w], s))
                continue;
            uint32_t first = part->settings[s].first;
            *count += !is_free(part) || !bit_test(firsts, first);
            bit_set(firsts, first);
        }
    }
    free(firsts);
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

/* Other parts before the driver, or its tasks might wait for ever; then the heaviest. Equal ones
 * stay as they were made: the settings tell, which lie in one array. */
static int compare_tasks(const void *a, const void *b)
{
    const struct task *left = a, *right = b;
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return left->settings < right->settings ? -1 : left->settings > right->settings;
}

enum status plan_tasks(struct plan *plan, int threads, const double *sizes)
{
    size_t workloads = plan->space->study->workload_count;
    size_t most[PARTS_MAX] = {0}, total = 0;
    for (size_t p = 0; p < plan->part_count; p++) {
        size_t costs;
        if (count_costs(&plan->parts[p], workloads, &costs))
            return STATUS_MEMORY;
        most[p] = plan_pass_length(costs, threads);
        total += count_needed(&plan->parts[p], workloads);
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
    if (plan->task_count)
        qsort(plan->tasks, plan->task_count, sizeof *plan->tasks, compare_tasks);
    return STATUS_OK;
}
