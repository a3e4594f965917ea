#include "model/timing/run_difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/timing/tile_events.h"

enum { CYCLES_AT_ONCE = 4096 };

_Static_assert(sizeof(struct timing_event) == 32,
               "events without padding can be compared as bytes");

/* The events of one place that one run has had and the other not yet. */
struct lane {
    struct timing_event *items;
    size_t first, count, capacity;
    int ahead;   /* the run that has had them */
    bool closed; /* the other's next event differs from the first of them, whatever it is */
};

struct comparison;

struct side;
struct side_kind { /* what runs: kernels or a scene */
    enum status (*open)(const struct compared_run *run, const struct evaluate_options *how,
                        struct side *side, struct diagnostics *diagnostics);
    enum status (*advance)(struct side *side, uint64_t cycle);
    uint64_t (*cycle)(const struct side *side); /* up to which it has run; UINT64_MAX: to its end */
    enum status (*read)(struct side *side);
    void (*close)(struct side *side);
};

struct side {
    struct comparison *comparison;
    const struct compared_run *compared;
    const struct evaluate_options *how;
    const struct side_kind *kind;
    int run;
    struct gpu *gpu;
    struct gpu_options options;
    struct tile_run *scene;
    struct event_watch watch;
    uint64_t cycles; /* of the launches, or passes, before the one that runs */
    uint32_t passes; /* that have ended */
    double reported;
    struct diagnostics *diagnostics;
};

struct comparison {
    struct run_difference *difference;
    struct lane *lanes; /* beside difference->places */
    size_t offsets[EVENT_PARTS];
    struct side sides[RUNS_COMPARED];
    enum status status;
};

static void part_place(struct comparison *comparison, size_t at, const struct timing_event *a,
                       const struct timing_event *b)
{
    struct place_difference *place = &comparison->difference->places[at];
    struct lane *lane = &comparison->lanes[at];
    const struct timing_event *const events[RUNS_COMPARED] = {a, b};
    place->parted = true;
    place->cycle = UINT64_MAX;
    for (int i = 0; i < RUNS_COMPARED; i++) {
        place->has[i] = events[i];
        if (!events[i])
            continue;
        place->events[i] = *events[i];
        if (events[i]->cycle < place->cycle)
            place->cycle = events[i]->cycle;
    }
    free(lane->items);
    *lane = (struct lane){0};
}

static void lane_keep(struct comparison *comparison, struct lane *lane, int run,
                      const struct timing_event *event)
{
    if (array_reserve(&lane->items, &lane->capacity, lane->first + lane->count + 1)) {
        comparison->status = STATUS_MEMORY;
        return;
    }
    lane->ahead = run;
    lane->items[lane->first + lane->count++] = *event;
}

/* Holds an event against the one in its place of the other run. */
static void lane_compare(struct comparison *comparison, int run, const struct timing_event *event)
{
    const size_t at = comparison->offsets[event_kinds[event->kind].part] + event->place;
    struct lane *lane = &comparison->lanes[at];
    if (comparison->difference->places[at].parted)
        return;
    if (!lane->count || lane->ahead == run) {
        if (!lane->closed)
            lane_keep(comparison, lane, run, event);
        return;
    }
    const struct timing_event *other = &lane->items[lane->first];
    if (memcmp(other, event, sizeof *event)) {
        const struct timing_event of_other = *other;
        part_place(comparison, at, run == RUN_A ? event : &of_other,
                   run == RUN_A ? &of_other : event);
        return;
    }
    lane->first = --lane->count ? lane->first + 1 : 0;
}

/* Memory goes on to the end of the span in which a run ends. Nobody waits for what it does there,
 * and spans of other machines have other lengths. */
static void difference_put(void *context, const struct timing_event *events, size_t count)
{
    const struct side *side = context;
    struct comparison *comparison = side->comparison;
    const uint64_t end = side->gpu && gpu_ended(side->gpu) ? side->cycles : UINT64_MAX;
    for (size_t i = 0; i < count && !comparison->status; i++) {
        if (events[i].cycle >= end && event_kinds[events[i].kind].part != PART_GPU)
            continue;
        comparison->difference->runs[side->run].events++;
        lane_compare(comparison, side->run, &events[i]);
    }
}

/* Where an event is earlier than `cycle`, up to which the other run has had all of its own, the two
 * differ: of this run no more is kept. */
static void close_lanes(struct comparison *comparison, int other, uint64_t cycle)
{
    for (size_t i = 0; i < comparison->difference->place_count; i++) {
        struct lane *lane = &comparison->lanes[i];
        if (lane->count && lane->ahead != other && lane->items[lane->first].cycle < cycle)
            lane->closed = true;
    }
}

/* What still waits for the other run's next event at the end has no partner. */
static void part_rest(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->difference->place_count; i++) {
        const struct lane *lane = &comparison->lanes[i];
        if (!lane->count)
            continue;
        const struct timing_event event = lane->items[lane->first];
        part_place(comparison, i, lane->ahead == RUN_A ? &event : NULL,
                   lane->ahead == RUN_B ? &event : NULL);
    }
}

/* ---- a run of kernels ---- */

static struct run_outcome *side_outcome(const struct side *side)
{
    return &side->comparison->difference->runs[side->run];
}

static void difference_launched(void *context, uint32_t launch, const struct gpu_counts *counts)
{
    struct side *side = context;
    side_outcome(side)->launches[launch] = counts->cycles - side->cycles;
    side->cycles = counts->cycles;
}

static enum status kernels_open(const struct compared_run *run, const struct evaluate_options *how,
                                struct side *side, struct diagnostics *diagnostics)
{
    struct run_outcome *outcome = side_outcome(side);
    side->watch = (struct event_watch){difference_put, side};
    side->options = (struct gpu_options){.threads = how->threads > 1 ? (uint32_t)how->threads : 1,
                                         .evaluate = how,
                                         .launched = difference_launched,
                                         .context = side,
                                         .pcs = &outcome->pcs,
                                         .warps = &outcome->warps,
                                         .events = &side->watch};
    return gpu_open(run->machine, run->source, &side->options, diagnostics, &side->gpu);
}

static enum status kernels_advance(struct side *side, uint64_t cycle)
{
    return gpu_advance(side->gpu, cycle);
}

static uint64_t kernels_cycle(const struct side *side)
{
    return gpu_ended(side->gpu) ? UINT64_MAX : gpu_cycle(side->gpu);
}

static enum status kernels_read(struct side *side)
{
    struct gpu_totals totals;
    struct run_outcome *outcome = side_outcome(side);
    const enum status status = gpu_read(side->gpu, &outcome->counts, &totals);
    timing_warps_sort(&outcome->warps);
    return status;
}

static void kernels_close(struct side *side)
{
    gpu_close(side->gpu);
}

static const struct side_kind kernels = {.open = kernels_open,
                                         .advance = kernels_advance,
                                         .cycle = kernels_cycle,
                                         .read = kernels_read,
                                         .close = kernels_close};

/* ---- a scene ---- */

/* All banks end a pass in the same cycle. */
static void scene_put(void *context, const struct timing_event *events, size_t count)
{
    struct side *side = context;
    if (events->kind == EVENT_tile_empty && !events->place) {
        side_outcome(side)->launches[side->passes++] = events->cycle - side->cycles;
        side->cycles = events->cycle;
    }
    difference_put(side, events, count);
}

static enum status scene_open(const struct compared_run *run, const struct evaluate_options *how,
                              struct side *side, struct diagnostics *diagnostics)
{
    side->watch = (struct event_watch){scene_put, side};
    side->diagnostics = diagnostics;
    side->how = how;
    const struct tile_run_options options = {
        .saw = tile_events_see, .context = &side->watch, .cancel = how->cancel};
    struct tile_run *scene = malloc(sizeof *scene);
    const enum status status =
        scene ? tile_run_open(scene, run->machine, run->source->tiles, &options, NULL, diagnostics)
              : STATUS_MEMORY;
    if (status)
        free(scene);
    else
        side->scene = scene;
    return status;
}

static enum status scene_advance(struct side *side, uint64_t cycle)
{
    const enum status status = tile_run_advance(side->scene, cycle, side->diagnostics);
    if (evaluate_due(side->how, &side->reported))
        side->how->progress(side->how->argument,
                            (double)side->passes / side->scene->stream->pass_count);
    return status;
}

static uint64_t scene_cycle(const struct side *side)
{
    return side->scene->stage == TILE_ENDED ? UINT64_MAX : side->scene->tiles.now;
}

static enum status scene_read(struct side *side)
{
    struct run_outcome *outcome = side_outcome(side);
    outcome->tiles = side->scene->tiles.counts;
    outcome->counts.cycles = outcome->tiles.cycles;
    return STATUS_OK;
}

static void scene_close(struct side *side)
{
    if (side->scene)
        tile_run_close(side->scene);
    free(side->scene);
}

static const struct side_kind scenes = {.open = scene_open,
                                        .advance = scene_advance,
                                        .cycle = scene_cycle,
                                        .read = scene_read,
                                        .close = scene_close};

/* ---- both runs ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A place for each of either machine's. */
static enum status make_places(const struct compared_run runs[RUNS_COMPARED],
                               struct comparison *comparison)
{
    const struct machine *a = runs[RUN_A].machine, *b = runs[RUN_B].machine;
    size_t counts[EVENT_PARTS];
    struct run_difference *difference = comparison->difference;
    for (unsigned i = 0; i < EVENT_PARTS; i++) {
        counts[i] =
            larger(event_places(a, (enum event_part)i), event_places(b, (enum event_part)i));
        comparison->offsets[i] = difference->place_count;
        difference->place_count += counts[i];
    }
    difference->places = calloc(difference->place_count, sizeof *difference->places);
    comparison->lanes = calloc(difference->place_count, sizeof *comparison->lanes);
    if (!difference->places || !comparison->lanes)
        return STATUS_MEMORY;
    for (unsigned i = 0; i < EVENT_PARTS; i++)
        for (size_t k = 0; k < counts[i]; k++)
            difference->places[comparison->offsets[i] + k] =
                (struct place_difference){.part = (enum event_part)i, .place = (uint32_t)k};
    return STATUS_OK;
}

static uint32_t count_launches(const struct trace_source *source)
{
    return source->tiles ? source->tiles->pass_count : source->launch_count;
}

static enum status open_side(const struct compared_run *run, const struct evaluate_options *how,
                             struct side *side, struct diagnostics *diagnostics)
{
    struct run_outcome *outcome = side_outcome(side);
    const uint32_t launches = count_launches(run->source);
    outcome->launches = calloc(launches, sizeof *outcome->launches);
    if (!outcome->launches && launches)
        return STATUS_MEMORY;
    side->kind = run->source->tiles ? &scenes : &kernels;
    return side->kind->open(run, how, side, diagnostics);
}

static enum status advance_both(struct comparison *comparison)
{
    struct side *sides = comparison->sides;
    enum status status = comparison->status;
    uint64_t cycles[RUNS_COMPARED] = {0};
    for (uint64_t cycle = CYCLES_AT_ONCE;
         !status && !(cycles[RUN_A] == UINT64_MAX && cycles[RUN_B] == UINT64_MAX);
         cycle += CYCLES_AT_ONCE) {
        for (int i = 0; !status && i < RUNS_COMPARED; i++)
            status = sides[i].kind->advance(&sides[i], cycle);
        for (int i = 0; i < RUNS_COMPARED; i++) {
            cycles[i] = sides[i].kind->cycle(&sides[i]);
            close_lanes(comparison, i, cycles[i]);
        }
        status = status ? status : comparison->status;
    }
    part_rest(comparison);
    return status;
}

static enum status read_both(struct comparison *comparison)
{
    enum status status = STATUS_OK;
    for (int i = 0; !status && i < RUNS_COMPARED; i++) {
        const struct machine *machine = comparison->sides[i].compared->machine;
        struct run_outcome *outcome = &comparison->difference->runs[i];
        status = comparison->sides[i].kind->read(&comparison->sides[i]);
        outcome->time = (double)outcome->counts.cycles / (double)machine->gpu.clock;
    }
    return status;
}

/* Those that differ first, then the order of the parts. */
static int compare_places(const void *left, const void *right)
{
    const struct place_difference *a = left, *b = right;
    if (a->parted != b->parted)
        return a->parted ? -1 : 1;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* The rasteriser and the bus have no events of their own. */
static bool same_tiles(const struct tile_counts *a, const struct tile_counts *b)
{
    return a->cycles == b->cycles && a->loaded == b->loaded && a->stored == b->stored &&
           a->input_stalls == b->input_stalls && a->bank_stalls == b->bank_stalls &&
           a->queue_sum == b->queue_sum && !memcmp(&a->banks, &b->banks, sizeof a->banks);
}

static void conclude(struct run_difference *difference)
{
    struct run_outcome *runs = difference->runs;
    qsort(difference->places, difference->place_count, sizeof *difference->places, compare_places);
    while (difference->parted < difference->place_count &&
           difference->places[difference->parted].parted)
        difference->parted++;
    difference->equal =
        !difference->parted &&
        !memcmp(&runs[RUN_A].counts.sm, &runs[RUN_B].counts.sm, sizeof runs[RUN_A].counts.sm) &&
        same_tiles(&runs[RUN_A].tiles, &runs[RUN_B].tiles);
}

enum status run_difference_find(const struct compared_run runs[RUNS_COMPARED],
                                const struct evaluate_options *evaluate,
                                struct run_difference *difference, struct diagnostics *diagnostics)
{
    struct comparison comparison = {.difference = difference};
    *difference = (struct run_difference){0};
    /* The first run reports the progress of both. */
    struct evaluate_options quiet = *evaluate;
    quiet.progress = NULL;
    if (!runs[RUN_A].source->tiles != !runs[RUN_B].source->tiles)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "%s is a scene, and %s is not: two scenes or two kernels can be "
                                 "compared",
                                 runs[!runs[RUN_A].source->tiles].source->name,
                                 runs[!runs[RUN_B].source->tiles].source->name);
    enum status status = make_places(runs, &comparison);
    for (int i = 0; !status && i < RUNS_COMPARED; i++) {
        comparison.sides[i] =
            (struct side){.comparison = &comparison, .compared = &runs[i], .run = i};
        status =
            open_side(&runs[i], i == RUN_A ? evaluate : &quiet, &comparison.sides[i], diagnostics);
    }
    if (!status)
        status = advance_both(&comparison);
    if (!status)
        status = read_both(&comparison);
    if (!status)
        conclude(difference);
    for (int i = 0; i < RUNS_COMPARED; i++)
        if (comparison.sides[i].kind)
            comparison.sides[i].kind->close(&comparison.sides[i]);
    for (size_t i = 0; comparison.lanes && i < difference->place_count; i++)
        free(comparison.lanes[i].items);
    free(comparison.lanes);
    return status;
}

void run_difference_free(struct run_difference *difference)
{
    for (int i = 0; i < RUNS_COMPARED; i++) {
        struct run_outcome *run = &difference->runs[i];
        free(run->launches);
        free(run->warps.items);
        pc_table_free(&run->pcs);
    }
    free(difference->places);
    *difference = (struct run_difference){0};
}
