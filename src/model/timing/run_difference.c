#include "model/timing/run_difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

struct side {
    struct comparison *comparison;
    int run;
    struct gpu *gpu;
    struct gpu_options options;
    struct event_watch watch;
    uint64_t cycles; /* of the launches before the one that runs */
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
    const uint64_t end = gpu_ended(side->gpu) ? side->cycles : UINT64_MAX;
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

static void difference_launched(void *context, uint32_t launch, const struct gpu_counts *counts)
{
    struct side *side = context;
    struct run_outcome *outcome = &side->comparison->difference->runs[side->run];
    outcome->launches[launch] = counts->cycles - side->cycles;
    side->cycles = counts->cycles;
}

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

static enum status open_side(const struct compared_run *run, const struct evaluate_options *how,
                             struct side *side, struct diagnostics *diagnostics)
{
    struct run_outcome *outcome = &side->comparison->difference->runs[side->run];
    side->watch = (struct event_watch){difference_put, side};
    side->options = (struct gpu_options){.threads = how->threads > 1 ? (uint32_t)how->threads : 1,
                                         .evaluate = how,
                                         .launched = difference_launched,
                                         .context = side,
                                         .pcs = &outcome->pcs,
                                         .warps = &outcome->warps,
                                         .events = &side->watch};
    outcome->launches = calloc(run->source->launch_count, sizeof *outcome->launches);
    if (!outcome->launches && run->source->launch_count)
        return STATUS_MEMORY;
    return gpu_open(run->machine, run->source, &side->options, diagnostics, &side->gpu);
}

static enum status advance_both(struct comparison *comparison)
{
    struct side *sides = comparison->sides;
    enum status status = comparison->status;
    for (uint64_t cycle = CYCLES_AT_ONCE;
         !status && !(gpu_ended(sides[RUN_A].gpu) && gpu_ended(sides[RUN_B].gpu));
         cycle += CYCLES_AT_ONCE) {
        for (int i = 0; !status && i < RUNS_COMPARED; i++)
            status = gpu_advance(sides[i].gpu, cycle);
        for (int i = 0; i < RUNS_COMPARED; i++)
            close_lanes(comparison, i,
                        gpu_ended(sides[i].gpu) ? UINT64_MAX : gpu_cycle(sides[i].gpu));
        status = status ? status : comparison->status;
    }
    part_rest(comparison);
    return status;
}

static enum status read_both(struct comparison *comparison)
{
    struct gpu_totals totals;
    enum status status = STATUS_OK;
    for (int i = 0; !status && i < RUNS_COMPARED; i++) {
        struct run_outcome *outcome = &comparison->difference->runs[i];
        status = gpu_read(comparison->sides[i].gpu, &outcome->counts, &totals);
        timing_warps_sort(&outcome->warps);
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

static void conclude(struct run_difference *difference)
{
    struct run_outcome *runs = difference->runs;
    qsort(difference->places, difference->place_count, sizeof *difference->places, compare_places);
    while (difference->parted < difference->place_count &&
           difference->places[difference->parted].parted)
        difference->parted++;
    difference->equal =
        !difference->parted &&
        !memcmp(&runs[RUN_A].counts.sm, &runs[RUN_B].counts.sm, sizeof runs[RUN_A].counts.sm);
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
    enum status status = make_places(runs, &comparison);
    for (int i = 0; !status && i < RUNS_COMPARED; i++) {
        comparison.sides[i] = (struct side){.comparison = &comparison, .run = i};
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
        gpu_close(comparison.sides[i].gpu);
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
