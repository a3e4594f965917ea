#include "model/reuse/textbook.h"

#include <string.h>

#include "base/rng.h"
#include "model/cache/set_index.h"
#include "model/gpu/occupancy.h"
#include "model/reuse/half_normal.h"
#include "model/reuse/outcomes.h"
#include "model/reuse/time_ring.h"

enum { CANCEL_TICKS = 1 << 16 };

/* One run's cache on one SM. It outlives launches. */
struct cache_state {
    struct reuse_config config;
    struct set_index index;
    struct recency_line *lines;
    uint64_t *due; /* of each line: when its fill takes effect */
    bool *seen;    /* of each line: looked up before */
    uint32_t line_count;
    size_t line_capacity, due_capacity, seen_capacity;
    struct recency_set *sets;
    struct latency_cursor latencies;
    uint64_t in_flight; /* lines */
    uint64_t now;
    struct time_ring effects; /* fills and, where hits take time, touches */
    uint32_t *effect_links;
    struct effect {
        uint32_t line;
        bool fill;
    } * effects_of;
    size_t link_capacity, effect_capacity;
    uint32_t effect_count, effect_unused;
};

/* One run of one launch on one SM. */
struct execution {
    struct cache_state *cache;
    struct feed *feed;
    unsigned number; /* of the run */
    struct reuse_run *run;
    uint64_t *classes;        /* run 0 with classes, or NULL */
    struct outcome_row *rows; /* [blocks of the SM x warps], or NULL */
    struct reuse_histogram *histogram;
    uint64_t blocks;      /* of the SM */
    uint64_t first, step; /* its blocks are first, first + step, ... */
    uint64_t next_block;  /* from 0 */
    struct slot {
        uint64_t block;   /* from 0 */
        uint32_t started; /* warps that were */
        uint32_t running; /* of these, those that have not ended */
    } * slots;
    uint64_t *accesses; /* [warps]: accesses made */
    uint64_t *ready;    /* [warps]: when the data of its last load are there */
    bool *ended;        /* [warps]: no load is left */
    uint32_t *links;    /* [warps]: of the queue and of waking */
    struct time_ring waking;
    uint32_t queue_first, queue_last, queued, alive;
    uint32_t stalled; /* turns in a row in which nothing was served and nothing took effect */
    uint64_t changes; /* effects so far */
    uint32_t *hits;   /* looked up now, not touched yet */
    size_t hit_count, hit_capacity;
    const struct evaluate_options *options;
};

static enum status grow_lines(struct cache_state *cache, uint32_t count)
{
    if (array_reserve(&cache->lines, &cache->line_capacity, count) ||
        array_reserve(&cache->due, &cache->due_capacity, count) ||
        array_reserve(&cache->seen, &cache->seen_capacity, count))
        return STATUS_MEMORY;
    return STATUS_OK;
}

/* Gives lines that the table has numbered since the last call their places. */
static enum status follow_table(struct cache_state *cache, const struct line_table *table)
{
    if (cache->line_count == table->count)
        return STATUS_OK;
    enum status status = grow_lines(cache, table->count);
    for (; cache->line_count < table->count && !status; cache->line_count++) {
        uint32_t id = cache->line_count;
        cache->lines[id] = (struct recency_line){
            .newer = NO_LINE,
            .older = NO_LINE,
            .set = (uint32_t)set_index_map(&cache->index, cache->index.function, table->lines[id])};
        cache->due[id] = 0;
        cache->seen[id] = false;
    }
    return status;
}

static void flush_cache(struct cache_state *cache)
{
    for (uint32_t i = 0; i < cache->line_count; i++) {
        cache->lines[i].newer = cache->lines[i].older = NO_LINE;
        cache->lines[i].recency = RECENCY_NEVER;
    }
    for (uint64_t i = 0; i < cache->config.sets; i++)
        recency_set_init(&cache->sets[i]);
}

static enum status init_cache(struct cache_state *cache, const struct reuse_config *config,
                              struct latency_table *latencies)
{
    *cache = (struct cache_state){
        .config = *config, .latencies = {.table = latencies}, .effect_unused = NO_EVENT};
    cache->sets = malloc(config->sets * sizeof *cache->sets);
    if (!cache->sets)
        return STATUS_MEMORY;
    flush_cache(cache);
    enum status status = set_index_init(&cache->index, config->index, config->sets);
    uint64_t most = latency_table_most(latencies);
    return status ? status
                  : time_ring_init(&cache->effects,
                                   most > config->hit_latency ? most : config->hit_latency);
}

static void free_cache(struct cache_state *cache)
{
    latency_cursor_free(&cache->latencies);
    time_ring_free(&cache->effects);
    free(cache->lines);
    free(cache->due);
    free(cache->seen);
    free(cache->sets);
    free(cache->effect_links);
    free(cache->effects_of);
}

static void touch(struct execution *run, uint32_t line)
{
    struct cache_state *cache = run->cache;
    recency_touch(cache->sets, cache->lines, line, cache->config.ways, run->histogram != NULL);
}

static enum status put_effect(struct cache_state *cache, uint64_t time, struct effect effect)
{
    uint32_t event = cache->effect_unused;
    if (event != NO_EVENT) {
        cache->effect_unused = cache->effect_links[event];
    } else {
        event = cache->effect_count;
        if (array_reserve(&cache->effects_of, &cache->effect_capacity, (size_t)event + 1) ||
            array_reserve(&cache->effect_links, &cache->link_capacity, (size_t)event + 1))
            return STATUS_MEMORY;
        cache->effect_count++;
    }
    cache->effects_of[event] = effect;
    time_ring_put(&cache->effects, cache->effect_links, time, event);
    return STATUS_OK;
}

/* What takes effect at `time`, in order of issue. */
static void apply_effects(struct execution *run, uint64_t time)
{
    struct cache_state *cache = run->cache;
    uint32_t event = time_ring_take(&cache->effects, time);
    run->changes += event != NO_EVENT;
    while (event != NO_EVENT) {
        uint32_t next = cache->effect_links[event], line = cache->effects_of[event].line;
        if (cache->effects_of[event].fill) {
            cache->lines[line].in_flight = 0;
            cache->in_flight--;
        }
        touch(run, line);
        cache->effect_links[event] = cache->effect_unused;
        cache->effect_unused = event;
        event = next;
    }
}

/* Everything up to `time`; then it is `time`. */
static void advance(struct execution *run, uint64_t time)
{
    struct cache_state *cache = run->cache;
    for (uint64_t due; (due = time_ring_next(&cache->effects, cache->now)) <= time;)
        apply_effects(run, cache->now = due);
    cache->now = time;
}

static uint32_t queue_pop(struct execution *run)
{
    uint32_t warp = run->queue_first;
    run->queue_first = run->links[warp];
    run->queued--;
    return warp;
}

static void queue_push(struct execution *run, uint32_t warp)
{
    run->queued++;
    run->links[warp] = NO_EVENT;
    if (run->queue_first == NO_EVENT)
        run->queue_first = warp;
    else
        run->links[run->queue_last] = warp;
    run->queue_last = warp;
}

/* Starts the warps of a slot's block that load anything: all of them, or one where there is no
 * hierarchy. */
static enum status start_warps(struct execution *run, uint32_t slot_index)
{
    const uint32_t per_block = run->feed->warps_per_block;
    struct slot *slot = &run->slots[slot_index];
    while (slot->started < per_block && (run->cache->config.hierarchy || !slot->running)) {
        uint32_t warp = slot_index * per_block + slot->started++;
        bool loads = false;
        enum status status = feed_next(run->feed, warp, &loads);
        if (status)
            return status;
        if (!loads)
            continue;
        run->accesses[warp] = 0;
        run->ready[warp] = run->cache->now;
        run->ended[warp] = false;
        slot->running++;
        run->alive++;
        queue_push(run, warp);
    }
    return STATUS_OK;
}

/* Puts the SM's next blocks into a slot until one of them has work. */
static enum status fill_slot(struct execution *run, uint32_t slot_index)
{
    struct slot *slot = &run->slots[slot_index];
    enum status status = start_warps(run, slot_index);
    while (!slot->running && run->next_block < run->blocks && !status) {
        *slot = (struct slot){.block = run->next_block++};
        status = feed_block(run->feed, slot_index, run->first + slot->block * run->step);
        if (!status)
            status = start_warps(run, slot_index);
    }
    return status;
}

static enum status end_warp(struct execution *run, uint32_t warp)
{
    uint32_t slot = warp / run->feed->warps_per_block;
    run->alive--;
    return --run->slots[slot].running ? STATUS_OK : fill_slot(run, slot);
}

/* The first idealisation, the outermost mechanism first, that makes a hit of a miss. */
static enum reuse_class class_of(unsigned hits)
{
    if (hits >> RUN_UNLIMITED & 1)
        return CLASS_MSHR;
    if (hits >> RUN_INSTANT & 1)
        return CLASS_LATENCY;
    if (hits >> RUN_ASSOCIATIVE & 1)
        return CLASS_ASSOCIATIVITY;
    return CLASS_CAPACITY;
}

/* Counts an access that was not refused. */
static enum status count_access(struct execution *run, uint32_t warp, uint32_t line)
{
    struct cache_state *cache = run->cache;
    unsigned recency = cache->lines[line].recency;
    uint64_t access = run->accesses[warp]++;
    bool first = !cache->seen[line], hit = recency == RECENCY_NEAR;
    cache->seen[line] = true;
    run->run->distances[recency]++;
    if (run->histogram) {
        if (recency == RECENCY_NEVER)
            run->histogram->infinite++;
        else if (reuse_histogram_add(run->histogram,
                                     recency_distance(cache->sets, cache->lines, line)))
            return STATUS_MEMORY;
    }
    if (!run->rows)
        return STATUS_OK;
    uint32_t per_block = run->feed->warps_per_block;
    struct outcome_row *row =
        &run->rows[run->slots[warp / per_block].block * per_block + warp % per_block];
    if (run->number != RUN_MACHINE)
        return hit ? outcome_hit(row, access, run->number) : STATUS_OK;
    if (!hit)
        run->classes[first ? CLASS_COMPULSORY : class_of(outcome_of(row, access))]++;
    return STATUS_OK;
}

/* Of what takes effect now, what was issued earlier comes first: the fills that are due, then the
 * hits of this load. */
static void land_hits(struct execution *run)
{
    apply_effects(run, run->cache->now);
    for (size_t i = 0; i < run->hit_count; i++)
        touch(run, run->hits[i]);
    run->hit_count = 0;
}

static enum status hit(struct execution *run, uint32_t warp, uint32_t line)
{
    struct cache_state *cache = run->cache;
    uint64_t time = cache->now + cache->config.hit_latency;
    enum status status = count_access(run, warp, line);
    if (status)
        return status;
    run->ready[warp] = time > run->ready[warp] ? time : run->ready[warp];
    if (cache->config.hit_latency)
        return put_effect(cache, time, (struct effect){line, false});
    if (array_reserve(&run->hits, &run->hit_capacity, run->hit_count + 1))
        return STATUS_MEMORY;
    run->hits[run->hit_count++] = line;
    return STATUS_OK;
}

/* A miss goes out or joins its line in flight; *refused: there is no MSHR for it. */
static enum status miss(struct execution *run, uint32_t warp, uint32_t line, bool *refused)
{
    struct cache_state *cache = run->cache;
    bool joins = cache->lines[line].in_flight;
    *refused = !joins && cache->in_flight >= cache->config.mshrs;
    if (*refused) {
        run->run->refused++;
        return STATUS_OK;
    }
    enum status status = count_access(run, warp, line);
    if (!joins && !status) {
        cache->due[line] = cache->now + latency_draw(&cache->latencies);
        if (cache->due[line] == cache->now) {
            land_hits(run);
            touch(run, line);
            return STATUS_OK;
        }
        cache->lines[line].in_flight = 1;
        cache->in_flight++;
        status = put_effect(cache, cache->due[line], (struct effect){line, true});
    }
    if (cache->due[line] > run->ready[warp])
        run->ready[warp] = cache->due[line];
    return status;
}

/* Looks up what is left of a warp's load, up to where it is refused. Accesses see what took effect
 * before now, and what the load itself got at once. */
static enum status issue(struct execution *run, uint32_t warp, bool *refused)
{
    struct cache_state *cache = run->cache;
    struct feed_warp *load = &run->feed->warps[warp];
    enum status status = STATUS_OK;
    *refused = false;
    while (load->done < load->line_count && !status) {
        uint32_t line = load->lines[load->done];
        if (cache->lines[line].recency == RECENCY_NEAR)
            status = hit(run, warp, line);
        else
            status = miss(run, warp, line, refused);
        if (*refused)
            break;
        load->done++;
    }
    land_hits(run);
    return status;
}

static enum status take_turn(struct execution *run, uint32_t warp)
{
    const uint32_t done = run->feed->warps[warp].done;
    const uint64_t changes = run->changes;
    bool refused, loads = true;
    enum status status = issue(run, warp, &refused);
    bool idle = refused && run->feed->warps[warp].done == done && run->changes == changes;
    run->stalled = idle ? run->stalled + 1 : 0;
    if (status || refused) {
        queue_push(run, warp);
        return status;
    }
    status = feed_next(run->feed, warp, &loads);
    if (status)
        return status;
    status = follow_table(run->cache, run->feed->table);
    run->ended[warp] = !loads;
    if (run->cache->config.divergence && run->ready[warp] > run->cache->now)
        time_ring_put(&run->waking, run->links, run->ready[warp], warp);
    else if (loads)
        queue_push(run, warp);
    else if (!status)
        status = end_warp(run, warp);
    return status;
}

/* The warps whose data are there go to the tail of the queue in the order of their numbers. */
static enum status wake(struct execution *run)
{
    uint32_t *links = run->links, sorted = NO_EVENT;
    uint32_t warp = time_ring_take(&run->waking, run->cache->now);
    for (uint32_t next; warp != NO_EVENT; warp = next) {
        next = links[warp];
        uint32_t *at = &sorted;
        while (*at < warp) /* NO_EVENT is above all */
            at = &links[*at];
        links[warp] = *at;
        *at = warp;
    }
    enum status status = STATUS_OK;
    run->stalled = sorted == NO_EVENT ? run->stalled : 0;
    for (uint32_t next; sorted != NO_EVENT && !status; sorted = next) {
        next = links[sorted];
        if (run->ended[sorted])
            status = end_warp(run, sorted);
        else
            queue_push(run, sorted);
    }
    return status;
}

/* Where every warp in the queue was refused since anything changed, they all are until something
 * does: takes these turns at once. */
static void skip_refused(struct execution *run)
{
    struct cache_state *cache = run->cache;
    uint64_t effect = time_ring_next(&cache->effects, cache->now);
    uint64_t waking = time_ring_next(&run->waking, cache->now);
    uint64_t next = effect < waking ? effect : waking, turns = next - cache->now;
    run->run->refused += turns;
    for (uint64_t i = turns % run->queued; i; i--)
        queue_push(run, queue_pop(run));
    advance(run, next);
    run->stalled = 0;
}

static bool cancelled(const struct execution *run)
{
    return run->options->cancel && atomic_load_explicit(run->options->cancel, memory_order_relaxed);
}

static enum status run_ticks(struct execution *run)
{
    struct cache_state *cache = run->cache;
    uint64_t began = cache->now, turns = 0;
    enum status status = STATUS_OK;
    for (uint32_t slot = 0; slot < run->feed->slots && !status; slot++)
        status = fill_slot(run, slot);
    if (!status)
        status = follow_table(cache, run->feed->table);
    while (run->alive && !status) {
        if (run->queue_first == NO_EVENT) {
            advance(run, time_ring_next(&run->waking, cache->now));
        } else {
            status = take_turn(run, queue_pop(run));
            if (!status && run->queued && run->stalled >= run->queued)
                skip_refused(run);
        }
        if (!status)
            status = wake(run);
        if (!status)
            status = follow_table(cache, run->feed->table);
        cache->now++;
        if (++turns % CANCEL_TICKS == 0 && cancelled(run))
            status = STATUS_CANCELLED;
    }
    run->run->ticks += cache->now - began;
    /* What is still on its way (warps that do not wait leave it) arrives before anything else. */
    for (uint64_t due;
         !status && (due = time_ring_next(&cache->effects, cache->now)) != UINT64_MAX;)
        advance(run, due);
    return status ? status : cache->latencies.failed ? STATUS_MEMORY : STATUS_OK;
}

static void free_execution(struct execution *run)
{
    time_ring_free(&run->waking);
    free(run->slots);
    free(run->accesses);
    free(run->ready);
    free(run->ended);
    free(run->links);
    free(run->hits);
}

static enum status execute(struct execution *run)
{
    uint32_t warps = run->feed->slots * run->feed->warps_per_block;
    run->slots = calloc(run->feed->slots, sizeof *run->slots);
    run->accesses = calloc(warps, sizeof *run->accesses);
    run->ready = calloc(warps, sizeof *run->ready);
    run->ended = calloc(warps, sizeof *run->ended);
    run->links = calloc(warps, sizeof *run->links);
    run->queue_first = NO_EVENT;
    enum status status = STATUS_MEMORY;
    if (run->slots && run->accesses && run->ready && run->ended && run->links)
        status = time_ring_init(&run->waking, run->cache->effects.mask);
    for (uint32_t i = 0; i < run->feed->slots && !status; i++)
        run->slots[i].started = run->feed->warps_per_block;
    if (!status)
        status = run_ticks(run);
    free_execution(run);
    return status;
}

/* One SM through all launches. */
struct sm {
    const struct machine *machine;
    const struct trace_source *source;
    const struct evaluate_options *options;
    struct textbook_result *result;
    struct reuse_histogram *histogram;
    struct diagnostics *diagnostics;
    unsigned wanted;
    uint64_t number;
    struct line_table table;
    struct latency_table timed, instant;
    struct cache_state caches[REUSE_RUNS];
    uint64_t ways; /* of the L1D now: a unified one's change with the launch */
};

static enum status init_sm(struct sm *sm)
{
    struct reuse_config config;
    reuse_configure(sm->machine, &config);
    uint64_t seed = sm->number ? random_at(config.seed, sm->number) : config.seed;
    enum status status = line_table_init(&sm->table);
    if (!status)
        status = latency_table_init(&sm->timed, config.latency, config.sigma, seed);
    if (!status)
        status = latency_table_init(&sm->instant, 0, 0, seed);
    for (unsigned i = 0; i < REUSE_RUNS && !status; i++) {
        struct reuse_config run = reuse_run_config(&config, i);
        status = init_cache(&sm->caches[i], &run, i == RUN_INSTANT ? &sm->instant : &sm->timed);
    }
    sm->ways = sm->machine->l1d.ways;
    return status;
}

static void free_sm(struct sm *sm)
{
    for (unsigned i = 0; i < REUSE_RUNS; i++)
        free_cache(&sm->caches[i]);
    line_table_free(&sm->table);
    latency_table_free(&sm->timed);
}

/* Between launches: flushes, and the ways that a shared-memory carve-out leaves. */
static void begin_launch(struct sm *sm, uint32_t launch)
{
    uint64_t ways = occupancy_l1d_ways(sm->machine, &sm->source->launches[launch]);
    if (ways == sm->ways && !(launch && sm->machine->l1d.flush))
        return;
    for (unsigned i = 0; i < REUSE_RUNS; i++) {
        struct reuse_config *config = &sm->caches[i].config;
        config->ways = (uint32_t)(config->ways / sm->ways * ways);
        flush_cache(&sm->caches[i]);
    }
    sm->ways = ways;
}

static enum status execute_run(struct sm *sm, uint32_t launch, unsigned number, uint32_t slots,
                               uint64_t blocks, struct outcome_row *rows)
{
    struct textbook_result *result = sm->result;
    struct feed feed;
    enum status status =
        feed_init(&feed, sm->machine, sm->source, launch, slots, &sm->table, sm->diagnostics);
    struct execution run = {.cache = &sm->caches[number],
                            .feed = &feed,
                            .number = number,
                            .run = &result->runs[number],
                            .classes = result->classes,
                            .rows = rows,
                            .histogram = number == RUN_MACHINE ? sm->histogram : NULL,
                            .blocks = blocks,
                            .first = sm->number,
                            .step = sm->machine->gpu.sms,
                            .options = sm->options};
    if (!status)
        status = execute(&run);
    if (number == RUN_MACHINE) {
        result->stream.warp_instructions += feed.counts.warp_instructions;
        result->stream.memory_instructions += feed.counts.memory_instructions;
        result->stream.thread_accesses += feed.counts.thread_accesses;
    }
    feed_free(&feed);
    return status;
}

static enum status execute_launch(struct sm *sm, uint32_t launch)
{
    static const enum reuse_runs order[] = {RUN_ASSOCIATIVE, RUN_INSTANT, RUN_UNLIMITED,
                                            RUN_MACHINE};
    const struct trace_launch *shape = &sm->source->launches[launch];
    uint64_t all = launch_blocks(shape), sms = sm->machine->gpu.sms;
    uint64_t blocks = all > sm->number ? (all - sm->number - 1) / sms + 1 : 0;
    uint32_t resident = occupancy_of(&sm->machine->gpu, shape).blocks;
    if (!resident)
        return diagnostics_error(sm->diagnostics, STATUS_INVALID,
                                 "%s: a block of launch %u does not fit an SM", sm->source->name,
                                 launch);
    if (!sm->caches[RUN_MACHINE].config.hierarchy)
        resident = 1;
    if (blocks < resident)
        resident = (uint32_t)blocks;
    begin_launch(sm, launch);
    if (!blocks)
        return STATUS_OK;
    size_t row_count = blocks * launch_warps(shape);
    struct outcome_row *rows = NULL;
    if (sm->wanted == REUSE_ALL_RUNS && !(rows = calloc(row_count, sizeof *rows)))
        return STATUS_MEMORY;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < REUSE_RUNS && !status; i++)
        if (sm->wanted >> order[i] & 1)
            status = execute_run(sm, launch, order[i], resident, blocks, rows);
    for (size_t i = 0; rows && i < row_count; i++)
        free(rows[i].pairs);
    free(rows);
    return status;
}

enum status textbook_simulate(const struct machine *machine, const struct trace_source *source,
                              unsigned wanted, const struct evaluate_options *options,
                              struct textbook_result *result, struct reuse_histogram *histogram,
                              struct diagnostics *diagnostics)
{
    *result = (struct textbook_result){0};
    enum status status = STATUS_OK;
    for (uint64_t number = 0; number < machine->gpu.sms && !status; number++) {
        struct sm sm = {.machine = machine,
                        .source = source,
                        .options = options,
                        .result = result,
                        .histogram = histogram,
                        .diagnostics = diagnostics,
                        .wanted = wanted,
                        .number = number};
        status = init_sm(&sm);
        for (uint32_t launch = 0; launch < source->launch_count && !status; launch++)
            status = execute_launch(&sm, launch);
        free_sm(&sm);
        if (options->progress && !status)
            options->progress(options->argument, (double)(number + 1) / (double)machine->gpu.sms);
    }
    for (unsigned i = 0; i < REUSE_RUNS; i++) {
        struct reuse_run *run = &result->runs[i];
        for (unsigned k = 0; k < RECENCY_COUNT; k++)
            run->accesses += run->distances[k];
        run->misses = run->accesses - run->distances[RECENCY_NEAR];
    }
    return status;
}
