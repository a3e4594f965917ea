/* The engine's live thread: opens workloads, evaluates the machine under the cursor, and computes
 * details and curves. It answers one question at a time, in the order workload, evaluation, detail,
 * curve. A question cancelled by a more urgent one stays open and is answered later. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "explore/live/engine_job.h"
#include "explore/sweep/curve.h"
#include "model/area/area.h"
#include "model/reuse/reuse.h"
#include "workload/workload.h"

bool job_lock(const struct job *job)
{
    pthread_mutex_lock(&job->engine->lock);
    if (job->question->asked == job->turn && !job->engine->quit)
        return true;
    pthread_mutex_unlock(&job->engine->lock);
    return false;
}

void job_unlock(const struct job *job)
{
    engine_publish(job->engine);
    pthread_mutex_unlock(&job->engine->lock);
}

/* ---- workload ---------------------------------------------------------------------------------
 */

static void open_workload(const struct job *job, const char *text, enum assumed_dependences assumed)
{
    struct engine *engine = job->engine;
    live_answers_forget(engine->answers);
    detail_results_free(&engine->run);
    trace_source_free(engine->source);
    engine->source = NULL;
    engine_forget_times(engine);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    enum status status = workload_open_assumed(text, assumed, &source, &diagnostics);
    engine->source = status ? NULL : source;
    struct trace_launch *launches =
        status ? NULL : launches_copy(source->launches, source->launch_count);
    if (job_lock(job)) {
        struct engine_snapshot *state = &engine->state;
        job->question->answered = job->turn;
        state->workload_state = status ? ENGINE_FAILED : ENGINE_DONE;
        if (status) {
            engine_describe(&diagnostics, status, state->workload_message);
        } else {
            state->launches = source->launch_count;
            free(engine->launches);
            engine->launches = launches;
            launches = NULL;
            snprintf(state->provenance, sizeof state->provenance, "%s", source->provenance);
        }
        job_unlock(job);
    }
    free(launches);
    diagnostics_free(&diagnostics);
}

/* ---- curve ------------------------------------------------------------------------------------
 */

struct curve_job {
    struct job job;
    struct machine machine;
    const struct parameter *parameter, *follower;
    const struct metric *metric;
    struct value values[CURVE_POINTS];
    double y[CURVE_POINTS], error[CURVE_POINTS];
    size_t count;
    size_t unknown[CURVE_POINTS]; /* indices of points that are not remembered */
    size_t unknown_count;
};

static void publish_curve(const struct curve_job *curve, enum engine_state state)
{
    if (!job_lock(&curve->job))
        return;
    struct engine_curve *shown = &curve->job.engine->state.curve;
    shown->state = state;
    shown->follower = curve->follower;
    shown->count = curve->count;
    memcpy(shown->values, curve->values, sizeof shown->values);
    memcpy(shown->y, curve->y, sizeof shown->y);
    memcpy(shown->error, curve->error, sizeof shown->error);
    if (state == ENGINE_DONE)
        curve->job.question->answered = curve->job.turn;
    job_unlock(&curve->job);
}

static void fail_curve(const struct curve_job *curve, const char *message)
{
    if (!job_lock(&curve->job))
        return;
    struct engine_curve *shown = &curve->job.engine->state.curve;
    shown->state = ENGINE_FAILED;
    snprintf(shown->message, sizeof shown->message, "%s", message);
    curve->job.question->answered = curve->job.turn;
    job_unlock(&curve->job);
}

static struct machine curve_machine(const struct curve_job *curve, size_t point)
{
    struct machine machine = curve->machine;
    curve_set(&machine, curve->parameter, curve->follower, curve->values[point]);
    return machine;
}

static void area_curve(struct curve_job *curve)
{
    for (size_t i = 0; i < curve->count; i++) {
        struct machine machine = curve_machine(curve, i);
        struct metrics metrics;
        metrics_clear(&metrics);
        area_evaluate(&machine, &metrics);
        curve->y[i] = metric_get(curve->metric, &metrics);
    }
    publish_curve(curve, ENGINE_DONE);
}

/* Fills in the points that are remembered. */
static void recall_curve(struct curve_job *curve, unsigned needs)
{
    struct engine *engine = curve->job.engine;
    for (size_t i = 0; i < curve->count; i++) {
        struct machine machine = curve_machine(curve, i);
        struct metrics metrics;
        if (live_answers_recall(engine->answers, &machine, engine->source, curve->job.depth,
                                metric_stages(curve->metric), needs, &metrics))
            curve->y[i] = metric_get(curve->metric, &metrics);
        else
            curve->unknown[curve->unknown_count++] = i;
    }
}

/* Estimates the unknown points one by one and publishes each at once. Stops if the source is too
 * small to sample; the exact pass then covers all points together. *shown tells whether every point
 * has an estimate. */
static enum status estimate_curve(struct curve_job *curve, const struct evaluate_options *options,
                                  bool *shown, struct diagnostics *diagnostics)
{
    struct engine *engine = curve->job.engine;
    *shown = false;
    if (!depth_can(options->depth, DEPTH_SAMPLED) || !curve->unknown_count)
        return STATUS_OK;
    struct machine first = curve_machine(curve, curve->unknown[0]);
    if (evaluation_is_quick(engine, &first, options->depth,
                            options->needs)) /* exact points come as soon */
        return STATUS_OK;
    for (size_t u = 0; u < curve->unknown_count; u++) {
        size_t i = curve->unknown[u];
        struct machine machine = curve_machine(curve, i);
        struct metrics metrics, error;
        bool exact = false;
        enum status status = evaluate_sampled(&machine, engine->source, FIRST_SHARE, options,
                                              &metrics, &error, &exact, diagnostics);
        if (status || exact)
            return status;
        curve->y[i] = metric_get(curve->metric, &metrics);
        curve->error[i] = metric_get(curve->metric, &error);
        publish_curve(curve, ENGINE_ESTIMATE);
    }
    *shown = true;
    return STATUS_OK;
}

/* Computes the points in `unknown[first ..]` together and keeps them. */
static enum status whole_points(struct curve_job *curve, size_t first, size_t count,
                                const struct evaluate_options *options,
                                struct diagnostics *diagnostics)
{
    struct engine *engine = curve->job.engine;
    struct metrics *metrics = calloc(CURVE_POINTS, sizeof *metrics);
    struct value values[CURVE_POINTS];
    if (!metrics)
        return STATUS_MEMORY;
    for (size_t u = 0; u < count; u++)
        values[u] = curve->values[curve->unknown[first + u]];
    const enum status status =
        curve_run(&curve->machine, curve->parameter, curve->follower, values, count, engine->source,
                  options, engine->threads, metrics, diagnostics);
    for (size_t u = 0; u < count && !status; u++) {
        const size_t i = curve->unknown[first + u];
        struct machine machine = curve_machine(curve, i);
        curve->y[i] = metric_get(curve->metric, &metrics[u]);
        curve->error[i] = 0;
        live_answers_keep(engine->answers, &machine, engine->source, options, &metrics[u]);
    }
    free(metrics);
    return status;
}

/* Computes the points at a depth that is not factored: all together if they share loads that are
 * kept, else as many at a time as there are threads, so that a more urgent question costs little.
 */
static enum status whole_curve(struct curve_job *curve, const struct evaluate_options *options,
                               struct diagnostics *diagnostics)
{
    struct engine *engine = curve->job.engine;
    struct evaluate_options how = *options;
    size_t step = curve->unknown_count;
    enum status status = STATUS_OK;
    if (curve->unknown_count && depth_can(options->depth, DEPTH_DISTANCES))
        status = live_answers_loads(engine->answers, &curve->machine, engine->source, options,
                                    &how.loads, diagnostics);
    else if (curve->unknown_count)
        step = (size_t)engine->live_threads;
    for (size_t u = 0; u < curve->unknown_count && !status; u += step) {
        const size_t left = curve->unknown_count - u;
        status = whole_points(curve, u, left < step ? left : step, &how, diagnostics);
        if (!status && left > step)
            publish_curve(curve, ENGINE_ESTIMATE);
    }
    if (!status)
        publish_curve(curve, ENGINE_DONE);
    return status;
}

/* Computes the points one by one. Each is published and remembered at once, so a more urgent
 * question that interrupts the curve costs nothing that was found. */
static enum status exact_curve(struct curve_job *curve, const struct evaluate_options *options,
                               struct diagnostics *diagnostics)
{
    struct engine *engine = curve->job.engine;
    enum status status = STATUS_OK;
    if (!depth_can(options->depth, DEPTH_FACTORED))
        return whole_curve(curve, options, diagnostics);
    for (size_t u = 0; u < curve->unknown_count && !status; u++) {
        size_t i = curve->unknown[u];
        struct machine machine = curve_machine(curve, i);
        struct metrics metrics;
        status = live_answers_evaluate_stage(engine->answers, &machine, engine->source,
                                             metric_stages(curve->metric), options, &metrics,
                                             diagnostics);
        if (status)
            return status;
        curve->y[i] = metric_get(curve->metric, &metrics);
        curve->error[i] = 0;
        publish_curve(curve, ENGINE_ESTIMATE);
    }
    publish_curve(curve, ENGINE_DONE);
    return STATUS_OK;
}

/* Answers from what is cheapest: area without a workload, then remembered points, then estimates,
 * then exact points. */
static void answer_curve(struct curve_job *curve)
{
    struct engine *engine = curve->job.engine;
    curve->follower = curve_follower(&curve->machine, curve->parameter);
    curve->count =
        curve_values(&curve->machine, curve->parameter, curve->follower, curve->parameter->min,
                     curve->parameter->max, curve->values, CURVE_POINTS);
    for (size_t i = 0; i < CURVE_POINTS; i++)
        curve->y[i] = NAN;
    if (!curve->count) {
        fail_curve(curve, "no value of this parameter is legal here");
        return;
    }
    if (curve->metric->stage == STAGE_AREA) {
        area_curve(curve);
        return;
    }
    if (!engine->source) {
        fail_curve(curve, "there is no workload");
        return;
    }
    if (!metric_answered(curve->metric, curve->job.depth)) {
        char message[ENGINE_MESSAGE], why[METRIC_UNANSWERED];
        snprintf(message, sizeof message, "%s %s: m chooses another", curve->metric->path,
                 metric_unanswered(curve->metric, curve->job.depth, why));
        fail_curve(curve, message);
        return;
    }
    recall_curve(curve, metric_needs(curve->metric));
    publish_curve(curve, ENGINE_RUNNING);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct evaluate_options options = {.depth = curve->job.depth,
                                       .needs = metric_needs(curve->metric),
                                       .cancel = &engine->cancel_live};
    bool shown;
    struct evaluate_options alone = options; /* an estimate is one machine, its threads share it */
    alone.threads = engine->live_threads;
    enum status status = estimate_curve(curve, &alone, &shown, &diagnostics);
    if (!status)
        status = exact_curve(curve, &options, &diagnostics);
    if (status && status != STATUS_CANCELLED) {
        char message[ENGINE_MESSAGE];
        engine_describe(&diagnostics, status, message);
        fail_curve(curve, message);
    }
    diagnostics_free(&diagnostics);
}

/* ---- detail -----------------------------------------------------------------------------------
 */

static void detail_progressed(void *argument, double share)
{
    const struct job *job = argument;
    if (!job_lock(job))
        return;
    job->engine->state.detail.share = share;
    job_unlock(job);
}

void detail_results_free(struct detail_results *results)
{
    reuse_histogram_free(&results->histogram);
    pc_table_free(&results->pcs);
    timing_log_free(&results->log);
    *results = (struct detail_results){0};
}

/* Publishes what the run has counted so far, while it goes on. */
static void watch_detail(void *context, struct pc_table *so_far)
{
    const struct job *job = context;
    pc_table_sort(so_far);
    if (!job_lock(job))
        return;
    engine_show_pcs(so_far, &job->engine->state.detail);
    job_unlock(job);
}

static void publish_detail(const struct job *job, const struct machine *machine,
                           struct detail_results *results)
{
    const struct timing_parts *times = &results->log.times;
    pc_table_sort(&results->pcs);
    if (!job_lock(job))
        return;
    struct engine_detail *detail = &job->engine->state.detail;
    detail->time_count = times->count < DETAIL_TIMES ? times->count : DETAIL_TIMES;
    if (detail->time_count)
        memcpy(detail->times, times->items, detail->time_count * sizeof *times->items);
    reuse_bins_fill(&results->histogram, reuse_hit_below(machine), &detail->bins);
    detail->classes =
        !depth_can(job->depth, DEPTH_DISTANCES) || machine->l1d.reuse.mode != REUSE_PUBLISHED;
    engine_list_pcs(&results->pcs, detail);
    detail->state = ENGINE_DONE;
    detail->share = 1;
    job->question->answered = job->turn;
    job_unlock(job);
}

static void fail_detail(const struct job *job, const char *message)
{
    if (!job_lock(job))
        return;
    job->engine->state.detail.state = ENGINE_FAILED;
    snprintf(job->engine->state.detail.message, ENGINE_MESSAGE, "%s", message);
    job->question->answered = job->turn;
    job_unlock(job);
}

static void answer_detail(struct job *job, const struct machine *machine)
{
    struct engine *engine = job->engine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct detail_results results = {.log = {.intervals = DETAIL_TIMES}};
    struct violation found[VIOLATION_MAX];
    const struct evaluate_options options = {
        .depth = job->depth,
        .needs = NEED_CLASSES(STAGE_L1D),
        .pcs = &results.pcs,
        .watched = watch_detail,
        .watched_context = job,
        .histogram = depth_can(job->depth, DEPTH_DISTANCES) ? &results.histogram : NULL,
        .log = depth_can(job->depth, DEPTH_TIMED) ? &results.log : NULL,
        .progress = detail_progressed,
        .argument = job,
        .threads = engine->live_threads,
        .cancel = &engine->cancel_live};
    if (!engine->source || machine_check(machine, found)) {
        fail_detail(job, engine->source ? found[0].message : "there is no workload");
        return;
    }
    if (depth_can(job->depth, DEPTH_TIMED) && engine->run.log.times.count &&
        machine_same(machine, &engine->run_machine, ~0u)) {
        publish_detail(job, machine, &engine->run);
        return;
    }
    enum status status =
        live_answers_detail(engine->answers, machine, engine->source, &options, &diagnostics);
    if (!status) {
        publish_detail(job, machine, &results);
    } else if (status != STATUS_CANCELLED) {
        char message[ENGINE_MESSAGE];
        engine_describe(&diagnostics, status, message);
        fail_detail(job, message);
    }
    detail_results_free(&results);
    diagnostics_free(&diagnostics);
}

/* ---- the thread -------------------------------------------------------------------------------
 */

/* Picks the most urgent question that can be answered now. Only a curve of area needs no workload;
 * if none was ever set, the other questions wait for it. */
static struct question *next_question(struct engine *engine)
{
    if (engine->workload.asked != engine->workload.answered)
        return &engine->workload;
    bool ready = engine->workload.asked;
    if (ready && engine->evaluation.asked != engine->evaluation.answered)
        return &engine->evaluation;
    if (ready && engine->detail.asked != engine->detail.answered)
        return &engine->detail;
    bool area = engine->state.curve.metric && engine->state.curve.metric->stage == STAGE_AREA;
    if ((ready || area) && engine->curve.asked != engine->curve.answered)
        return &engine->curve;
    return NULL;
}

/* Copies what the question is about, then answers it with the lock released. */
static void answer(struct engine *engine, struct question *question)
{
    struct job job = {engine, question, question->asked, engine->depth};
    atomic_store(&engine->cancel_live, false);
    engine->evaluating = question == &engine->evaluation ? job.turn : 0;
    engine->linger_until = clock_seconds() + depth_table[job.depth].linger;
    if (question == &engine->workload) {
        char text[sizeof engine->state.workload];
        memcpy(text, engine->state.workload, sizeof text);
        const enum assumed_dependences assumed = engine->assumed;
        pthread_mutex_unlock(&engine->lock);
        open_workload(&job, text, assumed);
    } else if (question == &engine->evaluation) {
        struct evaluation_job evaluation = {
            .job = job, .since = question->since, .own = engine->state.evaluation};
        pthread_mutex_unlock(&engine->lock);
        answer_evaluation(&evaluation);
    } else if (question == &engine->detail) {
        struct machine machine = engine->detail_machine;
        pthread_mutex_unlock(&engine->lock);
        answer_detail(&job, &machine);
    } else {
        struct curve_job curve = {.job = job,
                                  .machine = engine->curve_machine,
                                  .parameter = engine->state.curve.parameter,
                                  .metric = engine->state.curve.metric};
        pthread_mutex_unlock(&engine->lock);
        answer_curve(&curve);
    }
    pthread_mutex_lock(&engine->lock);
    engine->evaluating = 0;
}

/* Returns freed memory to the system while nobody asks. The C library keeps freed streams in each
 * thread's arena; after stepping through the parameters on GEMM that is as much memory as is in
 * use. */
static void give_back_memory(struct engine *engine)
{
    pthread_mutex_unlock(&engine->lock);
    malloc_trim(0);
    pthread_mutex_lock(&engine->lock);
}

void *engine_live(void *argument)
{
    struct engine *engine = argument;
    bool worked = false; /* since give_back_memory */
    pthread_mutex_lock(&engine->lock);
    while (!engine->quit) {
        struct question *question = next_question(engine);
        if (question) {
            answer(engine, question);
            worked = true;
        } else if (engine_look_ahead(engine)) {
            worked = true;
        } else if (worked) {
            give_back_memory(engine);
            worked = false;
        } else {
            pthread_cond_wait(&engine->live_wake, &engine->lock);
        }
    }
    pthread_mutex_unlock(&engine->lock);
    detail_results_free(&engine->run);
    trace_source_free(engine->source);
    return NULL;
}
