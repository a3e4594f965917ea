#include "explore/search/search_evaluator.h"

#include <stdlib.h>

#include "base/memory.h"
#include "explore/plan/planner_tasks.h"
#include "explore/plan/runner.h"
#include "explore/search/search_memo.h"
#include "model/evaluate.h"
#include "model/gpu/extent.h"

/* A result that the current batch must compute. */
struct order {
    uint32_t part, workload, setting, result;
    uint32_t first_link, link_count; /* range of the batch's links: the points that wait for it */
};

struct link { /* a point waits for a result */
    uint32_t part, result, point;
};

struct batch {
    const uint64_t *points;
    uint8_t *waiting;               /* by point: how many parts it still waits for */
    uint32_t (*results)[PARTS_MAX]; /* by point */
    struct order *orders;
    struct link *links;
    size_t order_count, order_capacity, link_count, link_capacity;
    size_t *pass_ends;             /* passes are ranges of orders */
    struct runner_weight *weights; /* by pass */
    size_t pass_count;
};

struct evaluator {
    struct evaluator_options options;
    struct plan plan; /* only its parts and columns; numbers nothing */
    struct memo memos[PARTS_MAX];
    struct area_kept area; /* of the machine that was composed last */
    struct runner
        *runner;         /* its lock also protects the batch's results and the caller's functions */
    struct batch *batch; /* the running one, or NULL */
};

enum status evaluator_create(const struct evaluator_options *options, struct evaluator **result)
{
    struct evaluator *evaluator = calloc(1, sizeof *evaluator);
    *result = NULL;
    if (!evaluator)
        return STATUS_MEMORY;
    evaluator->options = *options;
    plan_choose_parts(&evaluator->plan, options->space, options->columns, options->column_count);
    evaluator->runner = runner_create(options->threads);
    enum status status = evaluator->runner ? STATUS_OK : STATUS_MEMORY;
    for (size_t p = 0; p < evaluator->plan.part_count && !status; p++)
        status = memo_open(&evaluator->plan, &evaluator->plan.parts[p], &evaluator->memos[p]);
    if (status) {
        evaluator_free(evaluator);
        return status;
    }
    *result = evaluator;
    return STATUS_OK;
}

void evaluator_free(struct evaluator *evaluator)
{
    if (!evaluator)
        return;
    for (size_t p = 0; p < PARTS_MAX; p++)
        memo_close(&evaluator->memos[p]);
    runner_free(evaluator->runner);
    free(evaluator);
}

/* ---- orders ---- */

/* Finds the result of each part of a point, and makes links to those that are not ready. */
static enum status order_point(struct evaluator *evaluator, struct batch *batch, size_t index)
{
    uint64_t machines = evaluator->options.space->machines;
    uint64_t machine = batch->points[index] % machines, workload = batch->points[index] / machines;
    for (size_t p = 0; p < evaluator->plan.part_count; p++) {
        uint32_t setting = 0;
        size_t result;
        if (!evaluator->plan.parts[p].question.stages)
            continue;
        enum status status = memo_setting(&evaluator->memos[p], machine, &setting);
        if (!status)
            status = memo_result(&evaluator->memos[p], setting, workload, &result);
        if (status)
            return status;
        batch->results[index][p] = (uint32_t)result;
        if (evaluator->memos[p].ready[result])
            continue;
        if (array_reserve(&batch->links, &batch->link_capacity, batch->link_count + 1))
            return STATUS_MEMORY;
        batch->links[batch->link_count++] =
            (struct link){(uint32_t)p, (uint32_t)result, (uint32_t)index};
        batch->waiting[index]++;
    }
    return STATUS_OK;
}

static int compare_links(const void *a, const void *b)
{
    const struct link *left = a, *right = b;
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    if (left->result != right->result)
        return left->result < right->result ? -1 : 1;
    return left->point < right->point ? -1 : left->point > right->point;
}

/* Makes one order for each result that a point waits for. This includes results that an earlier
 * batch numbered but did not compute because it was stopped. */
static enum status list_orders(struct evaluator *evaluator, struct batch *batch)
{
    uint64_t workloads = evaluator->options.space->study->workload_count;
    if (batch->link_count)
        qsort(batch->links, batch->link_count, sizeof *batch->links, compare_links);
    for (size_t i = 0; i < batch->link_count; i++) {
        const struct link *link = &batch->links[i];
        if (i && link->part == link[-1].part && link->result == link[-1].result) {
            batch->orders[batch->order_count - 1].link_count++;
            continue;
        }
        if (array_reserve(&batch->orders, &batch->order_capacity, batch->order_count + 1))
            return STATUS_MEMORY;
        uint64_t key = evaluator->memos[link->part].results.keys[link->result];
        batch->orders[batch->order_count++] =
            (struct order){.part = link->part,
                           .workload = (uint32_t)(key % workloads),
                           .setting = (uint32_t)(key / workloads),
                           .result = link->result,
                           .first_link = (uint32_t)i,
                           .link_count = 1};
    }
    return STATUS_OK;
}

/* ---- passes ---- */

static const struct setting *order_setting(const struct evaluator *evaluator,
                                           const struct order *order)
{
    return &evaluator->memos[order->part].settings.items[order->setting];
}

static struct pass_item order_item(const struct evaluator *evaluator, const struct order *order)
{
    const struct setting *setting = order_setting(evaluator, order);
    struct machine machine;
    settings_machine(&evaluator->memos[order->part].settings, setting->machine, &machine);
    return (struct pass_item){
        .stream = setting->stream,
        .family = setting->family,
        .first = setting->first,
        .level = setting->level,
        .number = order->setting,
        .shared = setting->shared,
        .cheap = setting->cheap,
        .bytes = plan_machine_bytes(&machine, evaluator->plan.parts[order->part].question.needs)};
}

static int compare_walks(const struct order *left, const struct order *right)
{
    if (left->part != right->part)
        return left->part < right->part ? -1 : 1;
    return left->workload < right->workload ? -1 : left->workload > right->workload;
}

static int compare_orders(const void *a, const void *b, void *argument)
{
    const struct order *left = a, *right = b;
    int walks = compare_walks(left, right);
    if (walks)
        return walks;
    struct pass_item x = order_item(argument, left), y = order_item(argument, right);
    return pass_item_compare(&x, &y);
}

/* Turns sorted orders into items. Returns the number of levels that do not share their first one.
 */
static size_t make_items(const struct evaluator *evaluator, const struct batch *batch,
                         struct pass_item *items)
{
    size_t levels = 0, cheap = 0;
    for (size_t i = 0; i < batch->order_count; i++) {
        items[i] = order_item(evaluator, &batch->orders[i]);
        bool first = !i || compare_walks(&batch->orders[i - 1], &batch->orders[i]) ||
                     items[i].first != items[i - 1].first;
        if (!items[i].shared && (first || items[i].level != items[i - 1].level))
            *(items[i].cheap ? &cheap : &levels) += 1;
        levels += items[i].cheap && first;
    }
    return levels + cheap / CHEAP_LEVELS;
}

/* Cuts the orders into passes. Each walks one workload once and is bounded in levels and memory. */
static enum status cut_passes(struct evaluator *evaluator, struct batch *batch)
{
    size_t count = batch->order_count;
    struct pass_item *items = calloc(count + 1, sizeof *items);
    batch->pass_ends = calloc(count + 1, sizeof *batch->pass_ends);
    if (!items || !batch->pass_ends) {
        free(items);
        return STATUS_MEMORY;
    }
    if (count)
        qsort_r(batch->orders, count, sizeof *batch->orders, compare_orders, evaluator);
    size_t most = pass_levels(make_items(evaluator, batch, items),
                              evaluator->options.space->study->depth, evaluator->options.threads);
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && !compare_walks(&batch->orders[first], &batch->orders[end]))
            end++;
        size_t *ends = batch->pass_ends + batch->pass_count;
        size_t passes = pass_cut(items + first, end - first, most, false, ends);
        for (size_t i = 0; i < passes; i++)
            ends[i] += first;
        batch->pass_count += passes;
    }
    free(items);
    return STATUS_OK;
}

/* ---- running ---- */

/* Composes a point whose results are all ready and reports it. */
static enum status tell_point(struct evaluator *evaluator, const struct batch *batch, size_t index,
                              struct diagnostics *diagnostics)
{
    uint64_t point = batch->points[index];
    struct metrics kept[PARTS_MAX], composed;
    const struct metrics *parts[PARTS_MAX];
    for (size_t p = 0; p < evaluator->plan.part_count; p++) {
        parts[p] = &kept[p];
        if (evaluator->plan.parts[p].question.stages)
            memo_recall(&evaluator->memos[p], batch->results[index][p], &kept[p]);
    }
    plan_compose(&evaluator->plan, point % evaluator->options.space->machines, parts,
                 &evaluator->area, &composed);
    return evaluator->options.point(evaluator->options.argument, point, &composed, diagnostics);
}

/* Keeps the results of a pass and reports the points that waited for nothing else. */
static enum status finish_pass_locked(struct evaluator *evaluator, struct batch *batch,
                                      const struct order *orders, size_t count,
                                      const struct metrics *metrics,
                                      struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        memo_keep(&evaluator->memos[orders[i].part], orders[i].result, &metrics[i]);
    for (size_t i = 0; i < count; i++)
        for (uint32_t l = 0; l < orders[i].link_count && !status; l++) {
            uint32_t point = batch->links[orders[i].first_link + l].point;
            if (!--batch->waiting[point])
                status = tell_point(evaluator, batch, point, diagnostics);
        }
    if (evaluator->options.pass) {
        enum status passed = evaluator->options.pass(evaluator->options.argument, diagnostics);
        status = status ? status : passed;
    }
    return status;
}

static void tick_locked(void *argument, const struct runner_progress *progress)
{
    const struct evaluator *evaluator = argument;
    evaluator->options.tick(evaluator->options.argument, progress);
}

static enum status simulate_orders(const struct evaluator *evaluator, struct runner_task *task,
                                   const struct order *orders, size_t count,
                                   struct metrics *metrics, struct simulated *counts,
                                   struct diagnostics *diagnostics)
{
    const struct evaluator_options *options = &evaluator->options;
    size_t passes = evaluator->batch->pass_count;
    const struct simulation simulation = {
        .question = evaluator->plan.parts[orders->part].question,
        .source = options->sources[orders->workload],
        .extent = options->extents ? &options->extents[orders->workload] : NULL,
        .cache = options->cache,
        .skips_stuck = true,
        .pool = task->pool,
        .threads = task->threads,
        .groups = pass_groups_wanted(passes, passes - 1 - task->number,
                                     order_setting(evaluator, orders)->shared, options->threads),
        .progress = runner_task_progress,
        .argument = task,
        .cancel = task->cancel};
    struct machine *machines = calloc(count, sizeof *machines);
    if (!machines)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        settings_machine(&evaluator->memos[orders->part].settings,
                         order_setting(evaluator, &orders[i])->machine, &machines[i]);
    enum status status = simulate(&simulation, machines, count, metrics, counts, diagnostics);
    free(machines);
    return status;
}

/* Simulates without the lock and then updates memos and points with it. */
static enum status run_pass(void *argument, struct runner_task *task,
                            struct diagnostics *diagnostics)
{
    struct evaluator *evaluator = argument;
    struct batch *batch = evaluator->batch;
    size_t first = task->number ? batch->pass_ends[task->number - 1] : 0;
    size_t count = batch->pass_ends[task->number] - first;
    const struct order *orders = &batch->orders[first];
    struct metrics *metrics = calloc(count, sizeof *metrics);
    struct simulated counts = {0}, *sum = evaluator->options.counts;
    enum status status = STATUS_MEMORY;
    if (metrics)
        status = simulate_orders(evaluator, task, orders, count, metrics, &counts, diagnostics);
    if (!status) {
        runner_lock(evaluator->runner);
        if (sum)
            *sum = (struct simulated){sum->kept + counts.kept, sum->proved + counts.proved,
                                      sum->ran + counts.ran, sum->stuck + counts.stuck};
        status = finish_pass_locked(evaluator, batch, orders, count, metrics, diagnostics);
        runner_unlock(evaluator->runner);
    }
    free(metrics);
    return status;
}

static enum status run_passes(struct evaluator *evaluator, struct batch *batch,
                              struct diagnostics *diagnostics)
{
    batch->weights = calloc(batch->pass_count + 1, sizeof *batch->weights);
    if (!batch->weights)
        return STATUS_MEMORY;
    for (size_t i = 0; i < batch->pass_count; i++)
        batch->weights[i].work = (double)(batch->pass_ends[i] - (i ? batch->pass_ends[i - 1] : 0));
    const struct runner_work work = {.count = batch->pass_count,
                                     .weights = batch->weights,
                                     .run = run_pass,
                                     .tick = evaluator->options.tick ? tick_locked : NULL,
                                     .argument = evaluator,
                                     .cancel = evaluator->options.cancel};
    evaluator->batch = batch;
    enum status status = runner_run(evaluator->runner, &work, diagnostics);
    evaluator->batch = NULL;
    return status;
}

/* Reports the points whose results were all ready before this batch. */
static enum status tell_known(struct evaluator *evaluator, struct batch *batch, size_t count,
                              struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    bool any = false;
    for (size_t i = 0; i < count && !status; i++) {
        if (batch->waiting[i])
            continue;
        any = true;
        status = tell_point(evaluator, batch, i, diagnostics);
    }
    if (any && !status && evaluator->options.pass)
        status = evaluator->options.pass(evaluator->options.argument, diagnostics);
    return status;
}

enum status evaluator_run(struct evaluator *evaluator, const uint64_t *points, size_t count,
                          struct diagnostics *diagnostics)
{
    struct batch batch = {.points = points};
    const atomic_bool *cancel = evaluator->options.cancel;
    if (count >= UINT32_MAX / PARTS_MAX)
        return STATUS_MEMORY;
    batch.waiting = calloc(count + 1, sizeof *batch.waiting);
    batch.results = calloc(count + 1, sizeof *batch.results);
    enum status status = batch.waiting && batch.results ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        status = order_point(evaluator, &batch, i);
        if (!status && cancel && atomic_load(cancel))
            status = STATUS_CANCELLED;
    }
    if (!status)
        status = list_orders(evaluator, &batch);
    if (!status)
        status = cut_passes(evaluator, &batch);
    if (!status)
        status = tell_known(evaluator, &batch, count, diagnostics);
    if (!status)
        status = run_passes(evaluator, &batch, diagnostics);
    free(batch.waiting);
    free(batch.results);
    free(batch.orders);
    free(batch.links);
    free(batch.pass_ends);
    free(batch.weights);
    return status;
}
