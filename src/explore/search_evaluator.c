#include "explore/search_evaluator.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "explore/planner_tasks.h"
#include "explore/point_table.h"
#include "explore/setting_table.h"
#include "model/evaluate.h"
#include "model/gpu/extent.h"

struct memo_setting {
    uint64_t machine;                      /* the first one that has it */
    uint32_t stream, family, first, level; /* as in struct setting */
    bool shared, cheap;
};

/* What settings are numbered by. */
enum { SETTING, STREAM, FIRST, FAMILY, LEVEL, NUMBERS };

/* The settings met so far of one part. */
struct memo {
    struct setting_table *tables[NUMBERS];
    struct memo_setting *items;
    size_t count, capacity;
    struct projection projection; /* the axes that the part depends on */
    struct point_table combinations;
    uint32_t *setting_of; /* one each combination met */
    size_t setting_capacity;
    struct point_table results; /* setting x workloads + workload */
    double *values;             /* the columns of each result */
    bool *ready;                /* one each result */
    size_t value_capacity, ready_capacity;
};

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
    pthread_mutex_t lock;
};

static enum status memo_open(const struct evaluator *evaluator, unsigned stages, struct memo *memo)
{
    const struct study *study = evaluator->options.space->study;
    bool *kept = calloc(study->axis_count + 1, sizeof *kept);
    bool made = kept;
    for (size_t i = 0; i < NUMBERS; i++)
        made &= (memo->tables[i] = setting_table_create()) != NULL;
    enum status status = STATUS_MEMORY;
    if (made) {
        for (size_t a = 0; a < study->axis_count; a++)
            kept[a] = study->axes[a].parameter->stages & stages;
        status = projection_init(evaluator->options.space, kept, &memo->projection);
    }
    free(kept);
    return status;
}

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
    for (size_t p = 0; p < evaluator->plan.part_count; p++) {
        enum status status =
            memo_open(evaluator, evaluator->plan.parts[p].question.stages, &evaluator->memos[p]);
        if (status) {
            evaluator_free(evaluator);
            return status;
        }
    }
    *result = evaluator;
    return STATUS_OK;
}

void evaluator_free(struct evaluator *evaluator)
{
    if (!evaluator)
        return;
    for (size_t p = 0; p < PARTS_MAX; p++) {
        struct memo *memo = &evaluator->memos[p];
        for (size_t i = 0; i < NUMBERS; i++)
            setting_table_free(memo->tables[i]);
        projection_free(&memo->projection);
        point_table_free(&memo->combinations);
        point_table_free(&memo->results);
        free(memo->setting_of);
        free(memo->items);
        free(memo->values);
        free(memo->ready);
    }
    pthread_mutex_destroy(&evaluator->lock);
    free(evaluator);
}

/* ---- numbering ---- */

static void part_machine(const struct evaluator *evaluator, size_t part, uint64_t index,
                         struct machine *machine)
{
    struct machine whole;
    space_machine(evaluator->options.space, index, &whole);
    stage_machine(&whole, evaluator->plan.parts[part].question.stages, machine);
}

struct same_query {
    const struct evaluator *evaluator;
    size_t part;
    const struct machine *machine; /* as seen */
    unsigned stages;
    enum machine_view view;
};

static bool same_machine(void *argument, uint32_t item)
{
    const struct same_query *query = argument;
    const struct evaluator *evaluator = query->evaluator;
    struct machine machine, other;
    part_machine(evaluator, query->part, evaluator->memos[query->part].items[item].machine,
                 &machine);
    simulate_view(&evaluator->plan.parts[query->part].question, query->view, &machine, &other);
    return machine_same(&other, query->machine, query->stages);
}

/* The setting that the machine of a new combination has. */
static enum status number_combination(struct evaluator *evaluator, size_t part, uint64_t index,
                                      uint32_t *setting)
{
    struct memo *memo = &evaluator->memos[part];
    const struct stage_question *question = &evaluator->plan.parts[part].question;
    const unsigned all = question->stages;
    const unsigned firsts = all & (STAGE_STREAM | STAGE_L1D | STAGE_TLB | STAGE_REUSE);
    const struct {
        unsigned stages;
        enum machine_view view;
    } kinds[NUMBERS] = {[SETTING] = {all, VIEW_MACHINE},
                        [STREAM] = {all & STAGE_STREAM, VIEW_MACHINE},
                        [FIRST] = {firsts, VIEW_LEVEL},
                        [FAMILY] = {firsts, VIEW_FAMILY},
                        [LEVEL] = {all, VIEW_LAST}};
    uint32_t numbers[NUMBERS];
    struct machine machine, seen;
    bool shares[NUMBERS] = {false};
    if (array_reserve(&memo->items, &memo->capacity, memo->count + 1))
        return STATUS_MEMORY;
    part_machine(evaluator, part, index, &machine);
    memo->items[memo->count].machine = index;
    for (size_t i = 0; i < NUMBERS; i++) {
        const unsigned stages = kinds[i].stages;
        struct same_query query = {evaluator, part, &seen, stages, kinds[i].view};
        shares[i] = simulate_view(question, kinds[i].view, &machine, &seen);
        enum status status =
            setting_table_number(memo->tables[i], machine_hash(&seen, stages),
                                 (uint32_t)memo->count, same_machine, &query, &numbers[i]);
        if (status)
            return status;
        if (i == SETTING && numbers[SETTING] < memo->count)
            break; /* a setting that is known: so are its levels */
    }
    if (numbers[SETTING] == memo->count)
        memo->items[memo->count++] =
            (struct memo_setting){.machine = index,
                                  .stream = numbers[STREAM],
                                  .family = numbers[FAMILY],
                                  .first = numbers[FIRST],
                                  .level = numbers[LEVEL],
                                  .shared = shares[FIRST],
                                  .cheap = !shares[FIRST] && shares[LEVEL]};
    *setting = numbers[SETTING];
    return STATUS_OK;
}

static enum status number_setting(struct evaluator *evaluator, size_t part, uint64_t index,
                                  uint32_t *setting)
{
    struct memo *memo = &evaluator->memos[part];
    uint64_t combination = projection_index(&memo->projection, index);
    size_t known = point_table_find(&memo->combinations, combination), number;
    bool fresh;
    if (known != NO_NUMBER) {
        *setting = memo->setting_of[known];
        return STATUS_OK;
    }
    if (array_reserve(&memo->setting_of, &memo->setting_capacity, memo->combinations.count + 1))
        return STATUS_MEMORY;
    enum status status = number_combination(evaluator, part, index, setting);
    if (!status)
        status = point_table_add(&memo->combinations, combination, &number, &fresh);
    if (!status)
        memo->setting_of[number] = *setting;
    return status;
}

/* The place for the result of a setting on a workload. */
static enum status find_result(struct evaluator *evaluator, size_t part, uint32_t setting,
                               uint64_t workload, size_t *result)
{
    struct memo *memo = &evaluator->memos[part];
    size_t columns = evaluator->options.column_count;
    uint64_t workloads = evaluator->options.space->study->workload_count;
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

static enum status order_point(struct evaluator *evaluator, struct batch *batch, size_t index)
{
    uint64_t machines = evaluator->options.space->machines;
    uint64_t machine = batch->points[index] % machines, workload = batch->points[index] / machines;
    for (size_t p = 0; p < evaluator->plan.part_count; p++) {
        uint32_t setting = 0;
        size_t result;
        if (!evaluator->plan.parts[p].question.stages)
            continue;
        enum status status = number_setting(evaluator, p, machine, &setting);
        if (!status)
            status = find_result(evaluator, p, setting, workload, &result);
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

static struct pass_item order_item(const struct evaluator *evaluator, const struct order *order)
{
    const struct memo_setting *setting = &evaluator->memos[order->part].items[order->setting];
    struct machine machine;
    part_machine(evaluator, order->part, setting->machine, &machine);
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

/* Sorted orders as items, and what their passes should hold. */
static struct pass_limits make_items(const struct evaluator *evaluator, const struct batch *batch,
                                     struct pass_item *items)
{
    size_t levels = 0, cheap = 0, streams = 0;
    for (size_t i = 0; i < batch->order_count; i++) {
        items[i] = order_item(evaluator, &batch->orders[i]);
        bool begins = !i || compare_walks(&batch->orders[i - 1], &batch->orders[i]) ||
                      items[i].stream != items[i - 1].stream;
        bool first = begins || items[i].first != items[i - 1].first;
        if (!items[i].shared && (first || items[i].level != items[i - 1].level))
            *(items[i].cheap ? &cheap : &levels) += 1;
        levels += items[i].cheap && first;
        streams += items[i].shared && begins; /* the shared ones of a stream come first */
    }
    return pass_limits(levels + cheap / CHEAP_LEVELS, streams, evaluator->options.threads);
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
    struct pass_limits limits = make_items(evaluator, batch, items);
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && !compare_walks(&batch->orders[first], &batch->orders[end]))
            end++;
        size_t *ends = batch->pass_ends + batch->pass_count;
        size_t passes = pass_cut(items + first, end - first, &limits, ends);
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

/* The metrics that a memo keeps of a result. */
static void recall(const struct evaluator *evaluator, size_t part, size_t result,
                   struct metrics *metrics)
{
    const struct evaluator_options *options = &evaluator->options;
    const double *values = evaluator->memos[part].values + result * options->column_count;
    metrics_clear(metrics);
    for (size_t c = 0; c < options->column_count; c++)
        metric_set(options->columns[c], metrics, values[c]);
}

static void keep(struct evaluator *evaluator, const struct order *order,
                 const struct metrics *metrics)
{
    const struct evaluator_options *options = &evaluator->options;
    struct memo *memo = &evaluator->memos[order->part];
    for (size_t c = 0; c < options->column_count; c++)
        memo->values[order->result * options->column_count + c] =
            metric_get(options->columns[c], metrics);
    memo->ready[order->result] = true;
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
            recall(evaluator, p, batch->results[index][p], &kept[p]);
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
        keep(evaluator, &orders[i], &metrics[i]);
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
            .progress = pass_progress,
            .argument = &worker,
            .cancel = &batch->stop};
        for (size_t i = 0; i < count; i++)
            part_machine(evaluator, orders[i].part,
                         evaluator->memos[orders[i].part].items[orders[i].setting].machine,
                         &machines[i]);
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
        while (!atomic_load(&batch->stop) &&
               (pass = atomic_fetch_add(&batch->next, 1)) < batch->pass_count)
            run_pass(evaluator, batch, pass, omp_get_thread_num());
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
