#include "explore/live_memory.h"

#include <stdlib.h>
#include <string.h>

#include "explore/simulate.h"
#include "model/area/area.h"
#include "model/replay.h"
#include "model/reuse/reuse.h"

/* Bytes of results, of all tapes, and of one of them. */
#define RESULT_BYTES ((uint64_t)16 << 20)
#define TAPES_BYTES  ((uint64_t)640 << 20)
#define TAPE_BYTES   ((uint64_t)256 << 20)

enum { TAPES_MAX = 32, LOADS_MAX = 2 };

struct kept_tape {
    struct stage_key key; /* of the stage that sent it */
    struct tape *tape;    /* NULL: a free place */
    uint64_t used;
};

struct live_memory {
    struct stage_cache *results;
    struct kept_tape tapes[TAPES_MAX];
    uint64_t clock;                       /* of uses */
    struct reuse_loads *loads[LOADS_MAX]; /* the last used first; NULL: a free place */
};

enum status live_memory_create(struct live_memory **result)
{
    struct live_memory *memory = calloc(1, sizeof *memory);
    *result = memory;
    if (!memory)
        return STATUS_MEMORY;
    enum status status = stage_cache_open(NULL, RESULT_BYTES, &memory->results, NULL);
    if (status) {
        free(memory);
        *result = NULL;
    }
    return status;
}

void live_memory_forget(struct live_memory *memory)
{
    for (size_t i = 0; i < TAPES_MAX; i++)
        tape_free(memory->tapes[i].tape);
    memset(memory->tapes, 0, sizeof memory->tapes);
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

/* ---- tapes ------------------------------------------------------------------------------------
 */

static const struct tape *find_tape(struct live_memory *memory, const struct stage_key *key)
{
    for (size_t i = 0; i < TAPES_MAX; i++) {
        struct kept_tape *kept = &memory->tapes[i];
        if (kept->tape && !memcmp(&kept->key, key, sizeof *key)) {
            kept->used = ++memory->clock;
            return kept->tape;
        }
    }
    return NULL;
}

/* A free place, or that of the tape that was used longest ago; its tape goes. */
static struct kept_tape *free_place(struct live_memory *memory)
{
    struct kept_tape *oldest = &memory->tapes[0];
    for (size_t i = 0; i < TAPES_MAX && oldest->tape; i++)
        if (!memory->tapes[i].tape || memory->tapes[i].used < oldest->used)
            oldest = &memory->tapes[i];
    tape_free(oldest->tape);
    *oldest = (struct kept_tape){0};
    return oldest;
}

static uint64_t tapes_bytes(const struct live_memory *memory, size_t *count)
{
    uint64_t bytes = 0;
    *count = 0;
    for (size_t i = 0; i < TAPES_MAX; i++)
        if (memory->tapes[i].tape) {
            bytes += tape_bytes(memory->tapes[i].tape);
            ++*count;
        }
    return bytes;
}

/* Frees the tapes used longest ago until the rest, and one more of `bytes`, is within the bound. */
static void make_room(struct live_memory *memory, uint64_t bytes)
{
    size_t count;
    while (tapes_bytes(memory, &count) + bytes > TAPES_BYTES && count) {
        struct kept_tape *oldest = NULL;
        for (size_t i = 0; i < TAPES_MAX; i++)
            if (memory->tapes[i].tape && (!oldest || memory->tapes[i].used < oldest->used))
                oldest = &memory->tapes[i];
        tape_free(oldest->tape);
        *oldest = (struct kept_tape){0};
    }
}

/* Takes a tape over, if it was recorded to the end. */
static void keep_tape(struct live_memory *memory, const struct stage_key *key, struct tape *tape)
{
    if (!tape || !tape_whole(tape)) {
        tape_free(tape);
        return;
    }
    make_room(memory, tape_bytes(tape));
    *free_place(memory) = (struct kept_tape){.key = *key, .tape = tape, .used = ++memory->clock};
}

/* ---- what has to be done ----------------------------------------------------------------------
 */

/* How an answer comes about. */
struct way {
    unsigned known;                             /* stages whose results are remembered */
    unsigned through;                           /* stages that have to be simulated on the stream */
    const struct tape *stream, *misses, *walks; /* what is there of the streams */
    bool replay_l2, replay_pwc;                 /* from misses and walks alone */
    struct stage_key stream_key, l1d_key, tlb_key;
};

static const unsigned all_stages = STAGE_STREAM | STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_PWC;

/* Finds the way; fills in the metrics that are known. */
static void find_way(struct live_memory *memory, const struct machine *machine,
                     const struct trace_source *source, unsigned needs, struct metrics *metrics,
                     struct way *way)
{
    *way = (struct way){.stream_key = stage_key(source->digest, machine, STAGE_STREAM),
                        .l1d_key = stage_key(source->digest, machine, STAGE_L1D),
                        .tlb_key = stage_key(source->digest, machine, STAGE_TLB)};
    for (size_t s = 0; s < STAGE_COUNT; s++) {
        if (!(simulated_stages[s] & all_stages))
            continue;
        const struct stage_question question = {.asked = simulated_stages[s], .needs = needs};
        if (stages_recall(memory->results, source->digest, &question, machine, metrics))
            way->known |= simulated_stages[s];
    }
    way->stream = find_tape(memory, &way->stream_key);
    way->misses = find_tape(memory, &way->l1d_key);
    way->walks = find_tape(memory, &way->tlb_key);
    unsigned missing = all_stages & ~way->known;
    bool coupled = machine_couples(machine);
    way->replay_l2 = !coupled && way->misses && (missing & (STAGE_L1D | STAGE_L2)) == STAGE_L2;
    way->replay_pwc = !coupled && way->walks && (missing & (STAGE_TLB | STAGE_PWC)) == STAGE_PWC;
    if (coupled && missing & ~(unsigned)STAGE_STREAM) /* one cannot be had without the others */
        missing |= STAGE_L1D | STAGE_L2 | STAGE_TLB | STAGE_PWC;
    if (missing & (STAGE_L1D | STAGE_L2) && !way->replay_l2)
        way->through |= STAGE_STREAM | STAGE_L1D | STAGE_L2;
    if (missing & (STAGE_TLB | STAGE_PWC) && !way->replay_pwc)
        way->through |= STAGE_STREAM | STAGE_TLB | STAGE_PWC;
    if (missing & STAGE_STREAM) {
        way->through |= STAGE_STREAM;
        way->stream = NULL; /* only the source knows what else it has */
    }
}

uint64_t live_memory_cost(struct live_memory *memory, const struct machine *machine,
                          const struct trace_source *source, unsigned needs)
{
    struct metrics metrics;
    struct way way;
    find_way(memory, machine, source, needs, &metrics, &way);
    if (way.through && !way.stream)
        return UINT64_MAX;
    uint64_t cost = way.through ? tape_requests(way.stream) : 0;
    cost += way.replay_l2 ? tape_requests(way.misses) : 0;
    return cost + (way.replay_pwc ? tape_requests(way.walks) : 0);
}

static void take_metrics(const struct metrics *from, unsigned stages, struct metrics *to)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        if (metric_table[i].stage & stages)
            metric_set(&metric_table[i], to, metric_get(&metric_table[i], from));
}

/* Simulates way->through on the stream, from its tape or the source, and keeps what passes. */
static enum status run_through(struct live_memory *memory, const struct way *way,
                               const struct machine *machine, const struct trace_source *source,
                               const struct evaluate_options *options, struct metrics *metrics,
                               struct diagnostics *diagnostics)
{
    struct machine reduced;
    struct metrics found;
    stage_machine(machine, way->through, &reduced);
    /* An optimum decides its misses only at the end: nothing goes on to the L2. */
    bool l1d = reduced.l1d.enabled && reduced.l1d.replacement != REPLACEMENT_OPT && !way->misses;
    bool tlb = reduced.tlb.enabled && !way->walks;
    struct tapes tapes = {way->stream ? NULL : tape_create(TAPE_BYTES),
                          l1d ? tape_create(TAPE_BYTES) : NULL,
                          tlb ? tape_create(TAPE_BYTES) : NULL};
    struct evaluate_options recording = *options;
    recording.record = &tapes;
    metrics_clear(&found);
    enum status status = way->stream
                             ? replay_stream(&reduced, way->stream, &recording, &found, diagnostics)
                             : evaluate(&reduced, source, &recording, &found, diagnostics);
    if (status) {
        tape_free(tapes.stream);
        tape_free(tapes.misses);
        tape_free(tapes.walks);
        return status;
    }
    /* A stream that was replayed said nothing about itself. */
    take_metrics(&found, way->through & ~(way->stream ? (unsigned)STAGE_STREAM : 0), metrics);
    keep_tape(memory, &way->stream_key, tapes.stream);
    keep_tape(memory, &way->l1d_key, tapes.misses);
    keep_tape(memory, &way->tlb_key, tapes.walks);
    return STATUS_OK;
}

static enum status follow_way(struct live_memory *memory, const struct way *way,
                              const struct machine *machine, const struct trace_source *source,
                              const struct evaluate_options *options, struct metrics *metrics,
                              struct diagnostics *diagnostics)
{
    struct metrics found;
    enum status status = STATUS_OK;
    metrics_clear(&found);
    /* The replays first: recording may push their tapes out. */
    if (way->replay_l2) {
        status = replay_misses(machine, way->misses, options, &found, diagnostics);
        take_metrics(&found, STAGE_L2, metrics);
    }
    if (!status && way->replay_pwc) {
        status = replay_walks(machine, way->walks, options, &found);
        take_metrics(&found, STAGE_PWC, metrics);
    }
    if (!status && way->through)
        status = run_through(memory, way, machine, source, options, metrics, diagnostics);
    return status;
}

static struct stage_question question_of(enum depth depth, unsigned asked, unsigned needs)
{
    const bool reuse = depth == DEPTH_REUSE;
    return (struct stage_question){.depth = depth,
                                   .stages = reuse ? stage_chain(STAGE_REUSE, false) : all_stages,
                                   .asked = reuse ? STAGE_REUSE : asked,
                                   .needs = needs};
}

bool live_memory_recall(struct live_memory *memory, const struct machine *machine,
                        const struct trace_source *source, enum depth depth, enum stage stage,
                        unsigned needs, struct metrics *metrics)
{
    const struct stage_question question = question_of(depth, stage, needs);
    metrics_clear(metrics);
    return stages_recall(memory->results, source->digest, &question, machine, metrics);
}

void live_memory_keep(struct live_memory *memory, const struct machine *machine,
                      const struct trace_source *source, enum depth depth, unsigned needs,
                      const struct metrics *metrics)
{
    const struct stage_question question = question_of(depth, all_stages, needs);
    stages_remember(memory->results, source->digest, &question, machine, metrics, 1);
}

/* ---- the reuse depth --------------------------------------------------------------------------
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

static enum status run_reuse(struct live_memory *memory, const struct machine *machine,
                             const struct trace_source *source,
                             const struct evaluate_options *options, struct metrics *metrics,
                             struct diagnostics *diagnostics)
{
    struct part_of_progress part = {options, 0, READING_SHARE};
    struct evaluate_options inner = *options;
    inner.progress = options->progress ? report_part : NULL;
    inner.argument = &part;
    enum status status =
        live_memory_loads(memory, machine, source, &inner, &inner.loads, diagnostics);
    part = (struct part_of_progress){options, READING_SHARE, 1 - READING_SHARE};
    return status ? status : evaluate(machine, source, &inner, metrics, diagnostics);
}

static enum status evaluate_reuse(struct live_memory *memory, const struct machine *machine,
                                  const struct trace_source *source,
                                  const struct evaluate_options *options, struct metrics *metrics,
                                  struct diagnostics *diagnostics)
{
    if (live_memory_recall(memory, machine, source, DEPTH_REUSE, STAGE_REUSE, options->needs,
                           metrics)) {
        metrics_derive(metrics);
        area_evaluate(machine, metrics);
        return STATUS_OK;
    }
    enum status status = run_reuse(memory, machine, source, options, metrics, diagnostics);
    if (!status)
        live_memory_keep(memory, machine, source, DEPTH_REUSE, options->needs, metrics);
    return status;
}

enum status live_memory_detail(struct live_memory *memory, const struct machine *machine,
                               const struct trace_source *source,
                               const struct evaluate_options *options,
                               struct diagnostics *diagnostics)
{
    struct metrics metrics;
    struct machine reduced;
    if (options->depth == DEPTH_REUSE)
        return run_reuse(memory, machine, source, options, &metrics, diagnostics);
    const struct stage_key key = stage_key(source->digest, machine, STAGE_STREAM);
    const struct tape *stream = find_tape(memory, &key);
    stage_machine(machine, stage_chain(STAGE_L1D, false), &reduced);
    metrics_clear(&metrics);
    return stream ? replay_stream(&reduced, stream, options, &metrics, diagnostics)
                  : evaluate(&reduced, source, options, &metrics, diagnostics);
}

enum status live_memory_evaluate(struct live_memory *memory, const struct machine *machine,
                                 const struct trace_source *source,
                                 const struct evaluate_options *options, struct metrics *metrics,
                                 struct diagnostics *diagnostics)
{
    struct way way;
    if (options->depth == DEPTH_REUSE)
        return evaluate_reuse(memory, machine, source, options, metrics, diagnostics);
    metrics_clear(metrics);
    find_way(memory, machine, source, options->needs, metrics, &way);
    enum status status = follow_way(memory, &way, machine, source, options, metrics, diagnostics);
    if (status)
        return status;
    metrics_derive(metrics);
    if (way.known != all_stages)
        live_memory_keep(memory, machine, source, DEPTH_FUNCTIONAL, options->needs, metrics);
    area_evaluate(machine, metrics);
    return STATUS_OK;
}
