#include "explore/plan/task_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/rng.h"

/* At most this share of the driver's work is held back for the end. */
#define END_SHARE 0.25

/* Tasks of the other parts come before the driver's, or the driver's tasks could wait for them for
 * ever. Then come tasks that cost nothing, then the heaviest. Ties keep the order in which the
 * tasks were made: their settings lie in one array, so the pointers tell. */
static int compare_tasks(const void *a, const void *b)
{
    const struct task *left = a, *right = b;
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    if (left->remembered != right->remembered)
        return left->remembered ? -1 : 1;
    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return left->settings < right->settings ? -1 : left->settings > right->settings;
}

/* A range of the driver's tasks, heaviest first. */
struct tasks {
    struct task *items;
    size_t count;
};

static void shuffle(struct task *items, size_t count, uint64_t seed)
{
    for (size_t left = count; left > 1; left--) {
        size_t drawn = random_below(random_at(seed, left), left);
        struct task task = items[left - 1];
        items[left - 1] = items[drawn];
        items[drawn] = task;
    }
}

/* Keeps the lightest tasks at the end and shuffles the others. Tasks too heavy to be covered by the
 * end come first among them. */
static void spread(const struct tasks *tasks, int threads, uint64_t seed)
{
    double total = 0, end = 0;
    size_t begin = tasks->count, heavy = 0;
    const double others = threads - 1;
    for (size_t i = 0; i < tasks->count; i++)
        total += tasks->items[i].weight;
    while (begin > 0 && end < tasks->items[0].weight * others &&
           end + tasks->items[begin - 1].weight <= total * END_SHARE)
        end += tasks->items[--begin].weight;
    while (heavy < begin && tasks->items[heavy].weight * others > end)
        heavy++;
    shuffle(tasks->items, heavy, seed);
    shuffle(tasks->items + heavy, begin - heavy, seed + 1);
}

/* Which workloads, and which values of the driver's axes, the tasks so far have shown. */
struct shown {
    const struct plan *plan;
    uint8_t *values; /* bitmap: axis by axis, then the workloads */
    size_t missing;
};

static enum status shown_create(const struct plan *plan, struct shown *shown)
{
    const struct projection *projection = &plan_driver(plan)->projection;
    *shown = (struct shown){.plan = plan, .missing = plan->space->study->workload_count};
    for (size_t a = 0; a < projection->axis_count; a++)
        shown->missing += projection->axes[a].count;
    shown->values = calloc(shown->missing / 8 + 1, 1);
    return shown->values ? STATUS_OK : STATUS_MEMORY;
}

/* Marks one value; returns true if it is new. */
static bool show_value(struct shown *shown, size_t value)
{
    if (bit_test(shown->values, value))
        return false;
    bit_set(shown->values, value);
    shown->missing--;
    return true;
}

static bool show_combination(struct shown *shown, uint64_t combination)
{
    const struct projection *projection = &plan_driver(shown->plan)->projection;
    size_t base = 0;
    bool new = false;
    for (size_t a = 0; a < projection->axis_count; a++) {
        const struct projected_axis *axis = &projection->axes[a];
        new |= show_value(shown, base + combination / axis->weight % axis->count);
        base += axis->count;
    }
    return new;
}

/* Marks everything that the task's points show; returns true if some of it is new. */
static bool show_task(struct shown *shown, const struct task *task)
{
    const struct plan *plan = shown->plan;
    size_t values = 0;
    for (size_t a = 0; a < plan_driver(plan)->projection.axis_count; a++)
        values += plan_driver(plan)->projection.axes[a].count;
    bool new = show_value(shown, values + task->workload);
    for (size_t i = 0; i < task->count && shown->missing; i++) {
        uint32_t setting = task->settings[i];
        size_t member = setting ? plan->member_ends[setting - 1] : 0;
        for (; member < plan->member_ends[setting]; member++)
            new |= show_combination(shown, plan->members[member]);
    }
    return new;
}

/* Moves the tasks that show something new to the front and keeps the order otherwise. */
static enum status first_round(const struct plan *plan, const struct tasks *tasks)
{
    struct shown shown;
    size_t front = 0, behind = 0;
    struct task *others = malloc((tasks->count + 1) * sizeof *others);
    enum status status = others ? shown_create(plan, &shown) : STATUS_MEMORY;
    for (size_t i = 0; i < tasks->count && !status; i++) {
        struct task task = tasks->items[i];
        if (shown.missing && show_task(&shown, &task))
            tasks->items[front++] = task;
        else
            others[behind++] = task;
    }
    if (!status) {
        memcpy(tasks->items + front, others, behind * sizeof *others);
        free(shown.values);
    }
    free(others);
    return status;
}

enum status task_order(struct plan *plan, int threads)
{
    struct task *tasks = plan->tasks;
    size_t first = 0;
    if (!plan->task_count)
        return STATUS_OK;
    qsort(tasks, plan->task_count, sizeof *tasks, compare_tasks);
    while (first < plan->task_count &&
           (tasks[first].part + 1 < plan->part_count || tasks[first].remembered))
        first++;
    const struct tasks driver = {tasks + first, plan->task_count - first};
    if (!driver.count)
        return STATUS_OK;
    spread(&driver, threads, plan->space->study->seed);
    return first_round(plan, &driver);
}
