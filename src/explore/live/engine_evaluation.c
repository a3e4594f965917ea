/* Answers an evaluation in up to three steps: an estimate, exact counts, and everything that a
 * report says. Each step is published, even for a machine that the user has left meanwhile
 * (engine_lingers). */
#include <stdio.h>

#include "base/clock.h"
#include "explore/live/engine_job.h"

/* An evaluation that takes less than this needs no estimate first. */
#define QUICK_SECONDS 0.15
/* Neither does one that replays fewer requests than this from memory. */
#define QUICK_REQUESTS 16000000
/* Classes of misses that need fewer requests than this are computed together with the counts. */
#define ONE_STEP_REQUESTS 100000
/* If the first estimate took longer than this, a better one follows before the exact run, unless
 * that took less than so many times as long before. */
#define SLOW_ESTIMATE_SECONDS 0.3
#define SLOW_EXACT_TIMES      10

static const double estimate_shares[] = {FIRST_SHARE, 0.10};
enum { ESTIMATES = sizeof estimate_shares / sizeof *estimate_shares };

/* Like job_lock, but also succeeds if the question has been asked for another machine since (not
 * for another workload or depth). *slot is where the answer belongs then. */
static bool evaluation_lock(const struct evaluation_job *evaluation,
                            struct engine_evaluation **slot)
{
    struct engine *engine = evaluation->job.engine;
    pthread_mutex_lock(&engine->lock);
    bool newest = evaluation->job.question->asked == evaluation->job.turn;
    *slot = newest ? &engine->state.evaluation : &engine->state.earlier;
    if (evaluation->job.turn > engine->subject && !engine->quit)
        return true;
    pthread_mutex_unlock(&engine->lock);
    return false;
}

static void evaluation_progressed(void *argument, double share)
{
    const struct evaluation_job *evaluation = argument;
    if (!job_lock(&evaluation->job))
        return;
    evaluation->job.engine->state.evaluation.share = share;
    job_unlock(&evaluation->job);
}

/* Whether a superseded evaluation should go on after this state. Not after the counts; and not
 * after an estimate if the counts would come too late. */
static bool worth_lingering(const struct evaluation_job *evaluation, enum engine_state state)
{
    return state == ENGINE_ESTIMATE && !evaluation->late;
}

/* Publishes a step where it belongs: as the evaluation, or as `earlier` if another machine was
 * asked for meanwhile. In the second case the live thread is cancelled once lingering is over. */
static void publish_evaluation(struct evaluation_job *evaluation, enum engine_state state,
                               const struct metrics *metrics, const struct metrics *error)
{
    struct engine *engine = evaluation->job.engine;
    struct engine_evaluation *own = &evaluation->own, *slot;
    if (!evaluation_lock(evaluation, &slot))
        return;
    own->state = state;
    own->metrics = *metrics;
    own->error = *error;
    own->share = state == ENGINE_DONE ? 1 : 0;
    own->seconds = clock_seconds() - evaluation->since;
    if (state >= ENGINE_COUNTED && !own->counted)
        own->counted = own->seconds;
    *slot = *own;
    if (!worth_lingering(evaluation, state))
        engine->linger_until = 0;
    if (slot == &engine->state.earlier && !engine_lingers(engine))
        atomic_store(&engine->cancel_live, true);
    else if (slot == &engine->state.evaluation && state == ENGINE_DONE)
        evaluation->job.question->answered = evaluation->job.turn;
    job_unlock(&evaluation->job);
}

/* Reports a failure, unless another machine has been asked for: then nobody wants to know. */
static void fail_evaluation(const struct evaluation_job *job, enum status status,
                            const struct diagnostics *diagnostics)
{
    struct engine *engine = job->job.engine;
    if (!job_lock(&job->job))
        return;
    struct engine_evaluation *evaluation = &engine->state.evaluation;
    evaluation->state = ENGINE_FAILED;
    evaluation->seconds = clock_seconds() - job->since;
    if (engine->source)
        engine_describe(diagnostics, status, evaluation->message);
    else
        snprintf(evaluation->message, sizeof evaluation->message, "there is no workload");
    job->job.question->answered = job->job.turn;
    job_unlock(&job->job);
}

/* Whether the whole answer of a depth that is not factored is remembered. */
static bool is_known(struct engine *engine, const struct machine *machine, enum depth depth,
                     unsigned needs)
{
    struct metrics metrics;
    return live_answers_recall(engine->answers, machine, engine->source, depth,
                               depth_table[depth].stages, needs, &metrics);
}

bool evaluation_is_quick(struct engine *engine, const struct machine *machine, enum depth depth,
                         unsigned needs)
{
    const double last = engine->exact_seconds[depth];
    if (last >= 0 && last < QUICK_SECONDS)
        return true;
    if (!depth_can(depth, DEPTH_FACTORED))
        return is_known(engine, machine, depth, needs);
    return live_answers_cost(engine->answers, machine, engine->source, needs) < QUICK_REQUESTS;
}

/* Whether the exact answer takes longer than a superseded evaluation may linger. Without factored
 * stages every answer does, as far as is known: the estimate of the next machine comes sooner. */
static bool is_late(struct engine *engine, const struct machine *machine, enum depth depth)
{
    if (!depth_can(depth, DEPTH_FACTORED))
        return true;
    return engine->exact_seconds[depth] > depth_table[depth].linger &&
           live_answers_cost(engine->answers, machine, engine->source, 0) == UINT64_MAX;
}

/* Estimates as often as it pays. Leaves a source that is too small to sample to the exact run. */
static enum status estimate_evaluation(struct evaluation_job *job,
                                       const struct evaluate_options *options,
                                       struct diagnostics *diagnostics)
{
    struct engine *engine = job->job.engine;
    const struct machine *machine = &job->own.machine;
    const enum depth depth = job->own.depth;
    if (!depth_can(depth, DEPTH_SAMPLED))
        return STATUS_OK;
    for (size_t i = 0;
         i < ESTIMATES && !evaluation_is_quick(engine, machine, depth, options->needs); i++) {
        struct metrics metrics, error;
        double start = clock_seconds();
        if (!evaluate_samples(machine, engine->source, depth, estimate_shares[i]))
            break;
        bool exact;
        enum status status = evaluate_sampled(machine, engine->source, estimate_shares[i], options,
                                              &metrics, &error, &exact, diagnostics);
        if (status)
            return status;
        if (exact) { /* it found out that a sample saves nothing */
            live_answers_keep(engine->answers, machine, engine->source, options, &metrics);
            break;
        }
        job->late = is_late(engine, machine, depth);
        publish_evaluation(job, ENGINE_ESTIMATE, &metrics, &error);
        const double spent = clock_seconds() - start, last = engine->exact_seconds[depth];
        if (spent < SLOW_ESTIMATE_SECONDS || (last >= 0 && last < SLOW_EXACT_TIMES * spent))
            break;
    }
    return STATUS_OK;
}

/* Publishes the exact counts before the classes of misses. After a change of a cache parameter, the
 * classes take one to two and a half times as long as the counts. */
static enum status count_evaluation(struct evaluation_job *job,
                                    const struct evaluate_options *options,
                                    struct diagnostics *diagnostics)
{
    struct engine *engine = job->job.engine;
    const struct machine *machine = &job->own.machine;
    struct evaluate_options counting = *options;
    counting.needs = 0;
    if (!depth_can(job->own.depth, DEPTH_FACTORED))
        return STATUS_OK;
    uint64_t cost = live_answers_cost(engine->answers, machine, engine->source, counting.needs);
    if (live_answers_cost(engine->answers, machine, engine->source, options->needs) <
        ONE_STEP_REQUESTS)
        return STATUS_OK;
    struct metrics metrics;
    struct metrics error = {0};
    double start = clock_seconds();
    enum status status = live_answers_evaluate(engine->answers, machine, engine->source, &counting,
                                               &metrics, diagnostics);
    if (status)
        return status;
    if (cost == UINT64_MAX)
        engine->exact_seconds[job->own.depth] = clock_seconds() - start;
    publish_evaluation(job, ENGINE_COUNTED, &metrics, &error);
    return STATUS_OK;
}

void engine_list_pcs(const struct pc_table *pcs, struct engine_detail *detail)
{
    detail->others = pcs->others;
    detail->misses = pcs->others.misses;
    detail->stalls = pcs->others.stalls;
    detail->pc_count = pcs->count < DETAIL_PCS ? pcs->count : DETAIL_PCS;
    for (size_t i = 0; i < pcs->count; i++) {
        detail->misses += pcs->items[i].misses;
        detail->stalls += pcs->items[i].stalls;
        if (i >= DETAIL_PCS) {
            pc_count_add(&detail->others, &pcs->items[i]);
            continue;
        }
        detail->pcs[i] = pcs->items[i];
        snprintf(detail->kernels[i], KERNEL_TEXT, "%s", pc_table_kernel(pcs, &pcs->items[i]));
    }
}

static uint64_t accesses_of(const struct pc_count *items, size_t count,
                            const struct pc_count *others)
{
    uint64_t sum = others->accesses;
    for (size_t i = 0; i < count; i++)
        sum += items[i].accesses;
    return sum;
}

void engine_show_pcs(const struct pc_table *so_far, struct engine_detail *detail)
{
    if (detail->pc_count && accesses_of(so_far->items, so_far->count, &so_far->others) <
                                accesses_of(detail->pcs, detail->pc_count, &detail->others))
        return;
    detail->classes = false; /* depth timing knows none */
    engine_list_pcs(so_far, detail);
}

/* A detail that waits for the same machine shows the counts by instruction of this run. */
static void watch_evaluation(void *context, struct pc_table *so_far)
{
    const struct evaluation_job *job = context;
    struct engine *engine = job->job.engine;
    pc_table_sort(so_far);
    if (!job_lock(&job->job))
        return;
    if (engine->detail.asked != engine->detail.answered &&
        engine->state.detail.depth == job->own.depth &&
        machine_same(&engine->detail_machine, &job->own.machine, ~0u)) {
        engine->state.detail.share = engine->state.evaluation.share;
        engine_show_pcs(so_far, &engine->state.detail);
    }
    job_unlock(&job->job);
}

/* Keeps what a run left for a detail of its machine. */
static void keep_run(const struct evaluation_job *job, struct detail_results *run)
{
    struct engine *engine = job->job.engine;
    detail_results_free(&engine->run);
    engine->run = *run;
    engine->run_machine = job->own.machine;
}

/* Computes the exact answer, using what is remembered. */
static enum status exact_evaluation(struct evaluation_job *job,
                                    const struct evaluate_options *options,
                                    struct diagnostics *diagnostics)
{
    struct engine *engine = job->job.engine;
    struct metrics metrics;
    struct metrics error = {0};
    const enum depth depth = job->own.depth;
    const bool walks = !depth_can(depth, DEPTH_FACTORED) &&
                       !is_known(engine, &job->own.machine, depth, options->needs);
    const double start = clock_seconds();
    struct detail_results run = {.log = {.intervals = DETAIL_TIMES}};
    struct evaluate_options watched = *options;
    if (depth_can(depth, DEPTH_TIMED)) {
        watched.pcs = &run.pcs;
        watched.log = &run.log;
        watched.watched = watch_evaluation;
        watched.watched_context = job;
    }
    enum status status = count_evaluation(job, options, diagnostics);
    if (!status)
        status = live_answers_evaluate(engine->answers, &job->own.machine, engine->source, &watched,
                                       &metrics, diagnostics);
    if (status || !run.log.times.count) /* not timed, or remembered without a run */
        detail_results_free(&run);
    else
        keep_run(job, &run);
    if (status)
        return status;
    if (walks)
        engine->exact_seconds[depth] = clock_seconds() - start;
    publish_evaluation(job, ENGINE_DONE, &metrics, &error);
    return STATUS_OK;
}

void answer_evaluation(struct evaluation_job *job)
{
    struct engine *engine = job->job.engine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct evaluate_options options = {.depth = job->own.depth,
                                       .needs = NEED_REPORT,
                                       .progress = evaluation_progressed,
                                       .argument = job,
                                       .threads = engine->live_threads,
                                       .cancel = &engine->cancel_live};
    enum status status = STATUS_NOT_FOUND;
    if (engine->source)
        status = estimate_evaluation(job, &options, &diagnostics);
    if (!status)
        status = exact_evaluation(job, &options, &diagnostics);
    if (status && status != STATUS_CANCELLED)
        fail_evaluation(job, status, &diagnostics);
    diagnostics_free(&diagnostics);
}
