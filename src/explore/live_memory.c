#include "explore/live_memory.h"

#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "explore/kept_streams.h"
#include "explore/simulate.h"
#include "model/area/area.h"
#include "model/replay.h"
#include "model/reuse/reuse.h"

/* Bytes of results, and of one tape where nothing else is asked for. */
#define RESULT_BYTES ((uint64_t)16 << 20)
#define TAPE_BYTES   ((uint64_t)256 << 20)

/* Of all streams: as many times the one of the requests. That is what one machine needs: the
 * requests, how the slices get them (1.6 times as much), or what an L1D sends and how it is dealt,
 * and a dozen passages of other L1Ds; what more would keep is rarely asked for again, as results
 * are remembered. Of short streams a quarter of the longest one is no matter. */
enum { STREAM_TIMES = 4, FLOOR_PART = 4 };

enum { LOADS_MAX = 2 };

struct live_memory {
    int threads;
    uint64_t tape_bytes; /* of one tape; all streams: three times this at most */
    struct stage_cache *results;
    struct stage_key endless; /* of the stream that was too long for a tape */
    struct kept_streams kept;
    struct reuse_loads *loads[LOADS_MAX]; /* the last used first; NULL: a free place */
};

/* NULL: the stream is not known, or is too long for a tape. */
static void bound_streams(struct live_memory *memory, const struct tape *stream)
{
    const uint64_t most = 3 * memory->tape_bytes, least = memory->tape_bytes / FLOOR_PART;
    uint64_t limit = stream ? STREAM_TIMES * tape_bytes(stream) : most;
    memory->kept.limit = limit < least ? least : limit > most ? most : limit;
}

uint64_t live_memory_bytes(const struct live_memory *memory, uint64_t *limit)
{
    *limit = memory->kept.limit;
    return kept_streams_bytes(&memory->kept);
}

enum status live_memory_create(int threads, uint64_t tape_bytes, struct live_memory **result)
{
    struct live_memory *memory = calloc(1, sizeof *memory);
    *result = memory;
    if (!memory)
        return STATUS_MEMORY;
    memory->threads = threads > 0 ? threads : omp_get_max_threads();
    memory->tape_bytes = tape_bytes ? tape_bytes : TAPE_BYTES;
    bound_streams(memory, NULL);
    enum status status = stage_cache_open(NULL, RESULT_BYTES, &memory->results, NULL);
    if (status) {
        free(memory);
        *result = NULL;
    }
    return status;
}

void live_memory_forget(struct live_memory *memory)
{
    kept_streams_forget(&memory->kept);
    bound_streams(memory, NULL);
    memory->endless = (struct stage_key){{0}};
    for (size_t i = 0; i < LOADS_MAX; i++) {
        reuse_loads_free(memory->loads[i]);
        memory->loads[i] = NULL;
    }
}

void live_memory_free(struct live_memory *memory)
{
    if (!memory)
        return;
    live_memory_forget(memory);
    stage_cache_close(memory->results, NULL);
    free(memory);
}

/* ---- what has to be done ----------------------------------------------------------------------
 */

/* The stages that a kept stream can be replayed through; others need the source. */
enum { REPLAYED = STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_PWC };

static unsigned all_stages(void)
{
    return depth_table[DEPTH_FUNCTIONAL].stages;
}

/* How an answer comes about. */
struct way {
    unsigned missing;                           /* stages whose results are not remembered */
    const struct tape *stream, *misses, *walks; /* what is there of the streams */
    const struct passage *passage;              /* instead of misses: to read with the stream */
    bool coupled;
    struct stage_key stream_key, l1d_key, tlb_key;
};

/* The stages of `asked` that this machine has. Nothing can stand behind an offline L1D. */
static unsigned answered_stages(const struct machine *machine, unsigned asked)
{
    bool offline = machine->l1d.enabled && cache_is_offline(&machine->l1d);
    return machine_stages(machine) & asked & ~(offline ? (unsigned)STAGE_L2 : 0);
}

/* Whether the L1D's misses need no tape. */
static bool has_passage(const struct machine *machine, const struct tape *stream, unsigned needs)
{
    return stream && passage_applies(machine, stream) && replay_l2_deals(machine, needs);
}

static void find_misses(struct live_memory *memory, const struct machine *machine, unsigned needs,
                        struct way *way)
{
    if (has_passage(machine, way->stream, needs))
        way->passage = kept_passage(&memory->kept, &way->l1d_key);
    if (!machine->l1d.enabled)
        way->misses = way->stream;
    else if (!way->passage)
        way->misses = kept_tape(&memory->kept, &way->l1d_key);
    const struct tape *dealt = way->passage ? way->stream : way->misses;
    if (dealt) /* what will be used again is not what goes first */
        (void)kept_deal(&memory->kept, dealt, &machine->l2, way->passage != NULL);
}

/* Finds the way; fills in the metrics that are known. */
static void find_way(struct live_memory *memory, const struct machine *machine,
                     const struct trace_source *source, unsigned asked, unsigned needs,
                     struct metrics *metrics, struct way *way)
{
    *way = (struct way){.stream_key = stage_key(source->digest, machine, STAGE_STREAM),
                        .l1d_key = stage_key(source->digest, machine, STAGE_L1D),
                        .tlb_key = stage_key(source->digest, machine, STAGE_TLB)};
    for (unsigned left = answered_stages(machine, asked & all_stages()); left; left &= left - 1) {
        const struct stage_question question = {.asked = stage_lowest(left), .needs = needs};
        if (!stages_recall(memory->results, source->digest, &question, machine, metrics))
            way->missing |= question.asked;
    }
    way->stream = kept_tape(&memory->kept, &way->stream_key);
    way->walks = kept_tape(&memory->kept, &way->tlb_key);
    find_misses(memory, machine, needs, way);
    /* Where walks go through the L2, both decide about both: one cannot be had without the other.
     */
    way->coupled = machine_couples(machine);
    if (way->coupled && way->missing & (STAGE_L2 | STAGE_PWC))
        way->missing |= STAGE_L2 | STAGE_PWC;
}

static bool has_misses(const struct way *way)
{
    return way->misses || way->passage;
}

/* Whether a stage is missing that no kept stream can answer. */
static bool needs_source(const struct way *way)
{
    return way->missing & ~(unsigned)(STAGE_STREAM | REPLAYED);
}

/* Whether a stage has to look at the stream of requests. */
static bool needs_stream(const struct way *way)
{
    bool second = way->missing & (STAGE_L2 | STAGE_PWC);
    bool misses = way->missing & STAGE_L1D || (way->missing & STAGE_L2 && !has_misses(way));
    bool walks = way->missing & STAGE_TLB || (way->missing & STAGE_PWC && !way->walks);
    return misses || walks || needs_source(way) || (way->coupled && second);
}

uint64_t live_memory_cost(struct live_memory *memory, const struct machine *machine,
                          const struct trace_source *source, unsigned needs)
{
    struct metrics metrics;
    struct way way;
    find_way(memory, machine, source, all_stages(), needs, &metrics, &way);
    if (way.missing & STAGE_STREAM || needs_source(&way) || (needs_stream(&way) && !way.stream))
        return UINT64_MAX;
    uint64_t cost = needs_stream(&way) ? tape_requests(way.stream) : 0;
    if (way.coupled)
        return cost;
    if (way.missing & STAGE_L2 && has_misses(&way))
        cost += way.passage ? way.passage->count : tape_requests(way.misses);
    if (way.missing & STAGE_PWC && way.walks)
        cost += tape_requests(way.walks);
    return cost;
}

/* ---- doing it ---------------------------------------------------------------------------------
 */

/* An answer that is being worked out. */
struct work {
    struct live_memory *memory;
    struct way way;
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

/* Takes what was found of stages, and remembers it at once: a later stage may be cancelled. */
static void take_stages(struct work *work, const struct metrics *found, unsigned stages,
                        unsigned needs)
{
    const struct stage_question question = {.stages = stages, .needs = needs};
    take_metrics(found, stages, work->metrics);
    work->way.missing &= ~stages;
    stages_remember(work->memory->results, work->source->digest, &question, work->machine, found,
                    1);
}

/* Takes a tape over, if it was recorded to the end; NULL: it was not, or there is no room. */
static const struct tape *take_tape(struct work *work, const struct stage_key *key,
                                    struct tape *tape)
{
    if (tape && !tape_finish(tape)) {
        tape_free(tape);
        return NULL;
    }
    return keep_tape(&work->memory->kept, key, tape) ? tape : NULL;
}

/* Evaluates on the source. A long walk is not made twice: it
 * finds out all that a report says.
 */
static enum status walk_source(struct work *work, unsigned stages, const struct tapes *tapes)
{
    struct machine reduced;
    struct metrics found;
    struct evaluate_options recording = *work->options;
    stage_machine(work->machine, stages, &reduced);
    recording.needs |= NEED_REPORT;
    recording.record = tapes;
    metrics_clear(&found);
    enum status status = evaluate(&reduced, work->source, &recording, &found, work->diagnostics);
    if (!status)
        take_stages(work, &found, stages, recording.needs);
    return status;
}

/* Records the stream alone. A source that is too long for a tape is known from then on. */
static enum status record_stream(struct work *work)
{
    struct way *way = &work->way;
    struct tapes tapes = {.stream = tape_create((unsigned)work->machine->gpu.sms, PLACE_INSTRUCTION,
                                                work->memory->tape_bytes)};
    enum status status = walk_source(work, STAGE_STREAM, &tapes);
    if (status) {
        tape_free(tapes.stream);
        return status;
    }
    way->stream = take_tape(work, &way->stream_key, tapes.stream);
    bound_streams(work->memory, way->stream);
    if (!way->stream)
        work->memory->endless = way->stream_key;
    if (!work->machine->l1d.enabled)
        way->misses = way->stream;
    return STATUS_OK;
}

/* Everything that is missing at once, on the source. The streams behind the first level may be
 * short enough to be kept all the same. */
static enum status walk_everything(struct work *work)
{
    struct way *way = &work->way;
    unsigned units = (unsigned)work->machine->gpu.sms;
    unsigned stages = 0;
    for (unsigned left = way->missing; left; left &= left - 1)
        stages |= stage_chain(stage_lowest(left), way->coupled);
    bool misses = stages & STAGE_L1D && !has_misses(way);
    struct tapes tapes = {
        NULL, misses ? tape_create(units, PLACE_REQUEST, work->memory->tape_bytes) : NULL,
        stages & STAGE_TLB ? tape_create(units, PLACE_PC, work->memory->tape_bytes) : NULL};
    enum status status = walk_source(work, stages | STAGE_STREAM, &tapes);
    if (status) {
        tape_free(tapes.misses);
        tape_free(tapes.walks);
        return status;
    }
    way->misses = take_tape(work, &way->l1d_key, tapes.misses);
    way->walks = take_tape(work, &way->tlb_key, tapes.walks);
    return STATUS_OK;
}

/* Simulates an L1D of which a passage says what it sends on, and keeps that. */
static enum status replay_passage(struct work *work, const struct replay *replay,
                                  struct metrics *found)
{
    struct way *way = &work->way;
    struct passage *passage = passage_create(work->machine, way->stream);
    enum status status = passage ? replay_l1d(replay, found, NULL, passage) : STATUS_MEMORY;
    if (status)
        passage_free(passage);
    else if (keep_passage(&work->memory->kept, &way->l1d_key, passage))
        way->passage = passage;
    return status;
}

/* Simulates a first level and keeps a tape of what it sends on. */
static enum status replay_taped(struct work *work, const struct replay *replay, enum stage stage,
                                struct metrics *found)
{
    struct way *way = &work->way;
    struct tape *sent =
        tape_create(way->stream->units, stage == STAGE_L1D ? PLACE_REQUEST : PLACE_PC,
                    work->memory->tape_bytes);
    enum status status = stage == STAGE_L1D ? replay_l1d(replay, found, sent, NULL)
                                            : replay_tlb(replay, found, sent);
    if (status)
        tape_free(sent);
    else if (stage == STAGE_L1D)
        way->misses = take_tape(work, &way->l1d_key, sent);
    else
        way->walks = take_tape(work, &way->tlb_key, sent);
    return status;
}

/* Simulates a first level on the tape of the stream; `recorded`: somebody will want what it sends
 * on, and it is not there. */
static enum status replay_first(struct work *work, enum stage stage, bool recorded)
{
    const struct tape *stream = work->way.stream;
    const unsigned needs = work->options->needs;
    const struct replay replay = {work->machine, stream, work->options, work->memory->threads,
                                  work->diagnostics};
    struct metrics found;
    enum status status;
    metrics_clear(&found);
    if (recorded && stage == STAGE_L1D && has_passage(work->machine, stream, needs))
        status = replay_passage(work, &replay, &found);
    else if (recorded)
        status = replay_taped(work, &replay, stage, &found);
    else
        status = stage == STAGE_L1D ? replay_l1d(&replay, &found, NULL, NULL)
                                    : replay_tlb(&replay, &found, NULL);
    if (!status)
        take_stages(work, &found, stage, needs);
    return status;
}

/* The L2 on what comes to it. How its slices get that is kept as well. */
static enum status replay_slices(struct work *work, const struct replay *replay,
                                 struct metrics *found)
{
    struct kept_streams *kept = &work->memory->kept;
    const struct passage *passage = work->way.passage;
    if (!replay_l2_deals(work->machine, work->options->needs))
        return replay_l2(replay, NULL, NULL, found);
    const struct deal *deal = kept_deal(kept, replay->tape, &work->machine->l2, passage != NULL);
    struct deal *made = NULL;
    enum status status = deal ? STATUS_OK : deal_create(replay, passage != NULL, &made);
    if (!status)
        status = replay_l2(replay, deal ? deal : made, passage, found);
    if (made)
        keep_deal(kept, made);
    return status;
}

/* Simulates what is behind a first level, on the tape of it. */
static enum status replay_second(struct work *work, enum stage stage)
{
    const struct way *way = &work->way;
    const struct tape *misses = way->passage ? way->stream : way->misses;
    const struct replay replay = {work->machine, stage == STAGE_L2 ? misses : way->walks,
                                  work->options, work->memory->threads, work->diagnostics};
    struct metrics found;
    metrics_clear(&found);
    enum status status =
        stage == STAGE_L2 ? replay_slices(work, &replay, &found) : replay_walks(&replay, &found);
    if (!status)
        take_stages(work, &found, stage, work->options->needs);
    return status;
}

/* One side of the machine: a first level and what is behind it. Its results come before anything
 * that another stream could push out. */
static enum status replay_side(struct work *work, enum stage first, enum stage second)
{
    const struct way *way = &work->way;
    unsigned missing = way->missing;
    bool sent = first == STAGE_L1D ? has_misses(way) : way->walks != NULL;
    enum status status = STATUS_OK;
    if (missing & first || (missing & second && !sent))
        status = replay_first(work, first, missing & second && !sent);
    sent = first == STAGE_L1D ? has_misses(way) : way->walks != NULL;
    if (!status && missing & second)
        status = sent ? replay_second(work, second) : walk_everything(work);
    return status;
}

/* Both sides at once, in order: walks go through the L2. */
static enum status replay_coupled(struct work *work)
{
    const unsigned stages = REPLAYED;
    struct machine reduced;
    struct metrics found;
    stage_machine(work->machine, STAGE_STREAM | stages, &reduced);
    const struct replay replay = {&reduced, work->way.stream, work->options, work->memory->threads,
                                  work->diagnostics};
    metrics_clear(&found);
    enum status status = replay_stream(&replay, &found);
    if (!status)
        take_stages(work, &found, stages, work->options->needs);
    return status;
}

/* The caches are done: the streams between them may go. */
static void hold_translation(struct work *work)
{
    struct kept_streams *kept = &work->memory->kept;
    kept_streams_hold(kept);
    (void)kept_tape(kept, &work->way.stream_key);
    (void)kept_tape(kept, &work->way.tlb_key);
}

static enum status do_work(struct work *work)
{
    struct way *way = &work->way;
    enum status status = STATUS_OK;
    bool endless = !memcmp(&work->memory->endless, &way->stream_key, sizeof way->stream_key);
    bool from_source = way->missing & STAGE_STREAM || (needs_stream(way) && !way->stream);
    if (from_source && !endless)
        status = record_stream(work);
    if (!status && (needs_source(way) || (needs_stream(way) && !way->stream)))
        status = walk_everything(work);
    if (!status && way->missing & STAGE_STREAM)
        status = record_stream(work);
    if (!status && way->coupled && way->missing & (STAGE_L2 | STAGE_PWC))
        status = replay_coupled(work);
    if (!status)
        status = replay_side(work, STAGE_L1D, STAGE_L2);
    if (status)
        return status;
    hold_translation(work);
    return replay_side(work, STAGE_TLB, STAGE_PWC);
}

static enum status answer(struct live_memory *memory, const struct machine *machine,
                          const struct trace_source *source, unsigned asked,
                          const struct evaluate_options *options, struct metrics *metrics,
                          struct diagnostics *diagnostics)
{
    struct work work = {.memory = memory,
                        .machine = machine,
                        .source = source,
                        .options = options,
                        .metrics = metrics,
                        .diagnostics = diagnostics};
    metrics_clear(metrics);
    kept_streams_hold(&memory->kept);
    find_way(memory, machine, source, asked, options->needs, metrics, &work.way);
    enum status status = do_work(&work);
    if (!status)
        metrics_derive(metrics);
    return status;
}

bool live_memory_recall(struct live_memory *memory, const struct machine *machine,
                        const struct trace_source *source, enum depth depth, unsigned stages,
                        unsigned needs, struct metrics *metrics)
{
    const struct stage_question question = {
        .depth = depth, .asked = depth_results(depth, stages), .needs = needs};
    metrics_clear(metrics);
    bool known = stages_recall(memory->results, source->digest, &question, machine, metrics);
    metrics_derive(metrics); /* what is remembered are counts */
    return known;
}

void live_memory_keep(struct live_memory *memory, const struct machine *machine,
                      const struct trace_source *source, const struct evaluate_options *options,
                      const struct metrics *metrics)
{
    const struct stage_question question = {
        .depth = options->depth, .stages = depth_reads(options->depth), .needs = options->needs};
    stages_remember(memory->results, source->digest, &question, machine, metrics, 1);
}

/* ---- depths that are not factored
 * --------------------------------------------------------------------------
 */

enum status live_memory_loads(struct live_memory *memory, const struct machine *machine,
                              const struct trace_source *source,
                              const struct evaluate_options *options,
                              const struct reuse_loads **loads, struct diagnostics *diagnostics)
{
    struct reuse_loads **places = memory->loads, *found = NULL;
    size_t place = 0;
    while (place < LOADS_MAX && !reuse_loads_serve(places[place], machine))
        place++;
    enum status status = STATUS_OK;
    if (place < LOADS_MAX) {
        found = places[place];
    } else { /* instead of those that were used longest ago */
        status =
            reuse_loads_create(machine, source, REUSE_LOADS_BYTES, options, &found, diagnostics);
        place = LOADS_MAX - 1;
        if (found)
            reuse_loads_free(places[place]);
    }
    if (found) {
        memmove(places + 1, places, place * sizeof(struct reuse_loads *));
        places[0] = found;
    }
    *loads = found;
    return status;
}

/* Reading is told as the first part of the progress. */
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

static enum status run_whole(struct live_memory *memory, const struct machine *machine,
                             const struct trace_source *source,
                             const struct evaluate_options *options, struct metrics *metrics,
                             struct diagnostics *diagnostics)
{
    struct part_of_progress part = {options, 0, READING_SHARE};
    struct evaluate_options inner = *options;
    if (!depth_can(options->depth, DEPTH_DISTANCES)) /* it reads no loads that could be kept */
        return evaluate(machine, source, options, metrics, diagnostics);
    inner.progress = options->progress ? report_part : NULL;
    inner.argument = &part;
    enum status status =
        live_memory_loads(memory, machine, source, &inner, &inner.loads, diagnostics);
    part = (struct part_of_progress){options, READING_SHARE, 1 - READING_SHARE};
    return status ? status : evaluate(machine, source, &inner, metrics, diagnostics);
}

static enum status evaluate_whole(struct live_memory *memory, const struct machine *machine,
                                  const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics)
{
    const enum depth depth = options->depth;
    if (live_memory_recall(memory, machine, source, depth, depth_table[depth].stages,
                           options->needs, metrics)) {
        metrics_derive(metrics);
        area_evaluate(machine, metrics);
        return STATUS_OK;
    }
    enum status status = run_whole(memory, machine, source, options, metrics, diagnostics);
    if (!status)
        live_memory_keep(memory, machine, source, options, metrics);
    return status;
}

enum status live_memory_detail(struct live_memory *memory, const struct machine *machine,
                               const struct trace_source *source,
                               const struct evaluate_options *options,
                               struct diagnostics *diagnostics)
{
    struct metrics metrics;
    struct machine reduced;
    if (!depth_can(options->depth, DEPTH_FACTORED))
        return run_whole(memory, machine, source, options, &metrics, diagnostics);
    const struct stage_key key = stage_key(source->digest, machine, STAGE_STREAM);
    const struct tape *stream = kept_tape(&memory->kept, &key);
    stage_machine(machine, stage_chain(STAGE_L1D, false), &reduced);
    metrics_clear(&metrics);
    const struct replay replay = {&reduced, stream, options, memory->threads, diagnostics};
    return stream ? replay_stream(&replay, &metrics)
                  : evaluate(&reduced, source, options, &metrics, diagnostics);
}

enum status live_memory_evaluate(struct live_memory *memory, const struct machine *machine,
                                 const struct trace_source *source,
                                 const struct evaluate_options *options, struct metrics *metrics,
                                 struct diagnostics *diagnostics)
{
    if (!depth_can(options->depth, DEPTH_FACTORED))
        return evaluate_whole(memory, machine, source, options, metrics, diagnostics);
    enum status status =
        answer(memory, machine, source, all_stages(), options, metrics, diagnostics);
    if (!status)
        area_evaluate(machine, metrics);
    return status;
}

enum status live_memory_evaluate_stage(struct live_memory *memory, const struct machine *machine,
                                       const struct trace_source *source, unsigned stages,
                                       const struct evaluate_options *options,
                                       struct metrics *metrics, struct diagnostics *diagnostics)
{
    return answer(memory, machine, source, stages, options, metrics, diagnostics);
}
