#include "explore/plan/runner.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

struct runner {
    int threads, each; /* each: those of one pass */
    struct pass_pool *pool;
    atomic_size_t next; /* task */
    atomic_bool stop;   /* no thread takes another task: a failure, or cancelled */

    /* Protects everything below and the state of the run's owner. It is a mutex and not an OpenMP
     * critical section because LLVM's runtime frees the locks of critical sections once every
     * thread that used OpenMP has ended, which the engine's threads do, and then crashes in the
     * next one. */
    pthread_mutex_t lock;
    const struct runner_work *work;
    struct diagnostics *diagnostics;
    enum status status; /* the first failure */
    struct runner_progress progress;
    size_t ended;       /* tasks */
    double total, done; /* work */
    double *running;    /* by thread: the work its task has done */
};

struct runner *runner_create(int threads)
{
    struct runner *runner = calloc(1, sizeof *runner);
    if (!runner)
        return NULL;
    runner->threads = threads;
    runner->pool = pass_pool_create();
    runner->running = calloc((size_t)threads, sizeof *runner->running);
    pthread_mutex_init(&runner->lock, NULL);
    if (runner->pool && runner->running)
        return runner;
    runner_free(runner);
    return NULL;
}

void runner_free(struct runner *runner)
{
    if (!runner)
        return;
    pass_pool_free(runner->pool);
    free(runner->running);
    pthread_mutex_destroy(&runner->lock);
    free(runner);
}

void runner_lock(struct runner *runner)
{
    pthread_mutex_lock(&runner->lock);
}

void runner_unlock(struct runner *runner)
{
    pthread_mutex_unlock(&runner->lock);
}

/* Stops the run and keeps the first reason. Needs the lock. */
static void fail_locked(struct runner *runner, enum status status, struct diagnostics *diagnostics)
{
    if (!runner->status) {
        runner->status = status;
        if (diagnostics && runner->diagnostics)
            diagnostics_move(runner->diagnostics, diagnostics);
    }
    atomic_store(&runner->stop, true);
}

static double share_locked(const struct runner *runner)
{
    double done = runner->done;
    for (int i = 0; i < runner->threads; i++)
        done += runner->running[i];
    return done < runner->total ? done / runner->total : 1;
}

/* Reports to the owner first and then checks `cancel`, because the owner may set it while it
 * handles the report. A run whose last task has ended is complete and cannot be cancelled. Needs
 * the lock. */
static void tick_locked(struct runner *runner)
{
    const struct runner_work *work = runner->work;
    runner->progress.share = share_locked(runner);
    if (work->tick)
        work->tick(work->argument, &runner->progress);
    bool cancelled = work->cancel && atomic_load(work->cancel);
    if (cancelled && runner->ended < work->count && !atomic_load(&runner->stop))
        fail_locked(runner, STATUS_CANCELLED, NULL);
}

void runner_task_progress(void *argument, double share)
{
    const struct runner_task *task = argument;
    struct runner *runner = task->runner;
    runner_lock(runner);
    runner->running[task->thread] = share * runner->work->weights[task->number].work;
    tick_locked(runner);
    runner_unlock(runner);
}

/* The progress counters change under the lock on both sides of the task; the task itself runs
 * without it. */
static void run_task(struct runner *runner, size_t number, int thread)
{
    const struct runner_weight *weight = &runner->work->weights[number];
    struct runner_task task = {.pool = runner->pool,
                               .cancel = &runner->stop,
                               .threads = runner->each,
                               .runner = runner,
                               .number = number,
                               .thread = thread};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    runner_lock(runner);
    runner->progress.passes_running += !weight->no_pass;
    runner_unlock(runner);
    enum status status = runner->work->run(runner->work->argument, &task, &diagnostics);
    runner_lock(runner);
    runner->ended++;
    runner->running[thread] = 0;
    runner->done += status ? 0 : weight->work;
    runner->progress.passes_running -= !weight->no_pass;
    runner->progress.passes_done += !weight->no_pass && !status;
    if (status)
        fail_locked(runner, status, &diagnostics);
    tick_locked(runner);
    runner_unlock(runner);
    diagnostics_free(&diagnostics);
}

enum status runner_run(struct runner *runner, const struct runner_work *work,
                       struct diagnostics *diagnostics)
{
    runner->work = work;
    runner->diagnostics = diagnostics;
    runner->status = STATUS_OK;
    runner->progress = (struct runner_progress){0};
    runner->total = runner->done = 0;
    runner->ended = 0;
    for (size_t i = 0; i < work->count; i++) {
        runner->total += work->weights[i].work;
        runner->progress.passes += !work->weights[i].no_pass;
    }
    const size_t passes = runner->progress.passes, threads = (size_t)runner->threads;
    runner->each = passes && passes < threads ? (int)(threads / passes) : 1;
    atomic_store(&runner->next, 0);
    atomic_store(&runner->stop, false);
    const int levels = omp_get_max_active_levels();
    if (runner->each > 1)
        omp_set_max_active_levels(levels < 2 ? 2 : levels); /* passes have threads of their own */
        /* Every thread joins the pool before any is done, so that all can help with the last
         * passes. */
#pragma omp parallel num_threads(runner->threads)
    {
        size_t task;
        pass_pool_join(runner->pool);
#pragma omp barrier
        while (!atomic_load(&runner->stop) &&
               (task = atomic_fetch_add(&runner->next, 1)) < work->count)
            run_task(runner, task, omp_get_thread_num());
        pass_pool_done(runner->pool);
    }
    omp_set_max_active_levels(levels);
    return runner->status;
}
