#include "explore/live/live_answers.h"

#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "explore/live/kept_loads.h"
#include "explore/live/stream_cache.h"
#include "explore/plan/simulate.h"
#include "model/area/area.h"
#include "model/replay/replay.h"
#include "model/reuse/reuse.h"
#include "model/timing/run_proof.h"

/* Default limits in bytes: all results, and one request log. */
#define RESULT_BYTES ((uint64_t)16 << 20)
#define LOG_BYTES    ((uint64_t)256 << 20)

/* The limit of all streams, as a multiple of the request log. One machine needs the requests and
 * their slice streams (1.6 times as much), or an L1D's misses and their slice streams, and a dozen
 * miss masks of other L1Ds. More would rarely be used again, because results are remembered. If the
 * streams are short, the limit is a quarter of the longest log, which is little memory. */
enum { STREAM_TIMES = 4, FLOOR_PART = 4 };

struct live_answers {
    int threads;
    uint64_t log_bytes; /* limit of one log; all streams may take three times this */
    struct stage_cache *results;
    struct stage_key endless; /* of the stream that was too long for a log; zero if none */
    struct stream_cache kept;
    struct kept_loads loads;
};

/* Sets the limit of all streams. `stream` is NULL if it is not known or too long for a log. */
static void bound_streams(struct live_answers *answers, const struct request_log *stream)
{
    const uint64_t most = 3 * answers->log_bytes, least = answers->log_bytes / FLOOR_PART;
    uint64_t limit = stream ? STREAM_TIMES * request_log_bytes(stream) : most;
    answers->kept.limit = limit < least ? least : limit > most ? most : limit;
}

uint64_t live_answers_bytes(const struct live_answers *answers, uint64_t *limit)
{
    *limit = answers->kept.limit;
    return stream_cache_bytes(&answers->kept);
}

enum status live_answers_create(int threads, uint64_t log_bytes, struct live_answers **result)
{
    struct live_answers *answers = calloc(1, sizeof *answers);
    *result = answers;
    if (!answers)
        return STATUS_MEMORY;
    answers->threads = threads > 0 ? threads : omp_get_max_threads();
    answers->log_bytes = log_bytes ? log_bytes : LOG_BYTES;
    bound_streams(answers, NULL);
    enum status status = stage_cache_open(NULL, RESULT_BYTES, &answers->results, NULL);
    if (status) {
        free(answers);
        *result = NULL;
    }
    return status;
}

void live_answers_forget(struct live_answers *answers)
{
    stream_cache_forget(&answers->kept);
    bound_streams(answers, NULL);
    answers->endless = (struct stage_key){{0}};
    kept_loads_forget(&answers->loads);
}

void live_answers_free(struct live_answers *answers)
{
    if (!answers)
        return;
    live_answers_forget(answers);
    stage_cache_close(answers->results, NULL);
    free(answers);
}

/* ---- finding out what to do --------------------------------------------------------------------
 */

/* The stages that can be simulated on a kept stream. Others need the source. */
enum { REPLAYED = STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_PWC };

static unsigned all_stages(void)
{
    return depth_table[DEPTH_FUNCTIONAL].stages;
}

/* What is known of an answer, and what is left to simulate. */
struct answer_plan {
    unsigned missing;                                  /* stages whose results are not remembered */
    const struct request_log *stream, *misses, *walks; /* the kept logs, or NULL */
    const struct miss_mask *mask; /* if not NULL, replaces `misses`: read together with `stream` */
    bool coupled;
    struct stage_key stream_key, l1d_key, tlb_key;
};

/* The stages of `asked` that this machine has. No L2 can follow an offline L1D. */
static unsigned answered_stages(const struct machine *machine, unsigned asked)
{
    bool offline = machine->l1d.enabled && cache_is_offline(&machine->l1d);
    return machine_stages(machine) & asked & ~(offline ? (unsigned)STAGE_L2 : 0);
}

/* Whether a miss mask can say what the L1D sends to the L2, so that no log is needed. */
static bool has_mask(const struct machine *machine, const struct request_log *stream,
                     unsigned needs)
{
    return stream && miss_mask_applies(machine, stream) && replay_l2_sliced(machine, needs);
}

static void find_misses(struct live_answers *answers, const struct machine *machine, unsigned needs,
                        struct answer_plan *plan)
{
    if (has_mask(machine, plan->stream, needs))
        plan->mask = kept_mask(&answers->kept, &plan->l1d_key);
    if (!machine->l1d.enabled)
        plan->misses = plan->stream;
    else if (!plan->mask)
        plan->misses = kept_log(&answers->kept, &plan->l1d_key);
    const struct request_log *dealt = plan->mask ? plan->stream : plan->misses;
    if (dealt) /* marks them as used, so that they are not the first to go */
        (void)kept_slices(&answers->kept, dealt, &machine->l2, plan->mask != NULL);
}

/* Finds out what is missing, and fills in the metrics that are remembered. */
static void find_plan(struct live_answers *answers, const struct machine *machine,
                      const struct trace_source *source, unsigned asked, unsigned needs,
                      struct metrics *metrics, struct answer_plan *plan)
{
    char identity[SOURCE_IDENTITY];
    evaluate_whole_identity(source, identity);
    *plan = (struct answer_plan){.stream_key = stage_key(source->digest, machine, STAGE_STREAM),
                                 .l1d_key = stage_key(source->digest, machine, STAGE_L1D),
                                 .tlb_key = stage_key(source->digest, machine, STAGE_TLB)};
    for (unsigned left = answered_stages(machine, asked & all_stages()); left; left &= left - 1) {
        const struct stage_question question = {.asked = stage_lowest(left), .needs = needs};
        if (!stages_recall(answers->results, identity, &question, machine, metrics))
            plan->missing |= question.asked;
    }
    plan->stream = kept_log(&answers->kept, &plan->stream_key);
    plan->walks = kept_log(&answers->kept, &plan->tlb_key);
    find_misses(answers, machine, needs, plan);
    /* If page walks go through the L2, neither stage can be simulated without the other. */
    plan->coupled = machine_couples(machine);
    if (plan->coupled && plan->missing & (STAGE_L2 | STAGE_PWC))
        plan->missing |= STAGE_L2 | STAGE_PWC;
}

static bool has_misses(const struct answer_plan *plan)
{
    return plan->misses || plan->mask;
}

/* Whether a missing stage cannot be simulated on any stream. */
static bool needs_source(const struct answer_plan *plan)
{
    return plan->missing & ~(unsigned)(STAGE_STREAM | REPLAYED);
}

/* Whether a missing stage must read the stream of requests. */
static bool needs_stream(const struct answer_plan *plan)
{
    bool second = plan->missing & (STAGE_L2 | STAGE_PWC);
    bool misses = plan->missing & STAGE_L1D || (plan->missing & STAGE_L2 && !has_misses(plan));
    bool walks = plan->missing & STAGE_TLB || (plan->missing & STAGE_PWC && !plan->walks);
    return misses || walks || needs_source(plan) || (plan->coupled && second);
}

uint64_t live_answers_cost(struct live_answers *answers, const struct machine *machine,
                           const struct trace_source *source, unsigned needs)
{
    struct metrics metrics;
    struct answer_plan plan;
    find_plan(answers, machine, source, all_stages(), needs, &metrics, &plan);
    if (plan.missing & STAGE_STREAM || needs_source(&plan) || (needs_stream(&plan) && !plan.stream))
        return UINT64_MAX;
    uint64_t cost = needs_stream(&plan) ? request_log_requests(plan.stream) : 0;
    if (plan.coupled)
        return cost;
    if (plan.missing & STAGE_L2 && has_misses(&plan))
        cost += plan.mask ? plan.mask->count : request_log_requests(plan.misses);
    if (plan.missing & STAGE_PWC && plan.walks)
        cost += request_log_requests(plan.walks);
    return cost;
}

/* ---- doing it ----------------------------------------------------------------------------------
 */

/* An answer in progress. */
struct work {
    struct live_answers *answers;
    struct answer_plan plan;
    const struct machine *machine;
    const struct trace_source *source;
    const struct evaluate_options *options;
    struct metrics *metrics;
    struct diagnostics *diagnostics;
};

static void take_metrics(const struct metrics *from, unsigned stages, struct metrics *to)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (metric_table[i].stage & stages)
            metric_set(&metric_table[i], to, metric_get(&metric_table[i], from));
}

/* Takes and remembers the results of some stages at once, since a later stage may be cancelled. */
static void take_stages(struct work *work, const struct metrics *found, unsigned stages,
                        unsigned needs)
{
    const struct stage_question question = {.stages = stages, .needs = needs};
    char identity[SOURCE_IDENTITY];
    take_metrics(found, stages, work->metrics);
    work->plan.missing &= ~stages;
    evaluate_whole_identity(work->source, identity);
    stages_remember(work->answers->results, identity, &question, work->machine, found, NULL, 1);
}

/* Keeps a log if it was recorded to its end. Returns NULL if it was not or there is no room. */
static const struct request_log *take_log(struct work *work, const struct stage_key *key,
                                          struct request_log *log)
{
    if (log && !request_log_finish(log)) {
        request_log_free(log);
        return NULL;
    }
    return keep_log(&work->answers->kept, key, log) ? log : NULL;
}

/* Evaluates stages on the source. Asks for everything that a report needs, so that a long walk need
 * not be repeated. */
static enum status walk_source(struct work *work, unsigned stages, const struct request_logs *logs)
{
    struct machine reduced;
    struct metrics found;
    struct evaluate_options recording = *work->options;
    stage_machine(work->machine, stages, &reduced);
    recording.needs |= NEED_REPORT;
    recording.record = logs;
    metrics_clear(&found);
    enum status status = evaluate(&reduced, work->source, &recording, &found, work->diagnostics);
    if (!status)
        take_stages(work, &found, stages, recording.needs);
    return status;
}

/* Records the stream and does nothing else. Notes if it is too long for a log. */
static enum status record_stream(struct work *work)
{
    struct answer_plan *plan = &work->plan;
    struct request_logs logs = {.stream = request_log_create((unsigned)work->machine->gpu.sms,
                                                             PLACE_INSTRUCTION,
                                                             work->answers->log_bytes)};
    enum status status = walk_source(work, STAGE_STREAM, &logs);
    if (status) {
        request_log_free(logs.stream);
        return status;
    }
    plan->stream = take_log(work, &plan->stream_key, logs.stream);
    bound_streams(work->answers, plan->stream);
    if (!plan->stream)
        work->answers->endless = plan->stream_key;
    if (!work->machine->l1d.enabled)
        plan->misses = plan->stream;
    return STATUS_OK;
}

/* Simulates all missing stages in one walk over the source. The stream was too long for a log, but
 * those after the first level may be short enough to keep. */
static enum status walk_everything(struct work *work)
{
    struct answer_plan *plan = &work->plan;
    unsigned instances = (unsigned)work->machine->gpu.sms;
    unsigned stages = 0;
    for (unsigned left = plan->missing; left; left &= left - 1)
        stages |= stage_chain(stage_lowest(left), plan->coupled);
    bool misses = stages & STAGE_L1D && !has_misses(plan);
    struct request_logs logs = {
        NULL,
        misses ? request_log_create(instances, PLACE_REQUEST, work->answers->log_bytes) : NULL,
        stages & STAGE_TLB ? request_log_create(instances, PLACE_PC, work->answers->log_bytes)
                           : NULL};
    enum status status = walk_source(work, stages | STAGE_STREAM, &logs);
    if (status) {
        request_log_free(logs.misses);
        request_log_free(logs.walks);
        return status;
    }
    plan->misses = take_log(work, &plan->l1d_key, logs.misses);
    plan->walks = take_log(work, &plan->tlb_key, logs.walks);
    return STATUS_OK;
}

/* Simulates an L1D and keeps a miss mask of what it sends. */
static enum status replay_masked(struct work *work, const struct replay *replay,
                                 struct metrics *found)
{
    struct answer_plan *plan = &work->plan;
    struct miss_mask *mask = miss_mask_create(work->machine, plan->stream);
    enum status status = mask ? replay_l1d(replay, found, NULL, mask) : STATUS_MEMORY;
    if (status)
        miss_mask_free(mask);
    else if (keep_mask(&work->answers->kept, &plan->l1d_key, mask))
        plan->mask = mask;
    return status;
}

/* Simulates a first level and keeps a log of what it sends. */
static enum status replay_logged(struct work *work, const struct replay *replay, enum stage stage,
                                 struct metrics *found)
{
    struct answer_plan *plan = &work->plan;
    struct request_log *sent =
        request_log_create(plan->stream->instances, stage == STAGE_L1D ? PLACE_REQUEST : PLACE_PC,
                           work->answers->log_bytes);
    enum status status = stage == STAGE_L1D ? replay_l1d(replay, found, sent, NULL)
                                            : replay_tlb(replay, found, sent);
    if (status)
        request_log_free(sent);
    else if (stage == STAGE_L1D)
        plan->misses = take_log(work, &plan->l1d_key, sent);
    else
        plan->walks = take_log(work, &plan->tlb_key, sent);
    return status;
}

/* Simulates a first level on the log of the stream. `recorded` tells whether what it sends is
 * needed and has to be kept. */
static enum status replay_first(struct work *work, enum stage stage, bool recorded)
{
    const struct request_log *stream = work->plan.stream;
    const unsigned needs = work->options->needs;
    const struct replay replay = {work->machine, stream, work->options, work->answers->threads,
                                  work->diagnostics};
    struct metrics found;
    enum status status;
    metrics_clear(&found);
    if (recorded && stage == STAGE_L1D && has_mask(work->machine, stream, needs))
        status = replay_masked(work, &replay, &found);
    else if (recorded)
        status = replay_logged(work, &replay, stage, &found);
    else
        status = stage == STAGE_L1D ? replay_l1d(&replay, &found, NULL, NULL)
                                    : replay_tlb(&replay, &found, NULL);
    if (!status)
        take_stages(work, &found, stage, needs);
    return status;
}

/* Simulates the L2 on what the L1D sends, and keeps the slice streams made for it. */
static enum status replay_slices(struct work *work, const struct replay *replay,
                                 struct metrics *found)
{
    struct stream_cache *kept = &work->answers->kept;
    const struct miss_mask *mask = work->plan.mask;
    if (!replay_l2_sliced(work->machine, work->options->needs))
        return replay_l2(replay, NULL, NULL, found);
    const struct slice_streams *streams =
        kept_slices(kept, replay->log, &work->machine->l2, mask != NULL);
    struct slice_streams *made = NULL;
    enum status status = streams ? STATUS_OK : slice_streams_create(replay, mask != NULL, &made);
    if (!status)
        status = replay_l2(replay, streams ? streams : made, mask, found);
    if (made)
        keep_slices(kept, made);
    return status;
}

/* Simulates a second level on what its first level sends. */
static enum status replay_second(struct work *work, enum stage stage)
{
    const struct answer_plan *plan = &work->plan;
    const struct request_log *misses = plan->mask ? plan->stream : plan->misses;
    const struct replay replay = {work->machine, stage == STAGE_L2 ? misses : plan->walks,
                                  work->options, work->answers->threads, work->diagnostics};
    struct metrics found;
    metrics_clear(&found);
    enum status status =
        stage == STAGE_L2 ? replay_slices(work, &replay, &found) : replay_walks(&replay, &found);
    if (!status)
        take_stages(work, &found, stage, work->options->needs);
    return status;
}

/* Simulates one side of the machine: a first level and the level after it. Finishes with both
 * before anything else can push their streams out of the cache. */
static enum status replay_side(struct work *work, enum stage first, enum stage second)
{
    const struct answer_plan *plan = &work->plan;
    unsigned missing = plan->missing;
    bool sent = first == STAGE_L1D ? has_misses(plan) : plan->walks != NULL;
    enum status status = STATUS_OK;
    if (missing & first || (missing & second && !sent))
        status = replay_first(work, first, missing & second && !sent);
    sent = first == STAGE_L1D ? has_misses(plan) : plan->walks != NULL;
    if (!status && missing & second)
        status = sent ? replay_second(work, second) : walk_everything(work);
    return status;
}

/* Simulates both sides together, in the order of the requests, because walks go through the L2. */
static enum status replay_coupled(struct work *work)
{
    const unsigned stages = REPLAYED;
    struct machine reduced;
    struct metrics found;
    stage_machine(work->machine, STAGE_STREAM | stages, &reduced);
    const struct replay replay = {&reduced, work->plan.stream, work->options,
                                  work->answers->threads, work->diagnostics};
    metrics_clear(&found);
    enum status status = replay_stream(&replay, &found);
    if (!status)
        take_stages(work, &found, stages, work->options->needs);
    return status;
}

/* The caches are done, so releases their streams and holds those of the translation. */
static void hold_translation(struct work *work)
{
    struct stream_cache *kept = &work->answers->kept;
    stream_cache_hold(kept);
    (void)kept_log(kept, &work->plan.stream_key);
    (void)kept_log(kept, &work->plan.tlb_key);
}

/* Records the stream if it is missing and short enough; otherwise simulates everything that is
 * missing on the source. What remains is replayed from the streams. */
static enum status do_work(struct work *work)
{
    struct answer_plan *plan = &work->plan;
    enum status status = STATUS_OK;
    bool endless = !memcmp(&work->answers->endless, &plan->stream_key, sizeof plan->stream_key);
    bool from_source = plan->missing & STAGE_STREAM || (needs_stream(plan) && !plan->stream);
    if (from_source && !endless)
        status = record_stream(work);
    if (!status && (needs_source(plan) || (needs_stream(plan) && !plan->stream)))
        status = walk_everything(work);
    if (!status && plan->missing & STAGE_STREAM)
        status = record_stream(work);
    if (!status && plan->coupled && plan->missing & (STAGE_L2 | STAGE_PWC))
        status = replay_coupled(work);
    if (!status)
        status = replay_side(work, STAGE_L1D, STAGE_L2);
    if (status)
        return status;
    hold_translation(work);
    return replay_side(work, STAGE_TLB, STAGE_PWC);
}

static enum status answer(struct live_answers *answers, const struct machine *machine,
                          const struct trace_source *source, unsigned asked,
                          const struct evaluate_options *options, struct metrics *metrics,
                          struct diagnostics *diagnostics)
{
    struct work work = {.answers = answers,
                        .machine = machine,
                        .source = source,
                        .options = options,
                        .metrics = metrics,
                        .diagnostics = diagnostics};
    metrics_clear(metrics);
    enum status status = evaluate_check_machine(machine, source, diagnostics);
    if (status)
        return status;
    stream_cache_hold(&answers->kept);
    find_plan(answers, machine, source, asked, options->needs, metrics, &work.plan);
    status = do_work(&work);
    if (!status) {
        area_evaluate(machine, metrics);
        metrics_derive(metrics);
    }
    return status;
}

bool live_answers_recall(struct live_answers *answers, const struct machine *machine,
                         const struct trace_source *source, enum depth depth, unsigned stages,
                         unsigned needs, struct metrics *metrics)
{
    const struct stage_question question = {
        .depth = depth, .asked = depth_results(depth, stages), .needs = needs};
    char identity[SOURCE_IDENTITY];
    evaluate_whole_identity(source, identity);
    metrics_clear(metrics);
    bool known = stages_recall(answers->results, identity, &question, machine, metrics);
    area_evaluate(machine, metrics);
    metrics_derive(metrics); /* only counts are remembered */
    return known;
}

void live_answers_keep(struct live_answers *answers, const struct machine *machine,
                       const struct trace_source *source, const struct evaluate_options *options,
                       const struct metrics *metrics)
{
    const struct stage_question question = {
        .depth = options->depth, .stages = depth_reads(options->depth), .needs = options->needs};
    char identity[SOURCE_IDENTITY];
    evaluate_whole_identity(source, identity);
    stages_remember(answers->results, identity, &question, machine, metrics, options->proofs, 1);
}

/* ---- depths that are not factored --------------------------------------------------------------
 */

enum status live_answers_loads(struct live_answers *answers, const struct machine *machine,
                               const struct trace_source *source,
                               const struct evaluate_options *options,
                               const struct reuse_loads **loads, struct diagnostics *diagnostics)
{
    return kept_loads_get(&answers->loads, machine, source, options, loads, diagnostics);
}

/* Reading the loads counts as this share of the progress. */
#define READING_SHARE 0.3

struct part_of_progress {
    const struct evaluate_options *outer;
    double begin, width;
};

static void report_part(void *argument, double share)
{
    const struct part_of_progress *part = argument;
    part->outer->progress(part->outer->argument, part->begin + share * part->width);
}

static enum status run_whole(struct live_answers *answers, const struct machine *machine,
                             const struct trace_source *source,
                             const struct evaluate_options *options, struct metrics *metrics,
                             struct diagnostics *diagnostics)
{
    struct part_of_progress part = {options, 0, READING_SHARE};
    struct evaluate_options inner = *options;
    if (!depth_can(options->depth, DEPTH_DISTANCES)) /* reads no loads that could be kept */
        return evaluate(machine, source, options, metrics, diagnostics);
    inner.progress = options->progress ? report_part : NULL;
    inner.argument = &part;
    enum status status =
        live_answers_loads(answers, machine, source, &inner, &inner.loads, diagnostics);
    part = (struct part_of_progress){options, READING_SHARE, 1 - READING_SHARE};
    return status ? status : evaluate(machine, source, &inner, metrics, diagnostics);
}

static enum status evaluate_whole(struct live_answers *answers, const struct machine *machine,
                                  const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics)
{
    const enum depth depth = options->depth;
    if (live_answers_recall(answers, machine, source, depth, depth_table[depth].stages,
                            options->needs, metrics))
        return STATUS_OK;
    struct run_proof proof = {0};
    struct evaluate_options proving = *options;
    proving.proofs = &proof;
    enum status status = run_whole(answers, machine, source, &proving, metrics, diagnostics);
    if (!status)
        live_answers_keep(answers, machine, source, &proving, metrics);
    return status;
}

enum status live_answers_detail(struct live_answers *answers, const struct machine *machine,
                                const struct trace_source *source,
                                const struct evaluate_options *options,
                                struct diagnostics *diagnostics)
{
    struct metrics metrics;
    struct machine reduced;
    if (!depth_can(options->depth, DEPTH_FACTORED))
        return run_whole(answers, machine, source, options, &metrics, diagnostics);
    const struct stage_key key = stage_key(source->digest, machine, STAGE_STREAM);
    const struct request_log *stream = kept_log(&answers->kept, &key);
    stage_machine(machine, stage_chain(STAGE_L1D, false), &reduced);
    metrics_clear(&metrics);
    const struct replay replay = {&reduced, stream, options, answers->threads, diagnostics};
    return stream ? replay_stream(&replay, &metrics)
                  : evaluate(&reduced, source, options, &metrics, diagnostics);
}

enum status live_answers_evaluate(struct live_answers *answers, const struct machine *machine,
                                  const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics)
{
    if (!depth_can(options->depth, DEPTH_FACTORED))
        return evaluate_whole(answers, machine, source, options, metrics, diagnostics);
    return answer(answers, machine, source, all_stages(), options, metrics, diagnostics);
}

enum status live_answers_evaluate_stage(struct live_answers *answers, const struct machine *machine,
                                        const struct trace_source *source, unsigned stages,
                                        const struct evaluate_options *options,
                                        struct metrics *metrics, struct diagnostics *diagnostics)
{
    return answer(answers, machine, source, stages, options, metrics, diagnostics);
}
