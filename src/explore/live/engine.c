/* The engine's public calls, its sweep thread and its keeper thread (explore/live/engine.h). The
 * live thread is in engine_live.c. Every function here that touches the state takes the lock first,
 * and none works while it holds it. */
#include "explore/live/engine.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "explore/live/engine_state.h"
#include "explore/plan/stage_cache.h"
#include "model/area/area.h"

void engine_publish(struct engine *engine)
{
    /* Can only fail if the counter is full, and then the fd is readable already. */
    (void)!eventfd_write(engine->fd, 1);
}

void engine_forget_times(struct engine *engine)
{
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        engine->exact_seconds[depth] = -1;
}

void engine_describe(const struct diagnostics *diagnostics, enum status status,
                     char message[ENGINE_MESSAGE])
{
    const struct diagnostic *first = NULL;
    for (size_t i = 0; i < diagnostics->count && !first; i++)
        if (diagnostics->items[i].severity == SEVERITY_ERROR)
            first = &diagnostics->items[i];
    int used;
    if (!first)
        used = snprintf(message, ENGINE_MESSAGE, "%s", status_text(status));
    else if (!first->file)
        used = snprintf(message, ENGINE_MESSAGE, "%s", first->message);
    else if (!first->line)
        used = snprintf(message, ENGINE_MESSAGE, "%s: %s", first->file, first->message);
    else
        used = snprintf(message, ENGINE_MESSAGE, "%s:%u: %s", first->file, first->line,
                        first->message);
    if (diagnostics->errors > 1 && used > 0 && used < ENGINE_MESSAGE)
        snprintf(message + used, (size_t)(ENGINE_MESSAGE - used), " (and %zu more)",
                 diagnostics->errors - 1);
}

/* ---- the sweep thread -------------------------------------------------------------------------
 */

static void sweep_progressed(void *argument, const struct sweep_progress *progress)
{
    struct engine *engine = argument;
    pthread_mutex_lock(&engine->lock);
    engine->state.sweep.progress = *progress;
    engine_publish(engine);
    pthread_mutex_unlock(&engine->lock);
}

/* Runs the study. Expects the lock, and releases it while the sweep runs. */
static void run_sweep(struct engine *engine)
{
    char store[sizeof engine->state.sweep.store];
    memcpy(store, engine->state.sweep.store, sizeof store);
    pthread_mutex_unlock(&engine->lock);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char *cache = stage_cache_path();
    struct sweep_options options = {.store = store,
                                    .cache = cache,
                                    .threads = engine->threads,
                                    .cancel = &engine->cancel_sweep,
                                    .progress = sweep_progressed,
                                    .argument = engine};
    struct sweep_progress result = {0};
    enum status status = sweep_run(&engine->study, &options, &result, &diagnostics);
    free(cache);
    pthread_mutex_lock(&engine->lock);
    struct engine_sweep *sweep = &engine->state.sweep;
    sweep->stopped = status == STATUS_CANCELLED;
    if (!status || sweep->stopped) {
        sweep->state = ENGINE_DONE;
        sweep->progress = result;
    } else {
        sweep->state = ENGINE_FAILED;
        engine_describe(&diagnostics, status, sweep->message);
    }
    diagnostics_free(&diagnostics);
}

static void *engine_sweeper(void *argument)
{
    struct engine *engine = argument;
    /* On Linux each thread has its own nice value, and the OpenMP workers started from this thread
     * inherit it. If it cannot be set, the sweep runs anyway. */
    (void)!setpriority(PRIO_PROCESS, (id_t)gettid(), 10);
    pthread_mutex_lock(&engine->lock);
    for (;;) {
        while (!engine->quit && !engine->sweeping)
            pthread_cond_wait(&engine->sweep_wake, &engine->lock);
        if (engine->quit)
            break;
        run_sweep(engine);
        study_free(&engine->study);
        engine->sweeping = false;
        engine_publish(engine);
    }
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

enum status engine_start_sweep(struct engine *engine, const struct study *study, const char *store)
{
    struct engine_sweep *sweep = &engine->state.sweep;
    if (strlen(store) >= sizeof sweep->store)
        return STATUS_INVALID;
    pthread_mutex_lock(&engine->lock);
    enum status status = engine->sweeping ? STATUS_CONFLICT : study_copy(study, &engine->study);
    if (!status) {
        memset(sweep, 0, sizeof *sweep);
        sweep->state = ENGINE_RUNNING;
        snprintf(sweep->store, sizeof sweep->store, "%s", store);
        engine->sweeping = true;
        atomic_store(&engine->cancel_sweep, false);
        pthread_cond_signal(&engine->sweep_wake);
        engine_publish(engine);
    }
    pthread_mutex_unlock(&engine->lock);
    return status;
}

void engine_stop_sweep(struct engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    if (engine->sweeping)
        atomic_store(&engine->cancel_sweep, true);
    pthread_mutex_unlock(&engine->lock);
}

/* ---- questions to the live thread -------------------------------------------------------------
 */

/* Gives a question a new turn. `interrupt` cancels what the live thread is doing, because that is
 * out of date or less urgent. */
static void engine_ask(struct engine *engine, struct question *question, bool interrupt)
{
    question->asked = ++engine->turns;
    question->since = clock_seconds();
    if (interrupt)
        atomic_store(&engine->cancel_live, true);
    pthread_cond_signal(&engine->live_wake);
    engine_publish(engine);
}

bool engine_lingers(const struct engine *engine)
{
    return engine->evaluating > engine->subject && clock_seconds() < engine->linger_until;
}

/* The keeper thread: cancels a superseded evaluation when its time is up. The evaluation cannot do
 * that itself, because not every model reports progress often enough. */
static void *engine_keeper(void *argument)
{
    struct engine *engine = argument;
    pthread_mutex_lock(&engine->lock);
    while (!engine->quit) {
        bool superseded = engine->evaluating && engine->evaluating != engine->evaluation.asked;
        if (superseded && engine_lingers(engine)) {
            double until = engine->linger_until;
            const struct timespec end = {(time_t)until, (long)(1e9 * (until - floor(until)))};
            pthread_cond_timedwait(&engine->keeper_wake, &engine->lock, &end);
            continue;
        }
        if (superseded)
            atomic_store(&engine->cancel_live, true);
        pthread_cond_wait(&engine->keeper_wake, &engine->lock);
    }
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

/* Saves values that the screen may not have shown yet, before the next machine replaces them. */
static void keep_earlier(struct engine *engine)
{
    const struct engine_evaluation *evaluation = &engine->state.evaluation;
    if (evaluation->state >= ENGINE_ESTIMATE && evaluation->state <= ENGINE_DONE)
        engine->state.earlier = *evaluation;
}

static void await_evaluation(struct engine *engine)
{
    struct engine_evaluation *evaluation = &engine->state.evaluation;
    evaluation->share = evaluation->seconds = evaluation->counted = 0;
    evaluation->depth = engine->depth;
    evaluation->message[0] = '\0';
    metrics_clear(&evaluation->metrics);
    metrics_clear(&evaluation->error);
    struct violation found[VIOLATION_MAX];
    if (machine_check(&evaluation->machine, found)) {
        evaluation->state = ENGINE_FAILED;
        evaluation->note_count = 0;
        snprintf(evaluation->message, sizeof evaluation->message, "%s: %s",
                 found[0].parameter->path, found[0].message);
        engine->evaluation.answered = engine->evaluation.asked;
        return;
    }
    evaluation->state = ENGINE_RUNNING;
    evaluation->note_count =
        evaluate_notes(&evaluation->machine, engine->depth, evaluation->notes, ENGINE_NOTES);
    area_evaluate(&evaluation->machine, &evaluation->metrics);
}

static void await_curve(struct engine *engine)
{
    struct engine_curve *curve = &engine->state.curve;
    curve->state = ENGINE_RUNNING;
    curve->follower = NULL;
    curve->count = 0;
    curve->message[0] = '\0';
}

static void await_detail(struct engine *engine)
{
    struct engine_detail *detail = &engine->state.detail;
    detail->state = ENGINE_RUNNING;
    detail->depth = engine->depth;
    detail->share = 0;
    detail->pc_count = 0;
    detail->message[0] = '\0';
}

/* Asks the last questions again, because the workload or the depth has changed. */
static void ask_again(struct engine *engine)
{
    engine->subject = engine->turns;
    engine->state.earlier = (struct engine_evaluation){0};
    if (engine->evaluation.asked) {
        engine_ask(engine, &engine->evaluation, true);
        await_evaluation(engine);
    }
    if (engine->detail.asked) {
        engine_ask(engine, &engine->detail, true);
        await_detail(engine);
    }
    if (engine->curve.asked) {
        engine_ask(engine, &engine->curve, true);
        await_curve(engine);
    }
}

uint64_t engine_evaluate(struct engine *engine, const struct machine *machine)
{
    pthread_mutex_lock(&engine->lock);
    uint64_t request = ++engine->requests;
    bool lingers = engine_lingers(engine);
    keep_earlier(engine);
    engine->state.evaluation.request = request;
    engine->state.evaluation.machine = *machine;
    engine_ask(engine, &engine->evaluation, !lingers);
    if (lingers)
        pthread_cond_signal(&engine->keeper_wake);
    await_evaluation(engine);
    pthread_mutex_unlock(&engine->lock);
    return request;
}

uint64_t engine_request_curve(struct engine *engine, const struct machine *machine,
                              const struct parameter *parameter, const struct metric *metric)
{
    pthread_mutex_lock(&engine->lock);
    uint64_t request = ++engine->requests;
    engine->curve_machine = *machine;
    engine->state.curve.request = request;
    engine->state.curve.parameter = parameter;
    engine->state.curve.metric = metric;
    /* Do not interrupt a running evaluation; the curve comes after it. */
    engine_ask(engine, &engine->curve, engine->evaluation.asked == engine->evaluation.answered);
    await_curve(engine);
    pthread_mutex_unlock(&engine->lock);
    return request;
}

uint64_t engine_request_detail(struct engine *engine, const struct machine *machine)
{
    pthread_mutex_lock(&engine->lock);
    uint64_t request = ++engine->requests;
    engine->detail_machine = *machine;
    engine->state.detail.request = request;
    engine_ask(engine, &engine->detail, engine->evaluation.asked == engine->evaluation.answered);
    await_detail(engine);
    pthread_mutex_unlock(&engine->lock);
    return request;
}

void engine_set_depth(struct engine *engine, enum depth depth)
{
    pthread_mutex_lock(&engine->lock);
    if (engine->depth != depth) {
        engine->depth = depth;
        ask_again(engine);
    }
    pthread_mutex_unlock(&engine->lock);
}

void engine_set_assumed(struct engine *engine, enum assumed_dependences assumed)
{
    pthread_mutex_lock(&engine->lock);
    engine->assumed = assumed;
    pthread_mutex_unlock(&engine->lock);
}

void engine_set_workload(struct engine *engine, const char *workload)
{
    pthread_mutex_lock(&engine->lock);
    struct engine_snapshot *state = &engine->state;
    snprintf(state->workload, sizeof state->workload, "%s", workload);
    state->provenance[0] = state->workload_message[0] = '\0';
    state->launches = 0;
    state->workload_state = ENGINE_RUNNING;
    engine_ask(engine, &engine->workload, true);
    ask_again(engine);
    pthread_mutex_unlock(&engine->lock);
}

enum status engine_launches(struct engine *engine, struct trace_launch **launches, uint32_t *count)
{
    enum status status = STATUS_NOT_FOUND;
    pthread_mutex_lock(&engine->lock);
    if (engine->state.workload_state == ENGINE_DONE) {
        *count = engine->launches ? engine->state.launches : 0;
        *launches = engine->launches ? launches_copy(engine->launches, *count) : NULL;
        status = *launches ? STATUS_OK : STATUS_MEMORY;
    }
    pthread_mutex_unlock(&engine->lock);
    return status;
}

/* ---- life -------------------------------------------------------------------------------------
 */

int engine_fd(const struct engine *engine)
{
    return engine->fd;
}

void engine_snapshot(struct engine *engine, struct engine_snapshot *snapshot)
{
    pthread_mutex_lock(&engine->lock);
    eventfd_t rings;
    (void)!eventfd_read(engine->fd, &rings);
    *snapshot = engine->state;
    pthread_mutex_unlock(&engine->lock);
}

/* Tells all threads to return. */
static void engine_end(struct engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    engine->quit = true;
    atomic_store(&engine->cancel_live, true);
    atomic_store(&engine->cancel_sweep, true);
    pthread_cond_broadcast(&engine->live_wake);
    pthread_cond_broadcast(&engine->sweep_wake);
    pthread_cond_broadcast(&engine->keeper_wake);
    pthread_mutex_unlock(&engine->lock);
}

/* Starts the threads with all signals blocked, so that signals go to the main thread. Threads that
 * OpenMP starts from them inherit the mask. */
static enum status start_threads(struct engine *engine)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const struct {
        pthread_t *thread;
        void *(*function)(void *engine);
    } threads[] = {{&engine->live, engine_live},
                   {&engine->sweeper, engine_sweeper},
                   {&engine->keeper, engine_keeper}};
    size_t started = 0;
    int failed = 0;
    for (; started < sizeof threads / sizeof *threads; started++) {
        failed = pthread_create(threads[started].thread, NULL, threads[started].function, engine);
        if (failed)
            break;
    }
    if (failed) {
        engine_end(engine);
        while (started--)
            pthread_join(*threads[started].thread, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? STATUS_MEMORY : STATUS_OK;
}

static void engine_release(struct engine *engine)
{
    pthread_mutex_destroy(&engine->lock);
    pthread_cond_destroy(&engine->live_wake);
    pthread_cond_destroy(&engine->sweep_wake);
    pthread_cond_destroy(&engine->keeper_wake);
    close(engine->fd);
    live_answers_free(engine->answers);
    study_free(&engine->study);
    free(engine->launches);
    free(engine);
}

enum status engine_create(int threads, struct engine **result)
{
    *result = NULL;
    struct engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return STATUS_MEMORY;
    engine->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (engine->fd < 0) {
        free(engine);
        return STATUS_IO;
    }
    if (live_answers_create(threads, 0, &engine->answers)) {
        close(engine->fd);
        free(engine);
        return STATUS_MEMORY;
    }
    engine->threads = threads;
    engine->live_threads = threads > 0 ? threads : omp_get_num_procs();
    engine_forget_times(engine);
    pthread_mutex_init(&engine->lock, NULL);
    pthread_cond_init(&engine->live_wake, NULL);
    pthread_cond_init(&engine->sweep_wake, NULL);
    pthread_condattr_t monotonic; /* the clock of clock_seconds */
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&engine->keeper_wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    metrics_clear(&engine->state.evaluation.metrics);
    metrics_clear(&engine->state.evaluation.error);
    enum status status = start_threads(engine);
    if (status) {
        engine_release(engine);
        return status;
    }
    *result = engine;
    return STATUS_OK;
}

void engine_free(struct engine *engine)
{
    if (!engine)
        return;
    engine_end(engine);
    pthread_join(engine->live, NULL);
    pthread_join(engine->sweeper, NULL);
    pthread_join(engine->keeper, NULL);
    engine_release(engine);
}
