#include "model/reuse/published.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/cache/set_index.h"
#include "model/reuse/distances.h"
#include "model/reuse/half_normal.h"
#include "model/reuse/time_ring.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The program takes the hash that was measured for 64 sets modulo the number of sets, whatever that
 * is. */
enum { HASH_SETS = 64 };

enum { CANCEL_TICKS = 1 << 16 };

struct warp {
    uint32_t next, end; /* instructions */
    uint32_t active;    /* threads that load */
    uint32_t delay;     /* latency of the current turn */
    bool apart;         /* its threads are at different instructions: see positions */
};

struct simulation {
    const struct published_loads *loads;
    const struct reuse_config *config;
    struct reuse_run *run;
    struct reuse_detail *detail; /* or NULL */
    struct distances distances;  /* used only for a histogram */
    struct latency_cursor latencies;
    struct recency_line *lines;
    struct recency_set *sets;
    uint64_t in_flight; /* lines with an outstanding miss */
    uint64_t now;
    /* The active set of blocks. */
    struct warp *warps;
    uint32_t (*positions)[WARP_SIZE]; /* [warps] */
    uint32_t warp_count, alive;
    uint32_t *warp_links; /* links of the queue and of `waking` */
    uint32_t queue_first, queue_last;
    struct time_ring waking, filling;
    /* Outstanding misses: links and lines by event; unused events form a list. */
    uint32_t *fill_links, *fill_lines;
    size_t fill_capacity, link_capacity;
    uint32_t fill_count, fill_unused;
    enum status status;
};

static void queue_push(struct simulation *sim, uint32_t warp)
{
    sim->warp_links[warp] = NO_EVENT;
    if (sim->queue_first == NO_EVENT)
        sim->queue_first = warp;
    else
        sim->warp_links[sim->queue_last] = warp;
    sim->queue_last = warp;
}

static uint32_t queue_pop(struct simulation *sim)
{
    uint32_t warp = sim->queue_first;
    sim->queue_first = sim->warp_links[warp];
    return warp;
}

static uint32_t new_fill(struct simulation *sim)
{
    if (array_reserve(&sim->fill_lines, &sim->fill_capacity, (size_t)sim->fill_count + 1) ||
        array_reserve(&sim->fill_links, &sim->link_capacity, (size_t)sim->fill_count + 1)) {
        sim->status = STATUS_MEMORY;
        return NO_EVENT;
    }
    return sim->fill_count++;
}

static inline void put_fill(struct simulation *sim, uint64_t time, uint32_t line)
{
    uint32_t fill = sim->fill_unused;
    if (fill != NO_EVENT)
        sim->fill_unused = sim->fill_links[fill];
    else if ((fill = new_fill(sim)) == NO_EVENT)
        return;
    sim->fill_lines[fill] = line;
    time_ring_put(&sim->filling, sim->fill_links, time, fill);
    sim->in_flight += !sim->lines[line].in_flight;
    sim->lines[line].in_flight = 1;
}

/* `whole`: also updates the distances for histograms. */
ALWAYS_INLINE void touch(struct simulation *sim, uint32_t line, bool whole)
{
    if (whole && sim->distances.sets &&
        distances_touch(&sim->distances, sim->lines[line].set, line))
        sim->status = STATUS_MEMORY;
    recency_touch(sim->sets, sim->lines, line, sim->config->ways);
}

/* Completes the misses that are due, in order of issue. A line is in flight until the first of its
 * requests completes. */
ALWAYS_INLINE void fill_due(struct simulation *sim, uint64_t time, bool whole)
{
    uint32_t fill = time_ring_take(&sim->filling, time), first = fill;
    if (fill == NO_EVENT)
        return;
    for (;;) {
        uint32_t line = sim->fill_lines[fill];
        sim->in_flight -= sim->lines[line].in_flight;
        sim->lines[line].in_flight = 0;
        touch(sim, line, whole);
        if (sim->fill_links[fill] == NO_EVENT)
            break;
        fill = sim->fill_links[fill];
    }
    sim->fill_links[fill] = sim->fill_unused;
    sim->fill_unused = first;
}

/* Advances to `time`, at most one turn of the ring away, and completes everything on the way. */
ALWAYS_INLINE void fill_until(struct simulation *sim, uint64_t time, bool whole)
{
    for (uint64_t due; (due = time_ring_next(&sim->filling, sim->now)) <= time; sim->now = due)
        fill_due(sim, due, whole);
    sim->now = time;
}

/* Moves the warps that wait for `time` to the tail of the queue, in the order of their numbers. */
static void wake(struct simulation *sim, uint64_t time)
{
    uint32_t *links = sim->warp_links, sorted = NO_EVENT;
    for (uint32_t warp = time_ring_take(&sim->waking, time), next; warp != NO_EVENT; warp = next) {
        next = links[warp];
        uint32_t *at = &sorted;
        while (*at < warp) /* NO_EVENT is above all */
            at = &links[*at];
        links[warp] = *at;
        *at = warp;
    }
    for (uint32_t next; sorted != NO_EVENT; sorted = next) {
        next = links[sorted];
        queue_push(sim, sorted);
    }
}

static void add_detail(struct simulation *sim, uint32_t line, uint32_t pc)
{
    const struct reuse_detail *detail = sim->detail;
    const unsigned recency = sim->lines[line].recency;
    enum status status = STATUS_OK;
    if (detail->histogram && recency == RECENCY_NEVER)
        detail->histogram->infinite++;
    else if (detail->histogram)
        status = reuse_histogram_add(detail->histogram,
                                     distances_of(&sim->distances, sim->lines[line].set, line));
    struct pc_count *count = detail->pcs ? pc_table_at(detail->pcs, pc, OP_LOAD) : NULL;
    if (count) {
        count->accesses++;
        count->misses += recency == RECENCY_NEVER || recency == RECENCY_FAR;
    } else if (detail->pcs) {
        status = STATUS_MEMORY;
    }
    if (status)
        sim->status = status;
}

/* The instructions that requests come from: one for each, or with step 0 one for all. */
struct origin {
    const uint32_t *pcs;
    unsigned step;
};

/* The requests of a part of a warp. All are looked up before any of them takes effect; then the
 * hits take effect, then the misses that are due now. */
struct portion {
    uint32_t lines[WARP_SIZE], pcs[WARP_SIZE];
    unsigned count;
    bool refusable; /* its first request is lane 0's, the only one that can be refused */
};

/* Returns false if lane 0 was refused; then nothing was done. */
ALWAYS_INLINE bool issue(struct simulation *sim, struct warp *warp, const uint32_t *lines,
                         unsigned count, bool refusable, bool full, const struct origin *origin,
                         bool whole)
{
    uint32_t hits[WARP_SIZE];
    unsigned hit_count = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t line = lines[i];
        const unsigned recency = sim->lines[line].recency;
        if (recency != RECENCY_NEAR) {
            uint32_t latency = latency_draw(&sim->latencies);
            if (!i && refusable && full) {
                sim->run->refused++;
                warp->delay = 0;
                return false;
            }
            warp->delay = latency > warp->delay ? latency : warp->delay;
            put_fill(sim, sim->now + latency, line);
        } else {
            hits[hit_count++] = line;
        }
        sim->run->distances[recency]++;
        if (whole)
            add_detail(sim, line, origin->pcs[i * origin->step]);
    }
    for (unsigned i = 0; i < hit_count; i++)
        touch(sim, hits[i], whole);
    return true;
}

/* The slow path of a turn, thread by thread: the warp's threads are at different instructions, or
 * its accesses are issued in several parts. */
ALWAYS_INLINE bool take_turn_apart(struct simulation *sim, uint32_t index, bool full, bool whole)
{
    const struct published_loads *loads = sim->loads;
    struct warp *warp = &sim->warps[index];
    uint32_t *positions = sim->positions[index];
    if (!warp->apart)
        for (unsigned lane = 0; lane < WARP_SIZE; lane++)
            positions[lane] = warp->active >> lane & 1 ? warp->next : warp->end;
    unsigned bytes = positions[0] < warp->end ? loads->bytes[positions[0]] : 1;
    unsigned portions = bytes < 8 ? 1 : bytes / 4, step = WARP_SIZE / portions;
    bool done = true;
    for (unsigned begin = 0; begin < portions * step; begin += step) {
        struct portion portion = {.count = 0};
        uint32_t before[WARP_SIZE];
        memcpy(before, positions, sizeof before);
        for (unsigned lane = begin; lane < begin + step; lane++) {
            if (positions[lane] == warp->end)
                continue;
            done = false;
            uint32_t at = positions[lane]++, owners = loads->owners[at];
            if (!(owners >> lane & 1))
                continue;
            unsigned place = (unsigned)__builtin_popcount(owners & ((1u << lane) - 1));
            if (!lane)
                portion.refusable = true;
            portion.pcs[portion.count] = loads->pcs[at];
            portion.lines[portion.count++] = loads->lines[loads->first[at] + place];
        }
        const struct origin origin = {portion.pcs, 1};
        if (!issue(sim, warp, portion.lines, portion.count, portion.refusable, full, &origin,
                   whole))
            memcpy(positions, before, sizeof before);
        fill_due(sim, sim->now, whole);
    }
    warp->apart = false;
    uint32_t at = warp->end;
    for (uint32_t left = warp->active; left; left &= left - 1) {
        uint32_t position = positions[__builtin_ctz(left)];
        warp->apart = warp->apart || (left != warp->active && position != at);
        at = position;
    }
    warp->next = at;
    return !done;
}

/* Returns false if the warp had already ended. */
ALWAYS_INLINE bool take_turn(struct simulation *sim, uint32_t index, bool whole)
{
    const struct published_loads *loads = sim->loads;
    struct warp *warp = &sim->warps[index];
    bool full = sim->in_flight >= sim->config->mshrs;
    warp->delay = 0;
    if (!warp->apart && warp->next == warp->end)
        return false;
    if (warp->apart || (loads->bytes[warp->next] >= 8 && warp->active & 1))
        return take_turn_apart(sim, index, full, whole);
    uint32_t at = warp->next, first = loads->first[at];
    const struct origin origin = {loads->pcs + at, 0};
    warp->next += issue(sim, warp, loads->lines + first, loads->first[at + 1] - first,
                        warp->active & 1, full, &origin, whole);
    return true;
}

ALWAYS_INLINE void run_set_of_blocks(struct simulation *sim, const atomic_bool *cancel, bool whole)
{
    uint64_t checked = sim->now;
    while (sim->alive && !sim->status) {
        if (sim->queue_first == NO_EVENT) {
            fill_until(sim, time_ring_next(&sim->waking, sim->now), whole);
        } else {
            uint32_t index = queue_pop(sim);
            bool living = take_turn(sim, index, whole);
            uint32_t delay = sim->config->divergence ? sim->warps[index].delay : 0;
            sim->alive -= !living;
            if (living && !delay)
                queue_push(sim, index);
            else if (living)
                time_ring_put(&sim->waking, sim->warp_links, sim->now + delay, index);
            fill_due(sim, sim->now, whole);
        }
        wake(sim, sim->now);
        sim->now++;
        if (cancel && sim->now - checked >= CANCEL_TICKS) {
            checked = sim->now;
            if (atomic_load_explicit(cancel, memory_order_relaxed))
                sim->status = STATUS_CANCELLED;
        }
    }
}

static void drain(struct simulation *sim)
{
    while (sim->in_flight && !sim->status) {
        sim->now = time_ring_next(&sim->filling, sim->now);
        fill_due(sim, sim->now, sim->detail != NULL);
    }
}

/* Puts warps [first, end) of the launch into the queue. */
static void start_warps(struct simulation *sim, uint32_t first, uint32_t end)
{
    const struct published_loads *loads = sim->loads;
    sim->warp_count = sim->alive = end - first;
    sim->queue_first = NO_EVENT;
    for (uint32_t i = 0; i < sim->warp_count; i++) {
        uint32_t warp = first + i;
        sim->warps[i] = (struct warp){.next = loads->warp_first[warp],
                                      .end = loads->warp_first[warp + 1],
                                      .active = loads->active[warp]};
        queue_push(sim, i);
    }
}

/* Runs the resident sets of blocks one after another, each to its end. */
static void run_blocks(struct simulation *sim, uint32_t resident, const atomic_bool *cancel)
{
    const struct published_loads *loads = sim->loads;
    uint32_t step = sim->config->hierarchy ? resident * loads->warps_per_block : 1;
    for (uint32_t first = 0; first < loads->warps && !sim->status; first += step) {
        uint32_t end = loads->warps - first < step ? loads->warps : first + step;
        start_warps(sim, first, end);
        if (sim->detail)
            run_set_of_blocks(sim, cancel, true);
        else
            run_set_of_blocks(sim, cancel, false);
    }
    sim->run->ticks = sim->now;
    if (!sim->config->divergence)
        drain(sim);
}

static enum status create_lines(struct simulation *sim)
{
    const struct published_loads *loads = sim->loads;
    struct set_index index;
    enum status status = set_index_init(&index, INDEX_FERMI, HASH_SETS);
    if (status)
        return status;
    sim->lines = malloc((loads->line_count + (size_t)1) * sizeof *sim->lines);
    sim->sets = malloc(sim->config->sets * sizeof *sim->sets);
    if (!sim->lines || !sim->sets)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < loads->line_count; i++) {
        uint64_t hash = set_index_map(&index, INDEX_FERMI, loads->numbers[i]);
        sim->lines[i] = (struct recency_line){
            .newer = NO_LINE, .older = NO_LINE, .set = (uint32_t)(hash % sim->config->sets)};
    }
    for (uint64_t i = 0; i < sim->config->sets; i++)
        recency_set_init(&sim->sets[i]);
    return STATUS_OK;
}

static enum status simulate(const struct published_loads *loads, const struct reuse_config *config,
                            struct latency_table *latencies, struct reuse_run *run,
                            struct reuse_detail *detail, const atomic_bool *cancel)
{
    *run = (struct reuse_run){0};
    struct simulation sim = {.loads = loads,
                             .config = config,
                             .run = run,
                             .detail = detail,
                             .latencies = {.table = latencies},
                             .fill_unused = NO_EVENT};
    uint64_t resident = config->max_threads / loads->block_threads;
    resident = resident < config->max_blocks ? resident : config->max_blocks;
    resident = resident < loads->blocks ? resident : loads->blocks;
    size_t warps = (resident + 1) * loads->warps_per_block;
    sim.warps = calloc(warps, sizeof *sim.warps);
    sim.positions = calloc(warps, sizeof *sim.positions);
    sim.warp_links = malloc(warps * sizeof *sim.warp_links);
    enum status status = STATUS_MEMORY;
    if (!sim.warps || !sim.positions || !sim.warp_links)
        goto cleanup;
    if ((status = time_ring_init(&sim.waking, latency_table_most(latencies))) ||
        (status = time_ring_init(&sim.filling, latency_table_most(latencies))) ||
        (status = create_lines(&sim)))
        goto cleanup;
    if (detail && detail->histogram && (status = distances_init(&sim.distances, config->sets)))
        goto cleanup;
    run_blocks(&sim, (uint32_t)resident, cancel);
    status = sim.status ? sim.status : sim.latencies.failed ? STATUS_MEMORY : STATUS_OK;
    for (unsigned i = 0; i < RECENCY_COUNT; i++)
        run->accesses += run->distances[i];
    /* The program times a distance equal to the ways as a miss but reports it as a hit. */
    run->misses = run->distances[RECENCY_NEVER] + run->distances[RECENCY_FAR];
cleanup:
    distances_free(&sim.distances);
    latency_cursor_free(&sim.latencies);
    time_ring_free(&sim.waking);
    time_ring_free(&sim.filling);
    free(sim.fill_links);
    free(sim.fill_lines);
    free(sim.warps);
    free(sim.positions);
    free(sim.warp_links);
    free(sim.lines);
    free(sim.sets);
    return status;
}

enum status published_simulate(const struct published_loads *loads,
                               const struct reuse_config *config, unsigned wanted,
                               struct reuse_run runs[REUSE_RUNS], struct reuse_detail *detail,
                               const atomic_bool *cancel)
{
    if (!loads->blocks) { /* no loads at all */
        for (unsigned i = 0; i < REUSE_RUNS; i++)
            if (wanted >> i & 1)
                runs[i] = (struct reuse_run){0};
        return STATUS_OK;
    }
    assert(loads->block_threads <= config->max_threads);
    struct latency_table timed, instant;
    latency_table_init(&timed, config->latency, config->sigma, config->seed);
    latency_table_init(&instant, 0, 0, config->seed);
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < REUSE_RUNS && !status; i++) {
        if (!(wanted >> i & 1))
            continue;
        struct reuse_config run = reuse_run_config(config, i);
        status = simulate(loads, &run, i == RUN_INSTANT ? &instant : &timed, &runs[i],
                          i == RUN_MACHINE ? detail : NULL, cancel);
    }
    latency_table_free(&timed);
    return status;
}

void published_classes(const struct reuse_run runs[REUSE_RUNS], int64_t classes[REUSE_CLASSES])
{
    int64_t never[REUSE_RUNS], misses[REUSE_RUNS];
    for (unsigned i = 0; i < REUSE_RUNS; i++) {
        never[i] = (int64_t)runs[i].distances[RECENCY_NEVER];
        misses[i] = (int64_t)runs[i].misses;
    }
    int64_t associativity = misses[RUN_MACHINE] - misses[RUN_ASSOCIATIVE];
    int64_t latency = never[RUN_MACHINE] - never[RUN_INSTANT];
    int64_t mshr = misses[RUN_MACHINE] - misses[RUN_UNLIMITED];
    int64_t rest = misses[RUN_MACHINE] - never[RUN_INSTANT] - (latency > 0 ? latency : 0) -
                   (associativity > 0 ? associativity : 0) - (mshr > 0 ? mshr : 0);
    /* The program adds the overlap of two classes where it should subtract it. */
    if (rest < 0 && mshr > -rest)
        mshr -= rest;
    else if (rest < 0 && latency > -rest)
        latency -= rest;
    else if (rest < 0)
        associativity -= rest;
    const int64_t printed[REUSE_CLASSES] = {[CLASS_COMPULSORY] = never[RUN_INSTANT],
                                            [CLASS_CAPACITY] = rest,
                                            [CLASS_ASSOCIATIVITY] = associativity,
                                            [CLASS_LATENCY] = latency,
                                            [CLASS_MSHR] = mshr};
    for (unsigned i = 0; i < REUSE_CLASSES; i++)
        classes[i] = printed[i] > 0 ? printed[i] : 0;
}
