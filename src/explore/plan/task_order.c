#include "explore/plan/task_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "explore/plan/balance.h"

/* At most this share of the driver's work is held back for the end. */
#define END_SHARE 0.25
/* They are among the last tasks, less than half of all, so that no workload of light tasks is left
 * far behind. */
#define LATE_SHARE 0.4
/* By when, as a share of the driver's work, all tasks of the other parts have started at the
 * latest. */
#define OTHERS_SHARE 0.05

size_t task_cells(const struct part *part)
{
    size_t cells = 1;
    for (size_t a = 0; a < part->projection.axis_count; a++)
        cells += part->projection.axes[a].count;
    return cells;
}

/* Calls `fill` for the cells of a combination. */
static void fill_cells(struct balance *balance, const struct part *part, uint64_t combination,
                       double amount,
                       void (*fill)(struct balance *balance, size_t cell, double amount))
{
    size_t base = 0;
    fill(balance, base++, amount);
    for (size_t a = 0; a < part->projection.axis_count; a++) {
        const struct projected_axis *axis = &part->projection.axes[a];
        fill(balance, base + combination / axis->weight % axis->count, amount);
        base += axis->count;
    }
}

void task_fill_setting(struct balance *balance, const struct part *part, uint32_t setting)
{
    for (size_t i = setting ? part->member_ends[setting - 1] : 0; i < part->member_ends[setting];
         i++)
        fill_cells(balance, part, part->members[i], part->machines[part->members[i]], balance_fill);
}

static double setting_points(const struct part *part, uint32_t setting)
{
    double points = 0;
    for (size_t i = setting ? part->member_ends[setting - 1] : 0; i < part->member_ends[setting];
         i++)
        points += part->machines[part->members[i]];
    return points;
}

/* What a resumed sweep has of a workload. Returns the number of points. */
static double fill_done(struct balance *balance, const struct plan *plan, const struct part *part,
                        size_t workload)
{
    const struct space *space = plan->space;
    double points = 0;
    for (uint64_t m = 0; plan->done && m < space->machines; m++)
        if (bit_test(plan->done, workload * space->machines + m) && bit_test(plan->legal, m)) {
            fill_cells(balance, part, projection_index(&part->projection, m), 1, balance_there);
            points++;
        }
    return points;
}

/* Puts tasks of one workload into balanced order. */
static enum status order_tasks(struct balance *balance, const struct plan *plan, struct task *tasks,
                               size_t count)
{
    size_t *order = malloc((count + 1) * sizeof *order);
    struct task *copy = malloc((count + 1) * sizeof *copy);
    enum status status = order && copy ? STATUS_OK : STATUS_MEMORY;
    for (size_t t = 0; t < count && !status; t++) {
        copy[t] = tasks[t];
        for (size_t i = 0; i < tasks[t].count; i++)
            task_fill_setting(balance, &plan->parts[tasks[t].part], tasks[t].settings[i]);
        status = balance_item(balance, tasks[t].weight);
    }
    if (!status)
        status = balance_order(balance, plan->space->study->seed, order);
    for (size_t t = 0; t < count && !status; t++)
        tasks[t] = copy[order[t]];
    free(order);
    free(copy);
    return status;
}

/* The tasks of one workload, and how far it is. */
struct lane {
    size_t next, end;
    double points, all;
};

/* Orders the tasks of one part and workload: the remembered ones first. */
static enum status order_lane(const struct plan *plan, struct task *tasks, struct lane *lane)
{
    const struct task *first = &tasks[lane->next];
    const struct part *part = &plan->parts[first->part];
    struct balance *balance = balance_create(task_cells(part));
    size_t others = lane->next;
    if (!balance)
        return STATUS_MEMORY;
    lane->points = lane->all = fill_done(balance, plan, part, first->workload);
    while (others < lane->end && tasks[others].remembered)
        others++;
    enum status status = order_tasks(balance, plan, tasks + lane->next, others - lane->next);
    if (!status)
        status = order_tasks(balance, plan, tasks + others, lane->end - others);
    for (size_t t = lane->next; t < lane->end; t++)
        for (size_t i = 0; i < tasks[t].count; i++)
            lane->all += setting_points(part, tasks[t].settings[i]);
    balance_free(balance);
    return status;
}

/* Whether lane a goes before lane b: with a remembered task, else with the smaller share of its
 * points, else with the lighter task. */
static bool lane_leads(const struct task *tasks, const struct lane *a, const struct lane *b)
{
    if (a->next == a->end || b->next == b->end)
        return b->next == b->end;
    const struct task *left = &tasks[a->next], *right = &tasks[b->next];
    const double share = a->points * b->all, other = b->points * a->all;
    if (left->remembered != right->remembered)
        return left->remembered;
    if (share < other || other < share)
        return share < other;
    return left->weight < right->weight;
}

/* Orders the tasks of one part: those of each workload by themselves, so that all workloads take
 * the same machines first, and then the workloads in turns. */
static enum status order_part(const struct plan *plan, struct task *tasks, size_t count)
{
    const size_t workloads = plan->space->study->workload_count;
    struct lane *lanes = calloc(workloads + 1, sizeof *lanes);
    struct task *copy = malloc((count + 1) * sizeof *copy);
    enum status status = lanes && copy ? STATUS_OK : STATUS_MEMORY;
    for (size_t first = 0, end; first < count && !status; first = end) {
        for (end = first; end < count && tasks[end].workload == tasks[first].workload;)
            end++;
        struct lane *lane = &lanes[tasks[first].workload];
        *lane = (struct lane){.next = first, .end = end};
        status = order_lane(plan, tasks, lane);
    }
    if (!status)
        memcpy(copy, tasks, count * sizeof *copy);
    for (size_t t = 0; t < count && !status; t++) {
        size_t best = 0;
        for (size_t w = 1; w < workloads; w++)
            best = lane_leads(copy, &lanes[w], &lanes[best]) ? w : best;
        tasks[t] = copy[lanes[best].next++];
        for (size_t i = 0; i < tasks[t].count; i++)
            lanes[best].points += setting_points(&plan->parts[tasks[t].part], tasks[t].settings[i]);
    }
    free(lanes);
    free(copy);
    return status;
}

/* Part by part and workload by workload, the remembered ones first. Ties keep the order in which
 * the tasks were made: their settings lie in one array, so the pointers tell. */
static int compare_tasks(const void *a, const void *b)
{
    const struct task *left = a, *right = b;
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    if (left->workload != right->workload)
        return left->workload < right->workload ? -1 : 1;
    if (left->remembered != right->remembered)
        return left->remembered ? -1 : 1;
    return left->settings < right->settings ? -1 : left->settings > right->settings;
}

static int compare_weights(const void *a, const void *b)
{
    const struct task *left = a, *right = b;
    if (left->weight < right->weight || right->weight < left->weight)
        return left->weight > right->weight ? -1 : 1;
    return left->settings < right->settings ? -1 : left->settings > right->settings;
}

static void move_to_front(struct task *tasks, size_t index)
{
    const struct task task = tasks[index];
    memmove(tasks + 1, tasks, index * sizeof *tasks);
    tasks[0] = task;
}

/* The order from heavy to light of the lightest tasks from `first` on that are enough for `others`
 * threads while one finishes the heaviest; they move to the end. Returns where they begin. */
static size_t hold_back(struct task *tasks, size_t first, size_t count, double need, double most)
{
    struct task *sorted = malloc((count - first + 1) * sizeof *sorted);
    size_t begin = count, next = first;
    double held = 0;
    if (!sorted)
        return count;
    memcpy(sorted, tasks + first, (count - first) * sizeof *sorted);
    qsort(sorted, count - first, sizeof *sorted, compare_weights);
    while (begin > first && held < need && held + sorted[begin - 1 - first].weight <= most)
        held += sorted[--begin - first].weight;
    for (size_t t = first; t < count && begin < count; t++)
        if (compare_weights(&tasks[t], &sorted[begin - first]) < 0)
            tasks[next++] = tasks[t];
    memcpy(tasks + begin, sorted + (begin - first), (count - begin) * sizeof *sorted);
    free(sorted);
    return begin;
}

/* Moves what nothing can cover to the front, and the lightest of the late tasks to the end. */
static void keep_busy(struct task *tasks, size_t count, int threads)
{
    const double others = threads - 1;
    double total = 0, heaviest = 0;
    size_t leading = 0;
    for (size_t t = 0; t < count; t++) {
        total += tasks[t].weight;
        heaviest = tasks[t].weight > heaviest ? tasks[t].weight : heaviest;
    }
    const size_t begin = hold_back(tasks, (size_t)((double)count * (1 - LATE_SHARE)), count,
                                   heaviest * others, total * END_SHARE);
    for (size_t t = 0; t < begin && leading < (size_t)threads / 2; t++)
        if (tasks[t].weight * others > total * END_SHARE && tasks[t].weight * 2 > heaviest) {
            move_to_front(tasks + leading, t - leading);
            leading++;
        }
}

/* Merges two lists by the share of their own work that comes before each task. The first one's is
 * spread over as much of the second's, but over at most `share` of it. */
static enum status merge(struct task *tasks, size_t middle, size_t count, double share)
{
    struct task *copy = malloc((count + 1) * sizeof *copy);
    double total[2] = {0}, before[2] = {0};
    size_t next[2] = {0, middle};
    if (!copy)
        return STATUS_MEMORY;
    memcpy(copy, tasks, count * sizeof *copy);
    for (size_t t = 0; t < count; t++)
        total[t >= middle] += copy[t].weight;
    if (total[0] < share * total[1])
        share = total[0] / total[1];
    for (size_t t = 0; t < count; t++) {
        const double first = total[0] > 0 ? share * before[0] / total[0] : 0;
        const double second = total[1] > 0 ? before[1] / total[1] : 0;
        const bool other = next[0] == middle || (next[1] < count && second < first);
        tasks[t] = copy[next[other]++];
        before[other] += tasks[t].weight;
    }
    free(copy);
    return STATUS_OK;
}

/* Orders the tasks [first, end) of one part and merges them with those of the parts before it. */
static enum status add_part(const struct plan *plan, size_t first, size_t end, int threads)
{
    struct task *tasks = plan->tasks + first;
    const bool driver = tasks->part + 1 == plan->part_count;
    enum status status = order_part(plan, tasks, end - first);
    size_t remembered = 0;
    while (remembered < end - first && tasks[remembered].remembered)
        remembered++;
    if (driver && !status)
        keep_busy(tasks + remembered, end - first - remembered, threads);
    return status ? status : merge(plan->tasks, first, end, driver ? OTHERS_SHARE : 1);
}

enum status task_order(struct plan *plan, int threads)
{
    const struct task *tasks = plan->tasks;
    enum status status = STATUS_OK;
    if (plan->task_count)
        qsort(plan->tasks, plan->task_count, sizeof *tasks, compare_tasks);
    for (size_t first = 0, end; first < plan->task_count && !status; first = end) {
        for (end = first; end < plan->task_count && tasks[end].part == tasks[first].part;)
            end++;
        status = add_part(plan, first, end, threads);
    }
    return status;
}
