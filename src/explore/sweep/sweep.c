/* The run of a study (explore/sweep/sweep.h): workers take passes in order; a lock serves the store
 * and everything that progress is told from. */
#include "explore/sweep/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/counts.h"
#include "explore/plan/sweep_limits.h"
#include "explore/plan/sweep_setup.h"
#include "explore/results/scoreboard.h"
#include "explore/search/bounds.h"
#include "explore/search/search.h"
#include "explore/store/store_merge.h"
#include "model/evaluate.h"
#include "model/pass/pass_pool.h"

enum { ROWS_A_COMMIT = 1024, RATE_SAMPLES = 16 };
#define REPORT_SECONDS 0.25
/* A durable commit waits for the disk and one of a summary writes its tables, so neither may come
 * after every small simulation. */
#define SLOW_COMMIT_SECONDS 2.0

/* A walk costs about 20 ns for each request; without a plan, work is counted in such units. */
#define POINT_WORK 100.0
/* What a prediction weighs against the speed that is seen: as much as this share of the work. */
#define PREDICTION_SHARE 0.03

struct sample {
    double seconds, share;
};

struct run {
    const struct sweep_options *options;
    struct sweep_setup setup;
    struct plan *plan;
    uint8_t *done;              /* bitmap of points */
    uint8_t *kept_rows;         /* bitmap of points, only where the store is a summary */
    struct metrics **kept;      /* for each workload the metrics of the first part's settings; only
                                 * where there are two parts */
    atomic_size_t *waiting_for; /* tasks of the first part that each workload still waits for */
    struct pass_pool *pool;     /* of the workers */
    atomic_size_t next;         /* task */
    atomic_bool stop;           /* all workers: failure or cancellation */

    pthread_mutex_t lock; /* everything below */
    struct store *store;
    struct scoreboard *board;
    enum status status; /* the first failure */
    struct diagnostics *diagnostics;
    struct sweep_progress progress;
    double *weights; /* of the tasks: what simulating and storing costs, in seconds or in units */
    double weight_total, weight_done;
    double *weight_running; /* done of each worker's current task */
    double predicted;       /* seconds of all tasks; NaN: there is no plan */
    double start, last_report, last_commit;
    double begin; /* of the whole run, for its limits */
    struct sample samples[RATE_SAMPLES];
    size_t sample_count;
};

/* Ends the run; the first reason is kept. With the lock held. */
static void fail_locked(struct run *run, enum status status, struct diagnostics *diagnostics)
{
    if (!run->status) {
        run->status = status;
        if (diagnostics && run->diagnostics)
            diagnostics_move(run->diagnostics, diagnostics);
    }
    atomic_store(&run->stop, true);
    pass_pool_wake(run->pool);
}

/* Sees whether the caller asked to stop. With the lock held. */
static void check_cancel_locked(struct run *run)
{
    if (run->options->cancel && atomic_load(run->options->cancel) && !atomic_load(&run->stop)) {
        run->progress.stop = SWEEP_CANCELLED;
        fail_locked(run, STATUS_CANCELLED, NULL);
    }
}

static void check_limits_locked(struct run *run)
{
    enum sweep_stop stop = sweep_limits_reached(run->options, clock_seconds() - run->begin);
    if (stop == SWEEP_RUNS || atomic_load(&run->stop))
        return;
    run->progress.stop = stop;
    fail_locked(run, STATUS_CANCELLED, NULL);
}

static double share_locked(const struct run *run)
{
    double finished = run->weight_done;
    for (int i = 0; i < run->setup.threads; i++)
        finished += run->weight_running[i];
    if (run->progress.done == run->progress.points || run->weight_total <= 0)
        return run->progress.done == run->progress.points ? 1 : 0;
    return finished < run->weight_total ? finished / run->weight_total : 1;
}

/* Points a second that the work of the last few reports comes to. */
static double rate_locked(struct run *run)
{
    const struct sweep_progress *progress = &run->progress;
    run->samples[run->sample_count++ % RATE_SAMPLES] =
        (struct sample){progress->seconds, progress->share};
    size_t oldest = run->sample_count > RATE_SAMPLES ? run->sample_count - RATE_SAMPLES : 0;
    struct sample from = oldest ? run->samples[oldest % RATE_SAMPLES] : (struct sample){0};
    double missing = (double)(progress->points - progress->resumed);
    return progress->seconds > from.seconds
               ? missing * (progress->share - from.share) / (progress->seconds - from.seconds)
               : 0;
}

/* The prediction counts as if a little of the work had been seen to take its part of it. */
static double eta_locked(const struct run *run)
{
    const struct sweep_progress *progress = &run->progress;
    double share = progress->share, seconds = progress->seconds;
    if (progress->done == progress->points)
        return 0;
    if (!isnan(run->predicted)) {
        seconds += PREDICTION_SHARE * run->predicted;
        share += PREDICTION_SHARE;
    } else if (progress->seconds < 0.5) {
        return NAN;
    }
    return share > 0 ? (1 - progress->share) * seconds / share : NAN;
}

static void report_locked(struct run *run)
{
    struct sweep_progress *progress = &run->progress;
    double time = clock_seconds();
    progress->seconds = time - run->start;
    progress->share = share_locked(run);
    progress->rate = rate_locked(run);
    progress->eta = eta_locked(run);
    progress->front = scoreboard_front(run->board);
    progress->hypervolume = scoreboard_hypervolume(run->board);
    progress->best = scoreboard_best(run->board, &progress->best_value);
    run->last_report = time;
    if (run->options->progress)
        run->options->progress(run->options->argument, progress);
}

static void tick_locked(struct run *run)
{
    check_cancel_locked(run);
    if (clock_seconds() - run->last_report >= REPORT_SECONDS) {
        check_limits_locked(run);
        report_locked(run);
    }
}

struct worker {
    struct run *run;
    const struct task *task;
    double weight;
    int number;
};

/* Called by evaluate_many about ten times a second. */
static void task_progress(void *argument, double share)
{
    struct worker *worker = argument;
    struct run *run = worker->run;
    pthread_mutex_lock(&run->lock);
    run->weight_running[worker->number] = share * worker->weight;
    tick_locked(run);
    pthread_mutex_unlock(&run->lock);
}

/* The metrics of a task's settings; metrics[i] belongs to task->settings[i]. */
static enum status simulate_task(struct worker *worker, struct metrics *metrics,
                                 struct diagnostics *diagnostics)
{
    struct run *run = worker->run;
    struct simulation simulation = sweep_setup_simulation(&run->setup, run->plan, worker->task);
    struct machine *machines = task_machines(run->plan, worker->task);
    if (!machines)
        return STATUS_MEMORY;
    simulation.pool = run->pool;
    simulation.groups = worker->task->groups;
    simulation.progress = task_progress;
    simulation.argument = worker;
    simulation.cancel = &run->stop;
    enum status status =
        simulate(&simulation, machines, worker->task->count, metrics, NULL, diagnostics);
    free(machines);
    return status;
}

/* Keeps what the first part of two found, for the points to come. */
static void keep_metrics(struct run *run, const struct task *task, const struct metrics *metrics)
{
    for (size_t i = 0; i < task->count; i++)
        run->kept[task->workload][task->settings[i]] = metrics[i];
    atomic_fetch_sub(&run->waiting_for[task->workload], 1);
    pass_pool_wake(run->pool);
}

struct await {
    const struct run *run;
    size_t workload;
};

static bool first_part_done(const void *argument)
{
    const struct await *await = argument;
    return !atomic_load(&await->run->waiting_for[await->workload]) ||
           atomic_load(&await->run->stop);
}

/* Waits until the first part of the workload is complete, and helps with it. Its tasks come before
 * the driver's, so other workers have them in hand. */
static bool await_first_part(struct run *run, size_t workload)
{
    const struct await await = {run, workload};
    pass_pool_help(run->pool, first_part_done, &await);
    return !atomic_load(&run->stop);
}

/* Commits what was stored; of a summary without the rows that others have displaced. */
static enum status commit(struct run *run, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    if (run->kept_rows) {
        memset(run->kept_rows, 0, run->setup.space.points / 8 + 1);
        status = scoreboard_mark(run->board, run->kept_rows);
        if (!status)
            status = store_prune(run->store, run->kept_rows, diagnostics);
    }
    enum status committed = store_commit(run->store, diagnostics);
    return status ? status : committed;
}

/* Stores composed points and commits them. */
static enum status store_points(struct run *run, const struct plan_point *points,
                                const struct metrics *metrics, size_t count)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = STATUS_OK;
    pthread_mutex_lock(&run->lock);
    for (size_t i = 0; i < count && !status; i++) {
        bool kept;
        status = scoreboard_offer(run->board, points[i].point, &metrics[i], &kept, &diagnostics);
        if (!status && run->kept_rows)
            status =
                store_put_summary(run->store, points[i].point, &metrics[i], kept, &diagnostics);
        else if (!status)
            status = store_put(run->store, points[i].point, &metrics[i], &diagnostics);
    }
    bool slow = run->options->durable || run->kept_rows;
    if (status || !slow || clock_seconds() - run->last_commit >= SLOW_COMMIT_SECONDS) {
        enum status committed = commit(run, &diagnostics);
        status = status ? status : committed;
        run->last_commit = clock_seconds();
    }
    if (status)
        fail_locked(run, status, &diagnostics);
    else
        run->progress.done += count;
    tick_locked(run);
    pthread_mutex_unlock(&run->lock);
    diagnostics_free(&diagnostics);
    return status;
}

/* Composes and stores all points of the task's settings. */
static enum status finish_points(struct run *run, const struct task *task,
                                 const struct metrics *settings)
{
    const struct plan *plan = run->plan;
    struct plan_point *points = NULL;
    size_t count = 0;
    struct metrics *composed = malloc(ROWS_A_COMMIT * sizeof *composed);
    enum status status = composed ? plan_points(plan, task, &points, &count) : STATUS_MEMORY;
    for (size_t first = 0; first < count && !status; first += ROWS_A_COMMIT) {
        size_t rows = count - first < ROWS_A_COMMIT ? count - first : ROWS_A_COMMIT;
        for (size_t i = 0; i < rows; i++) {
            const struct plan_point *point = &points[first + i];
            uint64_t machine = point->point % plan->space->machines;
            const struct metrics *parts[PARTS_MAX] = {&settings[point->slot]};
            if (plan->part_count == 2) {
                parts[1] = parts[0];
                parts[0] = &run->kept[task->workload][plan_setting(&plan->parts[0], machine)];
            }
            plan_compose(plan, machine, parts, &composed[i]);
        }
        status = store_points(run, points + first, composed, rows);
        if (!status && atomic_load(&run->stop))
            status = STATUS_CANCELLED;
    }
    free(points);
    free(composed);
    return status;
}

static void run_task(struct run *run, size_t index, int number)
{
    const struct task *task = &run->plan->tasks[index];
    struct worker worker = {run, task, run->weights[index], number};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct metrics *metrics = calloc(task->count, sizeof *metrics);
    pthread_mutex_lock(&run->lock);
    run->progress.passes_running += !task->remembered;
    pthread_mutex_unlock(&run->lock);
    enum status status = metrics ? simulate_task(&worker, metrics, &diagnostics) : STATUS_MEMORY;
    bool driver = task->part + 1 == run->plan->part_count;
    if (!status && !driver)
        keep_metrics(run, task, metrics);
    else if (!status && (run->plan->part_count == 1 || await_first_part(run, task->workload)))
        status = finish_points(run, task, metrics);
    pthread_mutex_lock(&run->lock);
    run->weight_running[number] = 0;
    run->weight_done += status ? 0 : worker.weight;
    run->progress.passes_running -= !task->remembered;
    run->progress.passes_done += !task->remembered && !status;
    if (status)
        fail_locked(run, status, &diagnostics);
    tick_locked(run);
    pthread_mutex_unlock(&run->lock);
    diagnostics_free(&diagnostics);
    free(metrics);
}

static void run_tasks(struct run *run)
{
#pragma omp parallel num_threads(run->setup.threads)
    {
        size_t task;
        pass_pool_join(run->pool);
#pragma omp barrier
        while (!atomic_load(&run->stop) &&
               (task = atomic_fetch_add(&run->next, 1)) < run->plan->task_count)
            run_task(run, task, omp_get_thread_num());
        pass_pool_done(run->pool);
    }
}

/* Seconds where the plan says what passes cost; else about as the planner weighs them. */
static double task_work(const struct run *run, const struct task *task)
{
    const struct sweep_plan *plan = run->options->plan;
    if (task->remembered)
        return 0;
    if (!plan || task->workload >= plan->workload_count)
        return task->weight;
    const struct stage_costs *costs =
        &plan->workloads[task->workload].costs[task->part][task->shared];
    return costs->stream + (double)task->firsts * costs->first +
           (double)task->count * costs->second;
}

static enum status weigh_tasks(struct run *run)
{
    const struct plan *plan = run->plan;
    double settings = 0, point = run->options->plan ? POINT_SECONDS : POINT_WORK;
    run->weights = calloc(plan->task_count + 1, sizeof *run->weights);
    if (!run->weights)
        return STATUS_MEMORY;
    for (size_t t = 0; t < plan->task_count; t++)
        settings += plan->tasks[t].part + 1 == plan->part_count ? (double)plan->tasks[t].count : 0;
    for (size_t t = 0; t < plan->task_count; t++) {
        const struct task *task = &plan->tasks[t];
        bool driver = task->part + 1 == plan->part_count;
        double points = driver ? (double)plan->missing * (double)task->count / settings : 0;
        run->weights[t] = task_work(run, task) + points * point;
        run->weight_total += run->weights[t];
        run->progress.passes += !task->remembered;
    }
    run->predicted = run->options->plan ? run->weight_total / run->setup.threads : NAN;
    return STATUS_OK;
}

static enum status allocate_parts(struct run *run)
{
    size_t workloads = run->setup.space.study->workload_count;
    const struct plan *plan = run->plan;
    run->weight_running = calloc((size_t)run->setup.threads, sizeof *run->weight_running);
    run->waiting_for = calloc(workloads, sizeof *run->waiting_for);
    run->kept = calloc(workloads, sizeof *run->kept);
    run->pool = pass_pool_create();
    if (!run->weight_running || !run->waiting_for || !run->kept || !run->pool)
        return STATUS_MEMORY;
    for (size_t w = 0; plan->part_count == 2 && w < workloads; w++) {
        run->kept[w] = calloc(plan->parts[0].setting_count + 1, sizeof **run->kept);
        if (!run->kept[w])
            return STATUS_MEMORY;
    }
    for (size_t t = 0; t < plan->task_count; t++)
        if (plan->tasks[t].part + 1 < plan->part_count)
            run->waiting_for[plan->tasks[t].workload]++;
    return weigh_tasks(run);
}

static enum status offer_resumed(void *argument, const struct store_row *row)
{
    struct run *run = argument;
    struct metrics metrics;
    metrics_clear(&metrics);
    for (size_t i = 0; i < run->setup.column_count; i++)
        metric_set(run->setup.columns[i], &metrics, row->values[i]);
    if (run->options->cancel && atomic_load(run->options->cancel))
        return STATUS_CANCELLED;
    return scoreboard_offer(run->board, row->point, &metrics, NULL, run->diagnostics);
}

/* Opens the store and takes in what it has. */
static enum status open_store(struct run *run)
{
    struct sweep_setup *setup = &run->setup;
    run->done = calloc(setup->space.points / 8 + 1, 1);
    if (!run->done)
        return STATUS_MEMORY;
    enum status status = scoreboard_create(&setup->space, &run->board, run->diagnostics);
    const struct sweep_options *options = run->options;
    const struct store_options how = {.durable = options->durable,
                                      .shard = options->shard,
                                      .shards = options->shards,
                                      .summary = sweep_setup_summary(setup, options)};
    struct merge_result taken = {0};
    if (!status)
        status = store_create_with(options->store, &setup->space, setup->digests, &how, &run->store,
                                   run->diagnostics);
    if (!status)
        status = store_check_content(run->store, how.summary, run->diagnostics);
    if (!status && how.summary) {
        run->kept_rows = calloc(setup->space.points / 8 + 1, 1);
        status = run->kept_rows ? STATUS_OK : STATUS_MEMORY;
    }
    for (size_t i = 0; i < options->take_count && !status; i++)
        status = store_take(run->store, options->take[i], &taken, run->diagnostics);
    if (!status)
        status = store_done(run->store, run->done, &run->progress.resumed, run->diagnostics);
    if (!status)
        status = sweep_setup_share(setup, options, run->done, &run->progress.points);
    run->progress.done = run->progress.resumed;
    const struct query everything = {0};
    if (!status && run->progress.resumed)
        status = store_query(run->store, &everything, offer_resumed, run, run->diagnostics);
    return status;
}

static void free_run(struct run *run)
{
    size_t workloads = run->setup.sources ? run->setup.space.study->workload_count : 0;
    for (size_t w = 0; run->kept && w < workloads; w++)
        free(run->kept[w]);
    free(run->kept);
    pass_pool_free(run->pool);
    free(run->waiting_for);
    free(run->weights);
    free(run->weight_running);
    store_close(run->store);
    scoreboard_free(run->board);
    plan_free(run->plan);
    free(run->done);
    free(run->kept_rows);
    sweep_setup_close(&run->setup, run->diagnostics);
    pthread_mutex_destroy(&run->lock);
}

/* What the events of the store say of a run's end, whatever became of it. */
static enum status end_store(struct run *run, enum status status)
{
    static const char *const reasons[] = {"", "stopped from outside", "time limit", "memory limit"};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status committed = commit(run, &diagnostics);
    if (committed && (!status || status == STATUS_CANCELLED)) {
        status = committed;
        if (run->diagnostics)
            diagnostics_move(run->diagnostics, &diagnostics);
    }
    if (status)
        store_event(run->store, "stop",
                    status == STATUS_CANCELLED ? reasons[run->progress.stop] : status_text(status),
                    NULL);
    else
        store_event(run->store, "end", "complete", NULL);
    diagnostics_free(&diagnostics);
    return status;
}

static enum status begin_store(struct run *run)
{
    char text[300], host[64] = "", threads[COUNT_TEXT], points[COUNT_TEXT];
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "on %s, %s, version %s, %s there already", host,
             counted_print((uint64_t)run->setup.threads, "thread", threads), WARPSCAPE_VERSION,
             counted_print(run->progress.resumed, "point", points));
    return store_event(run->store, "start", text, run->diagnostics);
}

static enum status run_everything(const struct study *study, const struct sweep_options *options,
                                  struct sweep_progress *result, struct diagnostics *diagnostics)
{
    struct run run = {.options = options,
                      .diagnostics = diagnostics,
                      .start = clock_seconds(),
                      .begin = clock_seconds()};
    run.progress = (struct sweep_progress){
        .eta = NAN, .hypervolume = NAN, .best = UINT64_MAX, .best_value = NAN};
    pthread_mutex_init(&run.lock, NULL);
    enum status status = sweep_setup_open(study, options, &run.setup, diagnostics);
    if (!status)
        status = open_store(&run);
    if (!status)
        status = sweep_setup_plan(&run.setup, run.done, &run.plan);
    if (!status)
        status = allocate_parts(&run);
    if (!status) {
        status = begin_store(&run);
    }
    if (!status) {
        run.start = clock_seconds(); /* rate and ETA are about the simulations */
        pthread_mutex_lock(&run.lock);
        report_locked(&run);
        pthread_mutex_unlock(&run.lock);
        run_tasks(&run);
        status = end_store(&run, run.status);
        pthread_mutex_lock(&run.lock);
        report_locked(&run);
        pthread_mutex_unlock(&run.lock);
    }
    if (result)
        *result = run.progress;
    free_run(&run);
    return status;
}

enum status sweep_run(const struct study *study, const struct sweep_options *options,
                      struct sweep_progress *result, struct diagnostics *diagnostics)
{
    char why[200];
    bool prune = study->search.prune, everything = study->search.method == SEARCH_EXHAUSTIVE;
    if (everything && prune && !bounds_apply(study, why)) {
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "nothing is pruned: %s", why);
        prune = false;
    }
    return everything && !prune ? run_everything(study, options, result, diagnostics)
                                : search_run(study, options, result, diagnostics);
}
