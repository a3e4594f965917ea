#include "model/reuse/textbook_run.h"

#include <stdlib.h>

enum { CANCEL_TICKS = 1 << 16 };

/* One run of one launch on one SM. */
struct execution {
    struct timed_cache *cache;
    struct feed *feed;
    const struct textbook_run *asked;
    struct reuse_run *run;
    uint64_t blocks;      /* blocks of the SM */
    uint64_t first, step; /* its blocks are first, first + step, ... */
    uint64_t next_block;  /* counted from 0 */
    struct slot {
        uint64_t block;   /* counted from 0 */
        uint32_t started; /* warps started */
        uint32_t running; /* warps of these that have not ended */
    } * slots;
    uint64_t *accesses; /* [warps]: accesses made */
    uint64_t *ready;    /* [warps]: time at which the data of its last load are there */
    uint32_t *served;   /* [warps]: loads served */
    /* [warps x LOADS_IN_FLIGHT]: when the data of its last loads are there, by number of the load
     */
    uint64_t *arrivals;
    uint64_t *tried;     /* [warps]: time of the first try of its load; UINT64_MAX: not tried yet */
    uint32_t *in_flight; /* [warps]: lines in flight */
    bool *ended;         /* [warps]: no load is left */
    uint32_t *links;     /* [warps]: links of the queue and of `waking` */
    struct time_ring waking;
    uint32_t queue_first, queue_last, queued, alive;
    const struct load_clock *clock; /* run 0 only; or NULL */
    uint32_t stalled;               /* turns in a row without service or effect */
    uint32_t *hits;                 /* hits of this turn, not touched yet */
    size_t hit_count, hit_capacity;
    const struct evaluate_options *options;
};

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

/* Starts those warps of a slot's block that load anything: all of them, or one at a time without
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
        run->served[warp] = 0;
        run->ended[warp] = false;
        run->tried[warp] = UINT64_MAX;
        slot->running++;
        run->alive++;
        queue_push(run, warp);
    }
    return STATUS_OK;
}

/* Puts the SM's next blocks into a slot until one has work. */
static enum status fill_slot(struct execution *run, uint32_t slot_index)
{
    struct slot *slot = &run->slots[slot_index];
    enum status status = start_warps(run, slot_index);
    while (!slot->running && run->next_block < run->blocks && !status) {
        *slot = (struct slot){.block = run->next_block++};
        status =
            feed_block(run->feed, slot_index, run->first + slot->block * run->step, slot->block);
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

/* Classifies a miss: the first idealised run in which the access hits, starting with the outermost
 * mechanism. */
static enum reuse_class class_of(const struct textbook_run *asked, const struct outcome_row *row,
                                 uint64_t access)
{
    static const struct {
        enum reuse_runs run;
        enum reuse_class class;
    } order[] = {{RUN_UNLIMITED, CLASS_MSHR},
                 {RUN_INSTANT, CLASS_LATENCY},
                 {RUN_ASSOCIATIVE, CLASS_ASSOCIATIVITY}};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (outcome_hits(row, access, asked->ideals, (size_t)asked->compare[order[i].run]))
            return order[i].class;
    return CLASS_CAPACITY;
}

static enum status add_detail(struct execution *run, uint32_t warp, uint32_t line, bool hit,
                              enum reuse_class class)
{
    struct reuse_detail *detail = run->asked->detail;
    const struct timed_cache *cache = run->cache;
    unsigned recency = cache->lines[line].recency;
    enum status status = STATUS_OK;
    if (detail->histogram && recency == RECENCY_NEVER)
        detail->histogram->infinite++;
    else if (detail->histogram)
        status = reuse_histogram_add(detail->histogram,
                                     distances_of(cache->distances, cache->lines[line].set, line));
    if (status || !detail->pcs)
        return status;
    struct pc_count *count = pc_table_at(detail->pcs, run->feed->warps[warp].pc, OP_LOAD);
    if (!count)
        return STATUS_MEMORY;
    count->accesses++;
    if (!hit) {
        count->misses++;
        count->classes[class] += run->asked->rows != NULL;
    }
    return STATUS_OK;
}

/* Counts an access that was not refused. */
static enum status count_access(struct execution *run, uint32_t warp, uint32_t line, uint8_t sector,
                                bool hit)
{
    struct timed_cache *cache = run->cache;
    const struct textbook_run *asked = run->asked;
    const unsigned recency = cache->lines[line].recency;
    const uint64_t access = run->accesses[warp]++;
    struct timed_sector *looked_up = timed_cache_sector(cache, line, sector);
    const uint32_t seen = looked_up->seen;
    enum reuse_class class = CLASS_COMPULSORY;
    looked_up->seen = cache->flushes;
    run->run->distances[recency]++;
    run->run->sector_misses += !hit && recency == RECENCY_NEAR;
    if (asked->rows) {
        uint32_t per_block = run->feed->warps_per_block;
        struct outcome_row *row =
            &asked->rows[run->slots[warp / per_block].block * per_block + warp % per_block];
        if (asked->own != NO_RUN)
            return hit ? outcome_hit(row, access, asked->ideals, (size_t)asked->own) : STATUS_OK;
        if (!hit) {
            if (seen)
                class = seen == cache->flushes ? class_of(asked, row, access) : CLASS_FLUSH;
            asked->classes[class]++;
        }
    }
    return asked->detail ? add_detail(run, warp, line, hit, class) : STATUS_OK;
}

/* Applies the effects of this moment in order of issue: first the fills that are due, then the hits
 * of this load. */
static void land_hits(struct execution *run)
{
    timed_cache_apply(run->cache, run->cache->now);
    for (size_t i = 0; i < run->hit_count; i++)
        timed_cache_touch(run->cache, run->hits[i]);
    run->hit_count = 0;
}

static enum status hit(struct execution *run, uint32_t warp, uint32_t line, uint8_t sector)
{
    struct timed_cache *cache = run->cache;
    uint64_t time = cache->now + cache->config.hit_latency;
    enum status status = count_access(run, warp, line, sector, true);
    if (status)
        return status;
    run->ready[warp] = time > run->ready[warp] ? time : run->ready[warp];
    if (cache->config.on_miss) {
        timed_cache_touch(cache, line);
        return STATUS_OK;
    }
    if (cache->config.hit_latency)
        return timed_cache_put(cache, time, (struct effect){.line = line, .warp = warp});
    if (array_reserve(&run->hits, &run->hit_capacity, run->hit_count + 1))
        return STATUS_MEMORY;
    run->hits[run->hit_count++] = line;
    return STATUS_OK;
}

/* Whether a miss finds no MSHR, no room to wait for what is in flight, or no line to take. */
static bool refuses(const struct execution *run, uint32_t warp, uint32_t line, uint8_t sector)
{
    const struct timed_cache *cache = run->cache;
    const bool joins = cache->lines[line].in_flight & sector_bit(sector);
    if (cache->config.on_miss && timed_cache_blocked(cache, line))
        return true;
    if (joins)
        return timed_cache_sector(cache, line, sector)->merged >= cache->config.merge;
    return cache->in_flight >= cache->config.mshrs ||
           run->in_flight[warp] >= cache->config.per_warp;
}

/* Fetches a sector, which may be there at once. */
static enum status fetch(struct execution *run, uint32_t warp, uint32_t line, uint8_t sector)
{
    struct timed_cache *cache = run->cache;
    struct timed_sector *fetched = timed_cache_sector(cache, line, sector);
    fetched->due = cache->now + latency_draw(&cache->latencies);
    fetched->merged = 0;
    if (fetched->due == cache->now) {
        land_hits(run);
        timed_cache_fill(cache, line, sector);
        return STATUS_OK;
    }
    cache->lines[line].in_flight |= sector_bit(sector);
    cache->in_flight++;
    run->in_flight[warp]++;
    return timed_cache_put(
        cache, fetched->due,
        (struct effect){.line = line, .warp = warp, .sector = sector, .fill = true});
}

/* Sends a miss out or lets it join what is in flight; *refused: there is no room for it. */
static enum status miss(struct execution *run, uint32_t warp, uint32_t line, uint8_t sector,
                        bool *refused)
{
    struct timed_cache *cache = run->cache;
    const bool joins = cache->lines[line].in_flight & sector_bit(sector);
    *refused = refuses(run, warp, line, sector);
    if (*refused) {
        run->run->refused++;
        return STATUS_OK;
    }
    enum status status = count_access(run, warp, line, sector, false);
    run->run->joined += joins;
    if (cache->config.on_miss)
        timed_cache_reserve(cache, line);
    if (!status && !joins)
        status = fetch(run, warp, line, sector);
    struct timed_sector *awaited = timed_cache_sector(cache, line, sector);
    awaited->merged++;
    if (awaited->due > run->ready[warp])
        run->ready[warp] = awaited->due;
    return status;
}

/* Looks up the rest of a warp's load until it is refused. Accesses see the effects of earlier
 * times, and what the load itself received at once. */
static enum status textbook_issue(struct execution *run, uint32_t warp, bool *refused)
{
    struct timed_cache *cache = run->cache;
    struct feed_warp *load = &run->feed->warps[warp];
    enum status status = STATUS_OK;
    *refused = false;
    while (load->done < load->line_count && !status) {
        const uint32_t line = load->lines[load->done];
        const uint8_t sector = load->sectors ? load->sectors[load->done] : 0;
        if (timed_cache_hits(cache, line, sector))
            status = hit(run, warp, line, sector);
        else
            status = miss(run, warp, line, sector, refused);
        if (*refused)
            break;
        load->done++;
    }
    land_hits(run);
    return status;
}

/* Reports a served load: its time runs from the first try to the arrival of its data. */
static void clock_load(struct execution *run, uint32_t warp)
{
    const uint32_t per_block = run->feed->warps_per_block;
    const struct load_time time = {.launch = run->feed->launch,
                                   .block =
                                       run->first + run->slots[warp / per_block].block * run->step,
                                   .warp = warp % per_block,
                                   .issued = run->tried[warp],
                                   .ready = run->ready[warp]};
    run->clock->loaded(run->clock->context, &time);
}

/* When a warp that was served goes on: its next load waits for the loads that it needs, and its end
 * for all. */
static uint64_t goes_on(struct execution *run, uint32_t warp, bool loads)
{
    uint64_t *arrivals = &run->arrivals[(size_t)warp * LOADS_IN_FLIGHT];
    const uint32_t served = ++run->served[warp];
    arrivals[(served - 1) % LOADS_IN_FLIGHT] = run->ready[warp];
    /* The place of the oldest one is used next. */
    uint32_t needs = loads ? run->feed->warps[warp].needs | NEEDS_OLDEST : NEEDS_ALL;
    needs &= served < LOADS_IN_FLIGHT ? ((uint32_t)1 << served) - 1 : NEEDS_ALL;
    uint64_t time = 0;
    for (; needs; needs &= needs - 1) {
        const uint64_t arrival =
            arrivals[(served - 1 - (uint32_t)__builtin_ctz(needs)) % LOADS_IN_FLIGHT];
        time = arrival > time ? arrival : time;
    }
    return time;
}

/* Gives a warp one issue slot. A refused warp returns to the queue and tries again; a served one
 * waits for its data, moves to its next load or ends. */
static enum status take_turn(struct execution *run, uint32_t warp)
{
    const uint32_t done = run->feed->warps[warp].done;
    const uint64_t changes = run->cache->changes;
    bool refused, loads = true;
    if (run->tried[warp] == UINT64_MAX)
        run->tried[warp] = run->ready[warp] = run->cache->now;
    enum status status = textbook_issue(run, warp, &refused);
    bool idle = refused && run->feed->warps[warp].done == done && run->cache->changes == changes;
    run->stalled = idle ? run->stalled + 1 : 0;
    if (status || refused) {
        queue_push(run, warp);
        return status;
    }
    if (run->clock)
        clock_load(run, warp);
    run->tried[warp] = UINT64_MAX;
    status = feed_next(run->feed, warp, &loads);
    if (status)
        return status;
    status = timed_cache_follow(run->cache, feed_table(run->feed));
    run->ended[warp] = !loads;
    const uint64_t time = goes_on(run, warp, loads);
    if (run->cache->config.divergence && time > run->cache->now)
        time_ring_put(&run->waking, run->links, time, warp);
    else if (loads)
        queue_push(run, warp);
    else if (!status)
        status = end_warp(run, warp);
    return status;
}

/* Moves the warps whose data have arrived to the tail of the queue, in the order of their numbers.
 */
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

/* Once every warp in the queue was refused without any change in between, all are refused until
 * something changes. Takes these turns at once, so a run does not spend time on refusals. */
static void skip_refused(struct execution *run)
{
    struct timed_cache *cache = run->cache;
    uint64_t effect = time_ring_next(&cache->effects, cache->now);
    uint64_t waking = time_ring_next(&run->waking, cache->now);
    uint64_t next = effect < waking ? effect : waking, turns = next - cache->now;
    run->run->refused += turns;
    for (uint64_t i = turns % run->queued; i; i--)
        queue_push(run, queue_pop(run));
    timed_cache_advance(cache, next);
    run->stalled = 0;
}

static enum status run_ticks(struct execution *run)
{
    struct timed_cache *cache = run->cache;
    uint64_t began = cache->now, turns = 0;
    enum status status = STATUS_OK;
    for (uint32_t slot = 0; slot < run->feed->slots && !status; slot++)
        status = fill_slot(run, slot);
    if (!status)
        status = timed_cache_follow(cache, feed_table(run->feed));
    while (run->alive && !status) {
        if (run->queue_first == NO_EVENT) {
            timed_cache_advance(cache, time_ring_next(&run->waking, cache->now));
        } else {
            status = take_turn(run, queue_pop(run));
            if (!status && run->queued && run->stalled >= run->queued)
                skip_refused(run);
        }
        if (!status)
            status = wake(run);
        if (!status)
            status = timed_cache_follow(cache, feed_table(run->feed));
        cache->now++;
        if (++turns % CANCEL_TICKS == 0 && evaluate_cancelled(run->options))
            status = STATUS_CANCELLED;
    }
    run->run->ticks += cache->now - began;
    /* Fills that are still outstanding, left by warps that do not wait, arrive before anything
     * else. */
    for (uint64_t due;
         !status && (due = time_ring_next(&cache->effects, cache->now)) != UINT64_MAX;)
        timed_cache_advance(cache, due);
    if (!status && (cache->latencies.failed || cache->failed))
        status = STATUS_MEMORY;
    return status;
}

static void free_execution(struct execution *run)
{
    time_ring_free(&run->waking);
    free(run->slots);
    free(run->accesses);
    free(run->ready);
    free(run->served);
    free(run->arrivals);
    free(run->tried);
    free(run->in_flight);
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
    run->served = calloc(warps, sizeof *run->served);
    run->arrivals = calloc((size_t)warps * LOADS_IN_FLIGHT, sizeof *run->arrivals);
    run->tried = malloc(warps * sizeof *run->tried);
    run->in_flight = calloc(warps, sizeof *run->in_flight);
    run->ended = calloc(warps, sizeof *run->ended);
    run->links = calloc(warps, sizeof *run->links);
    run->queue_first = NO_EVENT;
    enum status status = STATUS_MEMORY;
    if (run->slots && run->accesses && run->ready && run->served && run->arrivals && run->tried &&
        run->in_flight && run->ended && run->links)
        status = time_ring_init(&run->waking, run->cache->effects.mask);
    run->cache->in_flight_of = run->in_flight;
    for (uint32_t i = 0; i < run->feed->slots && !status; i++)
        /* All slots look finished, so that fill_slot gives each its first block. */
        run->slots[i].started = run->feed->warps_per_block;
    if (!status)
        status = run_ticks(run);
    free_execution(run);
    return status;
}

enum status textbook_execute(const struct textbook_run *asked)
{
    struct feed feed;
    enum status status = feed_init(&feed, asked->machine, asked->source, asked->launch,
                                   asked->resident, asked->loads, asked->table, asked->diagnostics);
    struct execution run = {.cache = asked->cache,
                            .feed = &feed,
                            .asked = asked,
                            .run = asked->counts,
                            .clock = asked->clock,
                            .blocks = asked->blocks,
                            .first = asked->sm,
                            .step = asked->machine->gpu.sms,
                            .options = asked->options};
    if (!status && asked->detail && asked->detail->pcs)
        status = pc_table_launch(asked->detail->pcs, asked->source->launches[asked->launch].name);
    if (!status)
        status = execute(&run);
    if (asked->stream)
        record_counts_add(asked->stream, &feed.counts);
    feed_free(&feed);
    return status;
}
