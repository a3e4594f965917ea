/* L1Ds and TLBs on a tape, SM by SM. The place of a request, or its number in the batch, rides
 * through the cache as its pc, so that what goes on knows it too. */
#include <stdlib.h>
#include <string.h>

#include "model/gpu/occupancy.h"
#include "model/replay_state.h"

struct units {
    const struct replay *replay;
    struct tape *sent;           /* or: */
    struct passage *passage;     /* or nothing */
    struct cache_counts *counts; /* of each unit */
};

/* One unit as it is replayed. */
struct lane {
    const struct units *units;
    unsigned unit;
    struct cache *cache;
    struct request_buffer down;
    uint64_t page;    /* TLB: looked up last */
    bool skips;       /* TLB: further look-ups of it need no simulation */
    uint64_t repeats; /* TLB: those that got none */
};

/* What goes on becomes part of the block that is recorded. */
static void lane_send(struct lane *lane)
{
    struct tape *sent = lane->units->sent;
    for (size_t i = 0; i < lane->down.count; i++) {
        struct request *request = &lane->down.items[i];
        uint16_t place = (uint16_t)request->pc;
        request->pc = 0;
        tape_put(sent, lane->unit, place, request);
    }
    lane->down.count = 0;
}

/* What goes on is marked in the bytes of the batch's requests. */
static void lane_mark(struct lane *lane, const struct request *requests, size_t count,
                      uint8_t *sent)
{
    const struct cache_config *l1d = &lane->units->replay->machine->l1d;
    memset(sent, 0, count);
    for (size_t i = 0; i < lane->down.count; i++) {
        const struct request *down = &lane->down.items[i], *from = &requests[down->pc];
        uint64_t sector = (down->address - (from->address & -l1d->sector)) / l1d->sector;
        bool fetched = passage_act(l1d->write, from) == SIEVE_LOAD;
        sent[down->pc] |= fetched ? (uint8_t)(1u << sector) : 1;
    }
    lane->down.count = 0;
}

/* Decodes the next requests of a block; returns how many. */
static size_t lane_decode(const struct lane *lane, size_t first, size_t end,
                          struct request requests[REPLAY_BATCH])
{
    const struct tape_track *track = &lane->units->replay->tape->tracks[lane->unit];
    size_t count = end - first < REPLAY_BATCH ? end - first : REPLAY_BATCH;
    for (size_t i = 0; i < count; i++) {
        struct tape_item item = track->items[first + i];
        tape_decode(track, item, &requests[i]);
        requests[i].pc = lane->units->passage ? (uint32_t)i : item.place;
        requests[i].unit = 0;
    }
    return count;
}

typedef enum status (*lane_function)(struct lane *lane, const struct request *requests,
                                     size_t count);

/* Runs a block, of which what goes on is recorded as one block. */
static enum status lane_block(struct lane *lane, size_t block, lane_function run)
{
    struct request requests[REPLAY_BATCH];
    const struct units *units = lane->units;
    size_t first, end = tape_items(units->replay->tape, lane->unit, block, &first);
    enum status status = STATUS_OK;
    while (first < end && !status) {
        size_t count = lane_decode(lane, first, end, requests);
        status = replay_cancelled(units->replay) ? STATUS_CANCELLED : run(lane, requests, count);
        if (units->sent)
            lane_send(lane);
        if (units->passage && !status)
            lane_mark(lane, requests, count, passage_of(units->passage, lane->unit) + first);
        first += count;
    }
    if (units->sent)
        tape_end_block(units->sent, lane->unit);
    return status;
}

static enum status run_all(const struct replay *replay, struct tape *sent, struct passage *passage,
                           enum status (*one)(void *argument, unsigned unit),
                           struct cache_counts *sum)
{
    unsigned count = replay->tape->units;
    struct units units = {replay, sent, passage, calloc(count, sizeof *units.counts)};
    enum status status = STATUS_MEMORY;
    if (units.counts)
        status = replay_units(replay, count, 0, 1, one, &units);
    if (!status)
        *sum = replay_sum(units.counts, count);
    free(units.counts);
    return status;
}

/* ---- L1D --------------------------------------------------------------------------------------
 */

static enum status l1d_launch(struct lane *lane, const struct trace_launch *launch)
{
    const struct machine *machine = lane->units->replay->machine;
    struct request_buffer *down = lane->units->sent ? &lane->down : NULL; /* a passage is clean */
    enum status status = STATUS_OK;
    if (machine->l1d.flush)
        status = cache_flush(lane->cache, down);
    if (!status && machine->l1d.unified)
        status = cache_resize(lane->cache, occupancy_l1d_ways(machine, launch), down);
    return status;
}

static enum status l1d_requests(struct lane *lane, const struct request *requests, size_t count)
{
    bool sends = lane->units->sent || lane->units->passage;
    const struct replay *replay = lane->units->replay;
    const unsigned spaces = l1d_spaces(replay->machine);
    struct request taken[REPLAY_BATCH];
    if (replay->tape->spaces & ~spaces) {
        count = requests_take(spaces, requests, count, taken);
        requests = taken;
    }
    return cache_run(lane->cache, requests, count, sends ? &lane->down : NULL);
}

/* What a flush writes back goes on with the next requests, before them: as a block of its own, at
 * place 0 of which all units meet in their order. (A launch without requests keeps it.) */
static bool sends_first(const struct tape_block *block)
{
    return block->launch && block->places;
}

static enum status l1d_unit(void *argument, unsigned unit)
{
    const struct units *units = argument;
    const struct replay *replay = units->replay;
    const struct machine *machine = replay->machine;
    unsigned classify = replay->options->needs & NEED_CLASSES(STAGE_L1D) ? CACHE_CLASSIFY : 0;
    struct lane lane = {.units = units, .unit = unit};
    enum status status =
        replay_create_cache(&machine->l1d, unit, machine->seed, CACHE_L1 | classify, &lane.cache);
    for (size_t b = 0; b < replay->tape->block_count && !status; b++) {
        const struct tape_block *block = &replay->tape->blocks[b];
        if (block->launch)
            status = l1d_launch(&lane, block->launch);
        if (units->sent && sends_first(block))
            lane_send(&lane);
        if (units->sent && block->launch)
            tape_end_block(units->sent, unit);
        if (!status && block->places)
            status = lane_block(&lane, b, l1d_requests);
    }
    if (!status)
        cache_read_counts(lane.cache, &units->counts[unit]);
    free(lane.down.items);
    cache_free(lane.cache);
    return status;
}

/* ---- an L1D that is a sieve of its stream -----------------------------------------------------
 */

bool replay_l1d_sieves(const struct replay *replay)
{
    const struct cache_config *l1d = &replay->machine->l1d;
    if (!sieve_applies(l1d) || l1d->unified ||
        replay->tape->spaces & ~l1d_spaces(replay->machine) ||
        replay->tape->largest > SIEVE_LINES * l1d->line ||
        (l1d->write == WRITE_LOCAL_BACK && replay->tape->stores_locally))
        return false;
    for (unsigned u = 0; u < replay->tape->units; u++)
        if (replay->tape->tracks[u].odd_count)
            return false;
    return true;
}

/* What the sieve has to know of each kind of request. */
static struct sieve_request *sieve_kinds(const struct tape_track *track, int write)
{
    struct sieve_request *kinds = calloc(track->kind_count + 1, sizeof *kinds);
    for (size_t k = 0; kinds && k < track->kind_count; k++) {
        kinds[k].bytes = track->kinds[k].bytes;
        kinds[k].act = (uint16_t)passage_act(write, &track->kinds[k]);
    }
    return kinds;
}

static enum status sieve_block(const struct lane *lane, struct sieve *sieve,
                               const struct sieve_request *kinds, size_t block)
{
    const struct units *units = lane->units;
    const struct tape_track *track = &units->replay->tape->tracks[lane->unit];
    struct sieve_request requests[REPLAY_BATCH];
    uint8_t unwanted[REPLAY_BATCH];
    size_t first, end = tape_items(units->replay->tape, lane->unit, block, &first);
    for (size_t count; first < end; first += count) {
        count = end - first < REPLAY_BATCH ? end - first : REPLAY_BATCH;
        for (size_t i = 0; i < count; i++) {
            struct tape_item item = track->items[first + i];
            requests[i] = kinds[item.kind];
            requests[i].address = line_ids_address(&track->ids, item.granule);
            requests[i].id = item.granule;
        }
        enum status status =
            sieve_run(sieve, requests, count,
                      units->passage ? passage_of(units->passage, lane->unit) + first : unwanted);
        if (status || replay_cancelled(units->replay))
            return status ? status : STATUS_CANCELLED;
    }
    return STATUS_OK;
}

static enum status sieve_unit(void *argument, unsigned unit)
{
    const struct units *units = argument;
    const struct replay *replay = units->replay;
    const struct lane lane = {.units = units, .unit = unit};
    const struct cache_config *l1d = &replay->machine->l1d;
    struct sieve_request *kinds = sieve_kinds(&replay->tape->tracks[unit], l1d->write);
    unsigned classify = replay->options->needs & NEED_CLASSES(STAGE_L1D) ? CACHE_CLASSIFY : 0;
    struct sieve *sieve;
    enum status status = sieve_create(l1d, classify, &sieve);
    if (!kinds)
        status = STATUS_MEMORY;
    for (size_t b = 0; b < replay->tape->block_count && !status; b++) {
        if (replay->tape->blocks[b].launch && l1d->flush)
            sieve_flush(sieve);
        status = sieve_block(&lane, sieve, kinds, b);
    }
    if (!status)
        sieve_read_counts(sieve, &units->counts[unit]);
    sieve_free(sieve);
    free(kinds);
    return status;
}

/* ---- all L1Ds ---------------------------------------------------------------------------------
 */

static enum status l1d_blocks(const struct tape *stream, struct tape *sent)
{
    enum status status = STATUS_OK;
    for (size_t b = 0; b < stream->block_count && !status; b++) {
        const struct tape_block *block = &stream->blocks[b];
        if (block->launch)
            status = tape_add_block(
                sent, (struct tape_block){.launch = block->launch, .places = sends_first(block)});
        if (!status && block->places)
            status = tape_add_block(sent, (struct tape_block){.places = block->places});
    }
    return status;
}

enum status replay_l1d(const struct replay *replay, struct metrics *metrics, struct tape *sent,
                       struct passage *passage)
{
    const struct cache_config *config = &replay->machine->l1d;
    unsigned needs = replay->options->needs;
    if (needs & NEED_OPTIMUM(STAGE_L1D) || cache_is_offline(config)) {
        struct machine alone = *replay->machine;
        alone.l2.enabled = alone.tlb.enabled = 0;
        return replay_in_order(replay, &alone, metrics);
    }
    struct cache_counts sum;
    enum status status = sent ? l1d_blocks(replay->tape, sent) : STATUS_OK;
    if (status) /* the tape alone is lost */
        sent = NULL;
    bool sieved = !sent && replay_l1d_sieves(replay);
    status = run_all(replay, sent, passage, sieved ? sieve_unit : l1d_unit, &sum);
    for (unsigned u = 0; !status && passage && u < replay->tape->units; u++)
        passage->count += passage_count(passage, u);
    if (!status)
        stages_put_cache(&sum, false, needs & NEED_CLASSES(STAGE_L1D), metrics);
    return status;
}

/* ---- TLB --------------------------------------------------------------------------------------
 */

/* The distinct pages of each warp instruction (requests come highest address first, so equal pages
 * are neighbours). Where the policy is REPLACEMENT_REPEAT_IDLE, a page that its SM looked up last
 * is found again and that changes nothing: it is counted and not looked up. */
static enum status tlb_requests(struct lane *lane, const struct request *requests, size_t count)
{
    struct request pages[REPLAY_BATCH];
    int shift = __builtin_ctzll(lane->units->replay->machine->page.size);
    const unsigned spaces = tlb_spaces();
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(spaces & space_bit(requests[i].space)))
            continue;
        uint64_t page = requests[i].address >> shift;
        bool first = requests[i].flags & REQUEST_FIRST;
        if (page == lane->page && (!first || lane->skips)) {
            lane->repeats += first;
            continue;
        }
        lane->page = page;
        pages[made++] = (struct request){.address = page * PAGE_TOKEN,
                                         .pc = requests[i].pc,
                                         .touched = UINT32_MAX,
                                         .bytes = PAGE_TOKEN,
                                         .op = OP_LOAD,
                                         .flags = REQUEST_FIRST};
    }
    return cache_run(lane->cache, pages, made, lane->units->sent ? &lane->down : NULL);
}

static enum status tlb_unit(void *argument, unsigned unit)
{
    const struct units *units = argument;
    const struct replay *replay = units->replay;
    const struct machine *machine = replay->machine;
    const struct cache_config config = tlb_cache(&machine->tlb);
    struct lane lane = {.units = units, .unit = unit, .page = UINT64_MAX};
    lane.skips = replacement_facts[config.replacement].traits & REPLACEMENT_REPEAT_IDLE;
    enum status status = replay_create_cache(&config, unit, machine->seed, 0, &lane.cache);
    for (size_t b = 0; b < replay->tape->block_count && !status; b++)
        status = lane_block(&lane, b, tlb_requests);
    if (!status) {
        struct cache_counts *counts = &units->counts[unit];
        cache_read_counts(lane.cache, counts);
        counts->accesses += lane.repeats;
        counts->reads += lane.repeats;
    }
    free(lane.down.items);
    cache_free(lane.cache);
    return status;
}

enum status replay_tlb(const struct replay *replay, struct metrics *metrics, struct tape *sent)
{
    struct cache_counts sum;
    enum status status = STATUS_OK;
    for (size_t b = 0; sent && b < replay->tape->block_count && !status; b++)
        status = tape_add_block(sent, replay->tape->blocks[b]);
    if (status) /* the tape alone is lost */
        sent = NULL;
    if (sent)
        tape_reach(sent, replay->tape->number);
    status = run_all(replay, sent, NULL, tlb_unit, &sum);
    if (!status)
        stages_put_tlb(&sum, metrics);
    return status;
}
