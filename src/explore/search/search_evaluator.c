#include "explore/search/search_evaluator.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "explore/plan/planner_tasks.h"
#include "explore/search/search_memo.h"
#include "model/evaluate.h"
#include "model/gpu/extent.h"
#include "model/pass/pass_pool.h"

/* A result that a batch has to make. */
struct order {
    uint32_t part, workload, setting, result;
    uint32_t first_link, link_count; /* of the batch's links: who waits for it */
};

struct link { /* a point that waits for a result */
    uint32_t part, result, point;
};

struct batch {
    const uint64_t *points;
    uint8_t *waiting;               /* parts that each point still waits for */
    uint32_t (*results)[PARTS_MAX]; /* of each point */
    struct order *orders;
    struct link *links;
    size_t order_count, order_capacity, link_count, link_capacity;
    size_t *pass_ends; /* passes as ranges of orders */
    size_t pass_count;
    size_t orders_done, passes_done; /* with the lock */
    unsigned passes_running;
    double *running; /* orders that each worker's pass has behind it, in parts */
    atomic_size_t next;
    atomic_bool stop;
    enum status status;
    struct diagnostics *diagnostics;
};

struct evaluator {
    struct evaluator_options options;
    struct plan plan; /* only what its parts are; nothing is numbered in it */
    struct memo memos[PARTS_MAX];
    struct pass_pool *pool;
    pthread_mutex_t lock;
};

enum status evaluator_create(const struct evaluator_options *options, struct evaluator **result)
{
    struct evaluator *evaluator = calloc(1, sizeof *evaluator);
    *result = NULL;
    if (!evaluator)
        return STATUS_MEMORY;
    evaluator->options = *options;
    evaluator->plan.space = options->space;
    evaluator->plan.columns = options->columns;
    evaluator->plan.column_count = options->column_count;
    plan_choose_parts(&evaluator->plan);
    pthread_mutex_init(&evaluator->lock, NULL);
    evaluator->pool = pass_pool_create();
    enum status status = evaluator->pool ? STATUS_OK : STATUS_MEMORY;
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
    pass_pool_free(evaluator->pool);
    pthread_mutex_destroy(&evaluator->lock);
    free(evaluator);
}

/* ---- orders ---- */

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

/* One order for each result that a point waits for; also those that an earlier batch, stopped in
 * the middle, left behind. */
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

static const struct memo_item *order_setting(const struct evaluator *evaluator,
                                             const struct order *order)
{
    return &evaluator->memos[order->part].items[order->setting];
}

static struct pass_item order_item(const struct evaluator *evaluator, const struct order *order)
{
    const struct memo_item *setting = order_setting(evaluator, order);
    struct machine machine;
    memo_machine(&evaluator->memos[order->part], setting->machine, &machine);
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

/* Sorted orders as items. Returns how many levels those have that do not share their first one. */
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

/* Cuts the orders into passes: one walk over one workload each, bounded in number and memory. */
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
        size_t passes = pass_cut(items + first, end - first, most, ends);
        for (size_t i = 0; i < passes; i++)
            ends[i] += first;
        batch->pass_count += passes;
    }
    free(items);
    return STATUS_OK;
}

/* ---- running ---- */

static void fail_locked(struct batch *batch, enum status status, struct diagnostics *diagnostics)
{
    if (!batch->status) {
        batch->status = status;
        if (diagnostics && batch->diagnostics)
            diagnostics_move(batch->diagnostics, diagnostics);
    }
    atomic_store(&batch->stop, true);
}

struct worker {
    struct evaluator *evaluator;
    struct batch *batch;
    size_t orders; /* of its pass */
    int number;
};

static void tick_locked(const struct evaluator *evaluator, const struct batch *batch)
{
    struct evaluator_progress progress = {.passes = batch->pass_count,
                                          .passes_done = batch->passes_done,
                                          .passes_running = batch->passes_running};
    double done = (double)batch->orders_done;
    for (int i = 0; i < evaluator->options.threads; i++)
        done += batch->running[i];
    progress.share = batch->order_count ? done / (double)batch->order_count : 1;
    evaluator->options.tick(evaluator->options.argument, &progress);
}

static void pass_progress(void *argument, double share)
{
    struct worker *worker = argument;
    struct batch *batch = worker->batch;
    const struct evaluator_options *options = &worker->evaluator->options;
    pthread_mutex_lock(&worker->evaluator->lock);
    batch->running[worker->number] = share * (double)worker->orders;
    if (options->cancel && atomic_load(options->cancel))
        fail_locked(batch, STATUS_CANCELLED, NULL);
    if (options->tick)
        tick_locked(worker->evaluator, batch);
    pthread_mutex_unlock(&worker->evaluator->lock);
}

/* Composes a point whose results are all there and hands it over. */
static enum status tell_point(struct evaluator *evaluator, const struct batch *batch, size_t index,
                              struct diagnostics *diagnostics)
{
    uint64_t point = batch->points[index];
    struct metrics kept[PARTS_MAX], composed;
    const struct metrics *parts[PARTS_MAX] = {&kept[0], &kept[1]};
    for (size_t p = 0; p < evaluator->plan.part_count; p++)
        if (evaluator->plan.parts[p].question.stages)
            memo_recall(&evaluator->memos[p], batch->results[index][p], &kept[p]);
    plan_compose(&evaluator->plan, point % evaluator->options.space->machines, parts, &composed);
    return evaluator->options.point(evaluator->options.argument, point, &composed, diagnostics);
}

/* Keeps what a pass found and tells the points that waited for nothing else. */
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

static void run_pass(struct evaluator *evaluator, struct batch *batch, size_t pass, int number)
{
    size_t first = pass ? batch->pass_ends[pass - 1] : 0, count = batch->pass_ends[pass] - first;
    const struct order *orders = &batch->orders[first];
    struct worker worker = {evaluator, batch, count, number};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct machine *machines = calloc(count, sizeof *machines);
    struct metrics *metrics = calloc(count, sizeof *metrics);
    enum status status = STATUS_MEMORY;
    pthread_mutex_lock(&evaluator->lock);
    batch->passes_running++;
    pthread_mutex_unlock(&evaluator->lock);
    if (machines && metrics) {
        const struct simulation simulation = {
            .question = evaluator->plan.parts[orders->part].question,
            .source = evaluator->options.sources[orders->workload],
            .extent =
                evaluator->options.extents ? &evaluator->options.extents[orders->workload] : NULL,
            .cache = evaluator->options.cache,
            .pool = evaluator->pool,
            .groups = pass_groups_wanted(batch->pass_count, batch->pass_count - 1 - pass,
                                         order_setting(evaluator, orders)->shared,
                                         evaluator->options.threads),
            .progress = pass_progress,
            .argument = &worker,
            .cancel = &batch->stop};
        for (size_t i = 0; i < count; i++)
            memo_machine(&evaluator->memos[orders->part],
                         order_setting(evaluator, &orders[i])->machine, &machines[i]);
        status = simulate(&simulation, machines, count, metrics, NULL, &diagnostics);
    }
    pthread_mutex_lock(&evaluator->lock);
    if (!status)
        status = finish_pass_locked(evaluator, batch, orders, count, metrics, &diagnostics);
    if (status)
        fail_locked(batch, status, &diagnostics);
    batch->passes_running--;
    batch->passes_done += !status;
    batch->orders_done += status ? 0 : count;
    worker.orders = 0;
    pthread_mutex_unlock(&evaluator->lock);
    pass_progress(&worker, 1);
    diagnostics_free(&diagnostics);
    free(machines);
    free(metrics);
}

static void run_passes(struct evaluator *evaluator, struct batch *batch)
{
#pragma omp parallel num_threads(evaluator->options.threads)
    {
        size_t pass;
        pass_pool_join(evaluator->pool);
#pragma omp barrier
        while (!atomic_load(&batch->stop) &&
               (pass = atomic_fetch_add(&batch->next, 1)) < batch->pass_count)
            run_pass(evaluator, batch, pass, omp_get_thread_num());
        pass_pool_done(evaluator->pool);
    }
}

/* Points whose results an earlier batch has made. */
static enum status tell_known(struct evaluator *evaluator, struct batch *batch, size_t count)
{
    enum status status = STATUS_OK;
    bool any = false;
    for (size_t i = 0; i < count && !status; i++) {
        if (batch->waiting[i])
            continue;
        any = true;
        status = tell_point(evaluator, batch, i, batch->diagnostics);
    }
    if (any && !status && evaluator->options.pass)
        status = evaluator->options.pass(evaluator->options.argument, batch->diagnostics);
    return status;
}

enum status evaluator_run(struct evaluator *evaluator, const uint64_t *points, size_t count,
                          struct diagnostics *diagnostics)
{
    struct batch batch = {.points = points, .diagnostics = diagnostics};
    const atomic_bool *cancel = evaluator->options.cancel;
    if (count >= UINT32_MAX / PARTS_MAX)
        return STATUS_MEMORY;
    batch.waiting = calloc(count + 1, sizeof *batch.waiting);
    batch.results = calloc(count + 1, sizeof *batch.results);
    batch.running = calloc((size_t)evaluator->options.threads + 1, sizeof *batch.running);
    enum status status =
        batch.waiting && batch.results && batch.running ? STATUS_OK : STATUS_MEMORY;
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
        status = tell_known(evaluator, &batch, count);
    if (!status) {
        run_passes(evaluator, &batch);
        status = batch.status;
    }
    free(batch.waiting);
    free(batch.results);
    free(batch.running);
    free(batch.orders);
    free(batch.links);
    free(batch.pass_ends);
    return status;
}
