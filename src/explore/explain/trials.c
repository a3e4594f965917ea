#include "explore/explain/trials.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "explore/plan/runner.h"
#include "explore/plan/simulate.h"
#include "model/area/area.h"

enum {
    SHARING = 16, /* machines of one pass, at a depth where machines share passes */
    KEYS = READER_COUNT
};

/* What decides a result: a key for each kind of result that the depth gives. */
struct trial_key {
    struct stage_key keys[KEYS];
};

struct known {
    struct trial_key key;
    struct trial_result *result; /* without area; NULL: not run yet */
};

struct trials {
    struct trials_options options;
    struct stage_question question;
    char identity[SOURCE_IDENTITY];
    struct runner *runner;
    double end;       /* on the clock; 0: no limit */
    atomic_bool stop; /* the limit of time, or the user */
    struct trials_count count;
    size_t expected;             /* experiments in all; 0: nobody said */
    double share;                /* of them that was reported */
    struct block_placement own;  /* of the first experiment; count 0: not recorded */
    void (*take)(void *context); /* trials_watch */
    void *context;
    struct known *items; /* in the order in which they were first asked for */
    size_t known, capacity;
};

struct trials *trials_open(const struct trials_options *options)
{
    struct trials *trials = calloc(1, sizeof *trials);
    if (!trials)
        return NULL;
    trials->options = *options;
    if (options->threads <= 0)
        trials->options.threads = omp_get_max_threads();
    trials->runner = runner_create(trials->options.threads);
    if (!trials->runner) {
        free(trials);
        return NULL;
    }
    const unsigned stages = depth_can(options->depth, DEPTH_FACTORED)
                                ? depth_table[options->depth].stages
                                : depth_reads(options->depth);
    trials->question = (struct stage_question){.depth = options->depth,
                                               .stages = stages,
                                               .asked = depth_results(options->depth, stages),
                                               .needs = options->needs};
    evaluate_whole_identity(options->source, trials->identity);
    if (options->time_limit > 0)
        trials->end = clock_seconds() + options->time_limit;
    return trials;
}

void trials_free(struct trials *trials)
{
    if (!trials)
        return;
    for (size_t i = 0; i < trials->known; i++)
        free(trials->items[i].result);
    free(trials->items);
    block_placement_free(&trials->own);
    runner_free(trials->runner);
    free(trials);
}

struct trials_count trials_counted(const struct trials *trials)
{
    return trials->count;
}

void trials_expect(struct trials *trials, size_t more)
{
    trials->expected = trials->count.planned + more;
}

void trials_watch(struct trials *trials, void (*take)(void *context), void *context)
{
    trials->take = take;
    trials->context = context;
}

/* Whether runs have blocks that lie somewhere. */
static bool trials_places(const struct trials *trials)
{
    return depth_can(trials->options.depth, DEPTH_TIMED) && !trials->options.source->tiles;
}

/* ---- which experiments are equal ---- */

static void make_key(const struct trials *trials, const struct trial *trial, struct trial_key *key)
{
    const struct evaluate_options options = {
        .ideals = trial->ideals, .start_delay = trial->start_delay, .placement = trial->placement};
    char text[CHANGES_TEXT];
    const char *changes = evaluate_changes(&options, text);
    size_t count = 0;
    memset(key, 0, sizeof *key);
    for (unsigned left = trials->question.asked; left; left &= left - 1)
        key->keys[count++] =
            stage_key_changed(trials->identity, changes, &trial->machine, stage_lowest(left));
}

/* Finds the experiment among the known ones, or adds it. */
static enum status find_known(struct trials *trials, const struct trial *trial, size_t *place)
{
    struct trial_key key;
    make_key(trials, trial, &key);
    for (*place = 0; *place < trials->known; ++*place)
        if (!memcmp(&trials->items[*place].key, &key, sizeof key))
            return STATUS_OK;
    if (array_reserve(&trials->items, &trials->capacity, trials->known + 1))
        return STATUS_MEMORY;
    trials->items[trials->known++] = (struct known){.key = key};
    return STATUS_OK;
}

/* ---- running ---- */

struct batch {
    struct trials *trials;
    const struct trial *items;
    struct trial_result *results;
    size_t count;
    size_t *places;  /* of each item among the known experiments */
    size_t *running; /* the items that run, in tasks */
    size_t *first;   /* of each task, in `running`; one more at the end */
    size_t run_count, task_count;
};

static enum status trial_keep(struct batch *batch, size_t item, bool ran, uint64_t placed,
                              const struct metrics *metrics)
{
    struct trial_result *result = malloc(sizeof *result);
    if (!result)
        return STATUS_MEMORY;
    result->state = ran ? TRIAL_RAN : TRIAL_REFUSED;
    result->placed = placed;
    result->metrics = *metrics;
    batch->trials->items[batch->places[item]].result = result;
    return STATUS_OK;
}

/* Runs the experiments of a task. A machine that the workload does not fit or that gets stuck is a
 * result, too: only the user, the limit of time, a broken source and the system end a run. */
static enum status trials_task(void *argument, struct runner_task *task,
                               struct diagnostics *diagnostics)
{
    struct batch *batch = argument;
    struct diagnostics said = DIAGNOSTICS_INIT;
    struct trials *trials = batch->trials;
    const size_t *items = batch->running + batch->first[task->number];
    const size_t count = batch->first[task->number + 1] - batch->first[task->number];
    struct machine machines[SHARING];
    struct metrics *metrics = calloc(count, sizeof *metrics);
    struct simulated counts = {0};
    if (!metrics)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        stage_machine(&batch->items[items[i]].machine, trials->question.stages, &machines[i]);
    struct stage_question asked = trials->question;
    asked.ideals = batch->items[items[0]].ideals;
    asked.start_delay = batch->items[items[0]].start_delay;
    asked.placement = batch->items[items[0]].placement;
    struct block_placement record = {0};
    const struct simulation simulation = {
        .question = asked,
        .source = trials->options.source,
        .cache = trials->options.cache,
        .record_placement = trials_places(trials) && !asked.placement ? &record : NULL,
        .pool = task->pool,
        .threads = task->threads,
        .progress = runner_task_progress,
        .argument = task,
        .cancel = task->cancel};
    enum status status = simulate(&simulation, machines, count, metrics, &counts, &said);
    const bool ran = !status;
    if (status == STATUS_INVALID || status == STATUS_UNSUPPORTED || status == STATUS_STUCK)
        status = STATUS_OK;
    else if (status)
        diagnostics_move(diagnostics, &said);
    diagnostics_free(&said);
    runner_lock(task->runner);
    const uint64_t placed = record.count && ran ? block_placement_hash(&record) : 0;
    for (size_t i = 0; i < count && !status; i++)
        status = trial_keep(batch, items[i], ran, placed, &metrics[i]);
    if (!status && placed && batch->places[items[0]] == 0) { /* the first experiment */
        trials->own = record;
        record = (struct block_placement){0};
    }
    trials->count.repeated += counts.kept + counts.proved;
    runner_unlock(task->runner);
    block_placement_free(&record);
    free(metrics);
    return status;
}

/* Sets the flag that ends everything, if it is time. */
static void trials_check(struct trials *trials)
{
    const struct trials_options *options = &trials->options;
    if ((options->cancel && atomic_load(options->cancel)) ||
        (trials->end > 0 && clock_seconds() > trials->end))
        atomic_store(&trials->stop, true);
}

/* The area is that of the machine itself: equal runs may differ in their area. */
static void take_result(const struct known *known, const struct machine *machine,
                        struct trial_result *result)
{
    *result = *known->result;
    if (result->state != TRIAL_RAN)
        return;
    area_evaluate(machine, &result->metrics);
    metrics_derive(&result->metrics);
}

/* Takes the results that came since the last time, and tells who watches. */
static void take_results(struct batch *batch)
{
    struct trials *trials = batch->trials;
    const size_t before = trials->count.done;
    for (size_t i = 0; i < batch->count; i++) {
        const struct known *known = &trials->items[batch->places[i]];
        if (batch->results[i].state != TRIAL_SKIPPED || !known->result)
            continue;
        take_result(known, &batch->items[i].machine, &batch->results[i]);
        trials->count.done++;
    }
    if (trials->count.done == before)
        return;
    if (trials->take)
        trials->take(trials->context);
    if (trials->options.grown)
        trials->options.grown(trials->options.argument);
}

/* The share of all experiments that is done, given that of a batch. It never falls. */
static double share_of_all(struct batch *batch, double share)
{
    struct trials *trials = batch->trials;
    const double planned = (double)trials->count.planned, count = (double)batch->count;
    const double all = fmax(planned, (double)trials->expected);
    trials->share = fmax(trials->share, (planned - count + share * count) / all);
    return trials->share;
}

static void trials_tick(void *argument, const struct runner_progress *progress)
{
    struct batch *batch = argument;
    const struct trials_options *options = &batch->trials->options;
    trials_check(batch->trials);
    take_results(batch);
    if (options->progress)
        options->progress(options->argument, share_of_all(batch, progress->share));
}

static void trials_place_tick(void *argument, double share)
{
    (void)share;
    trials_check(argument);
}

enum status trials_place(struct trials *trials, const struct machine *machine,
                         struct block_placement *placement, struct diagnostics *diagnostics)
{
    struct metrics metrics;
    const struct trial own = {.machine = *machine};
    struct trial_key key;
    *placement = (struct block_placement){0};
    if (!trials_places(trials))
        return STATUS_OK;
    make_key(trials, &own, &key);
    if (trials->own.count && !memcmp(&trials->items[0].key, &key, sizeof key)) {
        const enum status status = block_placement_begin(placement, trials->own.count);
        if (!status)
            memcpy(placement->sms, trials->own.sms, trials->own.count * sizeof *placement->sms);
        return status;
    }
    const struct evaluate_options options = {.depth = trials->options.depth,
                                             .record_placement = placement,
                                             .threads = trials->options.threads,
                                             .progress = trials_place_tick,
                                             .argument = trials,
                                             .cancel = &trials->stop};
    return evaluate(machine, trials->options.source, &options, &metrics, diagnostics);
}

/* Whether two experiments may share a pass: what a question asks is one for all of its machines. */
static bool share_pass(const struct trial *a, const struct trial *b)
{
    return !memcmp(&a->ideals, &b->ideals, sizeof a->ideals) && a->start_delay == b->start_delay &&
           a->placement == b->placement && machine_same(&a->machine, &b->machine, STAGE_STREAM);
}

/* Deals the experiments that are not known yet to tasks: each its own, or those that share a pass
 * together. */
static void deal(struct batch *batch, size_t count, uint8_t *wanted)
{
    const bool grouped = depth_can(batch->trials->options.depth, DEPTH_GROUPED);
    for (size_t i = 0; i < count; i++) {
        if (!wanted[i])
            continue;
        const size_t begin = batch->first[batch->task_count++] = batch->run_count;
        for (size_t k = i; k < count && batch->run_count < begin + (grouped ? SHARING : 1); k++)
            if (wanted[k] && share_pass(&batch->items[i], &batch->items[k])) {
                wanted[k] = 0;
                batch->running[batch->run_count++] = k;
            }
    }
    batch->first[batch->task_count] = batch->run_count;
}

static enum status run_batch(struct batch *batch, size_t count, uint8_t *wanted,
                             struct diagnostics *diagnostics)
{
    struct trials *trials = batch->trials;
    deal(batch, count, wanted);
    struct runner_weight *weights = calloc(batch->task_count + 1, sizeof *weights);
    if (!weights)
        return STATUS_MEMORY;
    for (size_t t = 0; t < batch->task_count; t++)
        weights[t].work = (double)(batch->first[t + 1] - batch->first[t]);
    const struct runner_work work = {.count = batch->task_count,
                                     .weights = weights,
                                     .run = trials_task,
                                     .tick = trials_tick,
                                     .argument = batch,
                                     .cancel = &trials->stop};
    const enum status status =
        batch->task_count ? runner_run(trials->runner, &work, diagnostics) : STATUS_OK;
    free(weights);
    return status;
}

/* Marks the experiments that have to run: neither known nor equal to an earlier one of these. */
static enum status mark_wanted(struct batch *batch, size_t count, uint8_t *wanted)
{
    struct trials *trials = batch->trials;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const size_t known = trials->known;
        status = find_known(trials, &batch->items[i], &batch->places[i]);
        wanted[i] = !status && !trials->items[batch->places[i]].result;
        for (size_t k = 0; wanted[i] && batch->places[i] < known && k < i; k++)
            wanted[i] = batch->places[k] != batch->places[i];
        trials->count.repeated += !status && !wanted[i];
    }
    return status;
}

enum status trials_run(struct trials *trials, const struct trial *items, size_t count,
                       struct trial_result *results, struct diagnostics *diagnostics)
{
    struct batch batch = {.trials = trials,
                          .items = items,
                          .results = results,
                          .count = count,
                          .places = calloc(count + 1, sizeof *batch.places),
                          .running = calloc(count + 1, sizeof *batch.running),
                          .first = calloc(count + 1, sizeof *batch.first)};
    uint8_t *wanted = calloc(count + 1, sizeof *wanted);
    enum status status =
        batch.places && batch.running && batch.first && wanted ? STATUS_OK : STATUS_MEMORY;
    trials->count.planned += count;
    for (size_t i = 0; i < count; i++)
        results[i].state = TRIAL_SKIPPED;
    if (!status)
        status = mark_wanted(&batch, count, wanted);
    if (!status)
        status = run_batch(&batch, count, wanted, diagnostics);
    if (status != STATUS_MEMORY)
        take_results(&batch);
    free(batch.places);
    free(batch.running);
    free(batch.first);
    free(wanted);
    return status;
}
