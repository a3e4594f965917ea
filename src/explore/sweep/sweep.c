/* The run of a study (explore/sweep/sweep.h). Its threads belong to a runner
 * (explore/plan/runner.h), whose lock also protects the store, the scoreboard and the state that
 * progress is computed from. */
#include "explore/sweep/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/memory.h"
#include "explore/plan/runner.h"
#include "explore/plan/sweep_limits.h"
#include "explore/plan/sweep_setup.h"
#include "explore/search/bounds.h"
#include "explore/search/search.h"
#include "explore/store/store_merge.h"
#include "model/evaluate.h"

enum { ROWS_A_COMMIT = 1024, RATE_SAMPLES = 16 };

/* The work of storing a point if there is no plan. Work is then counted in walked records, and
 * walking one takes about 20 ns. */
#define POINT_WORK 100.0
/* How much a prediction weighs against the measured speed: as if this share of the work had taken
 * its predicted time. */
#define PREDICTION_SHARE 0.03

struct sample {
    double seconds, share;
};

/* What there is of one workload. Points are composed once all of their settings are there, by the
 * task that brings the last of them. */
struct gathered {
    struct metrics *kept[PARTS_MAX]; /* of every setting of the parts before the driver */
    uint8_t *settings[PARTS_MAX];    /* bitmap: which of them are there */
    size_t missing;                  /* tasks of these parts that have not ended */
    struct ended {
        const struct task *task; /* of the driver, ended while some were missing */
        struct metrics *metrics; /* by setting of the task */
    } * early;
    size_t early_count, early_capacity;
};

struct run {
    const struct sweep_options *options;
    struct sweep_setup setup;
    const struct plan *plan;
    struct plan *own_plan; /* NULL if that of the options is still right */
    uint8_t *done;         /* bitmap of points */
    uint8_t *kept_rows;    /* bitmap of points; NULL unless the store is a summary */
    struct runner *runner;
    struct runner_weight
        *weights;     /* by task: cost of simulating and storing, in seconds or units */
    double predicted; /* seconds of all tasks; NaN without a plan */
    struct diagnostics *diagnostics;

    struct gathered *gathered; /* by workload; the runner's lock protects this and what follows */
    struct store *store;
    struct scoreboard *board;
    struct coverage coverage;
    struct sweep_guard guard;
    double last_commit;
    struct sample samples[RATE_SAMPLES];
    size_t sample_count;
};

/* Points per second, computed from the work done between the last few reports. */
static double rate_locked(struct run *run)
{
    const struct sweep_progress *progress = &run->guard.progress;
    run->samples[run->sample_count++ % RATE_SAMPLES] =
        (struct sample){progress->seconds, progress->share};
    size_t oldest = run->sample_count > RATE_SAMPLES ? run->sample_count - RATE_SAMPLES : 0;
    struct sample from = oldest ? run->samples[oldest % RATE_SAMPLES] : (struct sample){0};
    double missing = (double)(progress->points - progress->resumed);
    return progress->seconds > from.seconds
               ? missing * (progress->share - from.share) / (progress->seconds - from.seconds)
               : 0;
}

/* Mixes the prediction with the measured speed (PREDICTION_SHARE). */
static double eta_locked(const struct run *run)
{
    const struct sweep_progress *progress = &run->guard.progress;
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
    struct sweep_progress *progress = &run->guard.progress;
    progress->seconds = clock_seconds() - run->guard.start;
    if (progress->done == progress->points)
        progress->share = 1;
    progress->rate = rate_locked(run);
    progress->eta = eta_locked(run);
    sweep_guard_report(&run->guard, run->board, &run->coverage);
}

static void tick_locked(void *argument, const struct runner_progress *tasks)
{
    struct run *run = argument;
    struct sweep_progress *progress = &run->guard.progress;
    progress->locked = 0;
    progress->share = tasks->share;
    progress->passes_done = tasks->passes_done;
    progress->passes_running = tasks->passes_running;
    sweep_guard_stopped(&run->guard);
    if (sweep_guard_due(&run->guard))
        report_locked(run);
}

/* Called while another process holds the store's lock (struct store_options), with ours held. */
static bool wait_for_store(void *argument, double seconds)
{
    struct run *run = argument;
    return sweep_guard_wait(&run->guard, seconds);
}

/* Simulates a task; metrics[i] belongs to task->settings[i]. */
static enum status simulate_task(struct run *run, struct runner_task *thread,
                                 const struct task *task, struct metrics *metrics,
                                 struct diagnostics *diagnostics)
{
    struct simulation simulation = sweep_setup_simulation(&run->setup, run->plan, task);
    struct machine *machines = task_machines(run->plan, task);
    if (!machines)
        return STATUS_MEMORY;
    simulation.pool = thread->pool;
    simulation.groups = task->groups;
    simulation.threads = thread->threads;
    simulation.progress = runner_task_progress;
    simulation.argument = thread;
    simulation.cancel = thread->cancel;
    simulation.skips_stuck = true;
    struct simulated counts = {0};
    enum status status =
        simulate(&simulation, machines, task->count, metrics, &counts, diagnostics);
    runner_lock(run->runner);
    run->guard.progress.simulated += counts.ran;
    run->guard.progress.proved += counts.proved;
    run->guard.progress.stuck += counts.stuck;
    runner_unlock(run->runner);
    free(machines);
    return status;
}

/* Commits. For a summary, first deletes the rows that better ones have displaced. */
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

/* Stores composed points, and commits them unless commits are slow and the last one is recent. */
static enum status store_points_locked(struct run *run, const struct plan_point *points,
                                       const struct metrics *metrics, size_t count,
                                       struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        bool kept;
        coverage_add(&run->coverage, points[i].point);
        status = scoreboard_offer(run->board, points[i].point, &metrics[i], &kept, diagnostics);
        if (!status && run->kept_rows)
            status = store_put_summary(run->store, points[i].point, &metrics[i], kept, diagnostics);
        else if (!status)
            status = store_put(run->store, points[i].point, &metrics[i], diagnostics);
    }
    bool slow = run->options->durable || run->kept_rows;
    if (status || !slow || clock_seconds() - run->last_commit >= SLOW_COMMIT_SECONDS) {
        enum status committed = commit(run, diagnostics);
        status = status ? status : committed;
        run->last_commit = clock_seconds();
    }
    run->guard.progress.done += status ? 0 : count;
    return status;
}

/* Composes and stores the points of one of the driver's tasks that `there` selects, ROWS_A_COMMIT
 * at a time. */
static enum status finish_points(struct run *run, struct runner_task *thread,
                                 const struct ended *ended, const struct plan_there *there,
                                 struct diagnostics *diagnostics)
{
    const struct plan *plan = run->plan;
    const struct task *task = ended->task;
    struct metrics *const *kept = run->gathered[task->workload].kept;
    struct plan_point *points = NULL;
    size_t count = 0;
    struct metrics *composed = malloc(ROWS_A_COMMIT * sizeof *composed);
    struct area_kept *area = calloc(1, sizeof *area);
    enum status status =
        composed && area ? plan_points(plan, task, there, &points, &count) : STATUS_MEMORY;
    for (size_t first = 0; first < count && !status; first += ROWS_A_COMMIT) {
        size_t rows = count - first < ROWS_A_COMMIT ? count - first : ROWS_A_COMMIT;
        for (size_t i = 0; i < rows; i++) {
            const struct plan_point *point = &points[first + i];
            uint64_t machine = point->point % plan->space->machines;
            const struct metrics *parts[PARTS_MAX];
            for (size_t p = 0; p + 1 < plan->part_count; p++)
                parts[p] = &kept[p][plan_setting(&plan->parts[p], machine)];
            parts[plan->part_count - 1] = &ended->metrics[point->slot];
            plan_compose(plan, machine, parts, area, &composed[i]);
        }
        runner_lock(run->runner);
        status = store_points_locked(run, points + first, composed, rows, diagnostics);
        runner_unlock(run->runner);
        runner_task_progress(thread, 1);
        if (!status && atomic_load(thread->cancel))
            status = STATUS_CANCELLED;
    }
    free(points);
    free(composed);
    free(area);
    return status;
}

/* What is there of a workload, at one moment; the bitmaps are copies. */
struct moment {
    struct plan_there there;
    uint8_t *copies[PARTS_MAX];
    struct ended *early;
    size_t early_count;
};

static void moment_free(struct moment *moment)
{
    for (size_t p = 0; p < PARTS_MAX; p++)
        free(moment->copies[p]);
    free(moment->early);
}

/* Of part `fresh` (the driver: of none), only what the task brings is selected, because points of
 * its other settings have been composed before. Needs the lock. */
static enum status take_moment_locked(const struct run *run, const struct task *task,
                                      struct moment *moment)
{
    const struct gathered *gathered = &run->gathered[task->workload];
    for (size_t p = 0; p + 1 < run->plan->part_count; p++) {
        const size_t bytes = run->plan->parts[p].settings.count / 8 + 1;
        if (!gathered->missing && p != task->part)
            continue;
        uint8_t *copy = calloc(bytes, 1);
        if (!copy)
            return STATUS_MEMORY;
        moment->there.settings[p] = moment->copies[p] = copy;
        if (p != task->part)
            memcpy(copy, gathered->settings[p], bytes);
        for (size_t i = 0; p == task->part && i < task->count; i++)
            bit_set(copy, task->settings[i]);
    }
    if (task->part + 1 == run->plan->part_count)
        return STATUS_OK;
    moment->early = calloc(gathered->early_count + 1, sizeof *moment->early);
    if (!moment->early)
        return STATUS_MEMORY;
    for (; moment->early_count < gathered->early_count; moment->early_count++)
        moment->early[moment->early_count] = gathered->early[moment->early_count];
    return STATUS_OK;
}

/* Marks what the task brings and says what is there now. Takes over the metrics of a task of the
 * driver if tasks of other parts must still meet them. Needs the lock. */
static enum status gather_locked(struct run *run, const struct task *task, struct metrics **metrics,
                                 struct moment *moment)
{
    struct gathered *gathered = &run->gathered[task->workload];
    const bool driver = task->part + 1 == run->plan->part_count;
    if (driver && gathered->missing) {
        if (array_reserve(&gathered->early, &gathered->early_capacity, gathered->early_count + 1))
            return STATUS_MEMORY;
        gathered->early[gathered->early_count++] = (struct ended){task, *metrics};
        *metrics = NULL;
    } else if (!driver) {
        for (size_t i = 0; i < task->count; i++) {
            gathered->kept[task->part][task->settings[i]] = (*metrics)[i];
            bit_set(gathered->settings[task->part], task->settings[i]);
        }
        gathered->missing--;
    }
    return take_moment_locked(run, task, moment);
}

/* Simulates a task and stores the points that it completes. */
static enum status run_task(void *argument, struct runner_task *thread,
                            struct diagnostics *diagnostics)
{
    struct run *run = argument;
    const struct task *task = &run->plan->tasks[thread->number];
    struct metrics *metrics = calloc(task->count, sizeof *metrics), *own = metrics;
    struct moment moment = {0};
    enum status status =
        metrics ? simulate_task(run, thread, task, metrics, diagnostics) : STATUS_MEMORY;
    if (!status) {
        runner_lock(run->runner);
        status = gather_locked(run, task, &own, &moment);
        runner_unlock(run->runner);
    }
    if (!status && task->part + 1 == run->plan->part_count) {
        const struct ended ended = {task, metrics};
        status = finish_points(run, thread, &ended, &moment.there, diagnostics);
    }
    for (size_t i = 0; i < moment.early_count && !status; i++)
        status = finish_points(run, thread, &moment.early[i], &moment.there, diagnostics);
    moment_free(&moment);
    free(own);
    return status;
}

/* Seconds if the plan measured what passes cost; otherwise the planner's estimate. */
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

/* The driver's tasks also compose and store the points. How many points each has is not known yet,
 * so they are spread evenly over its settings. */
static enum status weigh_tasks(struct run *run)
{
    const struct plan *plan = run->plan;
    double total = 0, settings = 0, point = run->options->plan ? POINT_SECONDS : POINT_WORK;
    run->weights = calloc(plan->task_count + 1, sizeof *run->weights);
    if (!run->weights)
        return STATUS_MEMORY;
    for (size_t t = 0; t < plan->task_count; t++)
        settings += plan->tasks[t].part + 1 == plan->part_count ? (double)plan->tasks[t].count : 0;
    for (size_t t = 0; t < plan->task_count; t++) {
        const struct task *task = &plan->tasks[t];
        bool driver = task->part + 1 == plan->part_count;
        double points = driver ? (double)plan->missing * (double)task->count / settings : 0;
        run->weights[t] = (struct runner_weight){.work = task_work(run, task) + points * point,
                                                 .no_pass = task->remembered};
        total += run->weights[t].work;
        run->guard.progress.passes += !task->remembered;
    }
    run->predicted = run->options->plan ? total / run->setup.threads : NAN;
    return STATUS_OK;
}

static enum status allocate_parts(struct run *run)
{
    size_t workloads = run->setup.space.study->workload_count;
    const struct plan *plan = run->plan;
    run->gathered = calloc(workloads, sizeof *run->gathered);
    run->runner = runner_create(run->setup.threads);
    if (!run->gathered || !run->runner)
        return STATUS_MEMORY;
    for (size_t w = 0; w < workloads; w++)
        for (size_t p = 0; p + 1 < plan->part_count; p++) {
            struct gathered *gathered = &run->gathered[w];
            const size_t settings = plan->parts[p].settings.count;
            gathered->kept[p] = calloc(settings + 1, sizeof *gathered->kept[p]);
            gathered->settings[p] = calloc(settings / 8 + 1, 1);
            if (!gathered->kept[p] || !gathered->settings[p])
                return STATUS_MEMORY;
        }
    for (size_t t = 0; t < plan->task_count; t++)
        if (plan->tasks[t].part + 1 < plan->part_count)
            run->gathered[plan->tasks[t].workload].missing++;
    return weigh_tasks(run);
}

static enum status offer_resumed(void *argument, const struct store_row *row)
{
    struct run *run = argument;
    struct metrics metrics;
    metrics_clear(&metrics);
    for (size_t i = 0; i < run->setup.column_count; i++)
        metric_set(run->setup.columns[i], &metrics, row->values[i]);
    if (sweep_guard_stopped(&run->guard))
        return STATUS_CANCELLED;
    coverage_add(&run->coverage, row->point);
    return scoreboard_offer(run->board, row->point, &metrics, NULL, run->diagnostics);
}

/* Opens the store, merges the stores of earlier attempts into it, and reads what it has. */
static enum status open_store(struct run *run)
{
    struct sweep_setup *setup = &run->setup;
    run->done = calloc(setup->space.points / 8 + 1, 1);
    if (!run->done)
        return STATUS_MEMORY;
    enum status status = scoreboard_create(&setup->space, &run->board, run->diagnostics);
    if (!status)
        status = coverage_open(&setup->space, &setup->census, &run->coverage);
    const struct sweep_options *options = run->options;
    const struct store_options how = {.durable = options->durable,
                                      .shard = options->shard,
                                      .shards = options->shards,
                                      .summary = sweep_setup_summary(setup, options),
                                      .wait = wait_for_store,
                                      .wait_argument = run};
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
        status = store_done(run->store, run->done, &run->guard.progress.resumed, run->diagnostics);
    if (!status)
        status = sweep_setup_share(setup, options, run->done, &run->guard.progress.points);
    run->guard.progress.done = run->guard.progress.resumed;
    const struct query everything = {0};
    if (!status && run->guard.progress.resumed)
        status = store_query(run->store, &everything, offer_resumed, run, run->diagnostics);
    return status;
}

/* Between the plan of the options and the run somebody else may have put points into the store. */
static enum status take_plan(struct run *run)
{
    const struct sweep_plan *planned = run->options->plan;
    const size_t bytes = run->setup.space.points / 8 + 1;
    if (planned && planned->passes_planned && !memcmp(planned->done, run->done, bytes)) {
        run->plan = planned->passes_planned;
        return STATUS_OK;
    }
    enum status status = sweep_setup_plan(&run->setup, run->done, &run->own_plan);
    run->plan = run->own_plan;
    return status;
}

static void free_gathered(struct gathered *gathered)
{
    for (size_t p = 0; p < PARTS_MAX; p++) {
        free(gathered->kept[p]);
        free(gathered->settings[p]);
    }
    for (size_t i = 0; i < gathered->early_count; i++)
        free(gathered->early[i].metrics);
    free(gathered->early);
}

static void free_run(struct run *run)
{
    size_t workloads = run->setup.sources ? run->setup.space.study->workload_count : 0;
    for (size_t w = 0; run->gathered && w < workloads; w++)
        free_gathered(&run->gathered[w]);
    free(run->gathered);
    runner_free(run->runner);
    free(run->weights);
    store_close(run->store);
    scoreboard_free(run->board);
    coverage_close(&run->coverage);
    plan_free(run->own_plan);
    free(run->done);
    free(run->kept_rows);
    sweep_setup_close(&run->setup, run->diagnostics);
}

/* Commits, and records the end of the run as an event, however it ended. */
static enum status end_store(struct run *run, enum status status)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status committed = commit(run, &diagnostics);
    if (committed && (!status || status == STATUS_CANCELLED)) {
        status = committed;
        if (run->diagnostics)
            diagnostics_move(run->diagnostics, &diagnostics);
    }
    sweep_note_end(run->store, &run->guard, status);
    diagnostics_free(&diagnostics);
    return status;
}

static enum status run_everything(const struct study *study, const struct sweep_options *options,
                                  struct sweep_progress *result, struct diagnostics *diagnostics)
{
    struct run run = {.options = options, .diagnostics = diagnostics};
    sweep_guard_begin(&run.guard, options);
    enum status status = sweep_setup_open(study, options, &run.setup, diagnostics);
    if (!status)
        status = open_store(&run);
    if (!status)
        status = take_plan(&run);
    if (!status)
        status = allocate_parts(&run);
    if (!status)
        status = sweep_note_start(run.store, "", run.setup.threads, run.guard.progress.resumed,
                                  diagnostics);
    if (!status) {
        const struct runner_work work = {.count = run.plan->task_count,
                                         .weights = run.weights,
                                         .run = run_task,
                                         .tick = tick_locked,
                                         .argument = &run,
                                         .cancel = &run.guard.stop};
        run.guard.start = clock_seconds();
        report_locked(&run);
        status = end_store(&run, runner_run(run.runner, &work, diagnostics));
        report_locked(&run);
    }
    if (result)
        *result = run.guard.progress;
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
