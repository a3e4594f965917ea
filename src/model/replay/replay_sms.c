/* L1Ds and TLBs on the requests of a log, SM by SM. The pc of a request carries its number in the
 * batch, from 1 on, through the cache, so that the requests it sends on can be assigned to it; the
 * cache looks the instruction up by it (cache_set_pcs). A number of 0 is nobody's: a flush.
 */
#include <stdlib.h>
#include <string.h>

#include "model/gpu/occupancy.h"
#include "model/replay/replay_state.h"

struct instances {
    const struct replay *replay;
    struct request_log *sent;    /* at most one of these two is set */
    struct miss_mask *mask;      /* or neither */
    struct cache_counts *counts; /* [instance] */
};

/* The state of one SM during its replay. */
struct sm {
    const struct instances *instances;
    unsigned instance;
    struct cache *cache;
    struct request_buffer down;
    uint32_t pcs[1 + REPLAY_BATCH];    /* of the batch, by these numbers; the first is 0 */
    uint16_t places[1 + REPLAY_BATCH]; /* likewise */
    uint64_t page;                     /* TLB: the last page looked up */
    bool skips;                        /* TLB: repeated look-ups need no simulation */
    uint64_t repeats;                  /* TLB: number of these */
};

/* Appends what the cache sent on to the recorded block. */
static void sm_send(struct sm *sm)
{
    struct request_log *sent = sm->instances->sent;
    for (size_t i = 0; i < sm->down.count; i++) {
        struct request *request = &sm->down.items[i];
        const uint16_t place = sm->places[request->pc];
        request->pc = sent->places == PLACE_PC ? 0 : sm->pcs[request->pc];
        request_log_put(sent, sm->instance, place, request);
    }
    sm->down.count = 0;
}

/* Marks what the cache sent on in the miss-mask bytes of the batch. */
static void sm_mark(struct sm *sm, const struct request *requests, size_t count, uint8_t *sent)
{
    const struct cache_config *l1d = &sm->instances->replay->machine->l1d;
    memset(sent, 0, count);
    for (size_t i = 0; i < sm->down.count; i++) {
        const struct request *down = &sm->down.items[i], *from = &requests[down->pc - 1];
        uint64_t sector = (down->address - (from->address & -l1d->sector)) / l1d->sector;
        bool fetched = miss_mask_act(l1d->write, from) == LRU_FILTER_LOAD;
        sent[down->pc - 1] |= fetched ? (uint8_t)(1u << sector) : 1;
    }
    sm->down.count = 0;
}

/* Decodes the next requests of a block; returns their number. */
static size_t sm_decode(struct sm *sm, size_t first, size_t end,
                        struct request requests[REPLAY_BATCH])
{
    const struct log_section *section = &sm->instances->replay->log->sections[sm->instance];
    size_t count = end - first < REPLAY_BATCH ? end - first : REPLAY_BATCH;
    for (size_t i = 0; i < count; i++) {
        struct log_item item = section->items[first + i];
        request_log_decode(section, item, &requests[i]);
        sm->pcs[1 + i] = requests[i].pc;
        sm->places[1 + i] = item.place;
        requests[i].pc = (uint32_t)i + 1;
        requests[i].instance = 0;
    }
    return count;
}

typedef enum status (*sm_function)(struct sm *sm, const struct request *requests, size_t count);

/* Runs a block; its output is recorded as one block too. */
static enum status sm_block(struct sm *sm, size_t block, sm_function run)
{
    struct request requests[REPLAY_BATCH];
    const struct instances *instances = sm->instances;
    size_t first, end = request_log_items(instances->replay->log, sm->instance, block, &first);
    enum status status = STATUS_OK;
    while (first < end && !status) {
        size_t count = sm_decode(sm, first, end, requests);
        status = replay_cancelled(instances->replay) ? STATUS_CANCELLED : run(sm, requests, count);
        if (instances->sent)
            sm_send(sm);
        if (instances->mask && !status)
            sm_mark(sm, requests, count, miss_mask_of(instances->mask, sm->instance) + first);
        first += count;
    }
    if (instances->sent)
        request_log_end_block(instances->sent, sm->instance);
    return status;
}

static enum status run_all(const struct replay *replay, struct request_log *sent,
                           struct miss_mask *mask,
                           enum status (*one)(void *argument, unsigned instance),
                           struct cache_counts *sum)
{
    unsigned count = replay->log->instances;
    struct instances instances = {replay, sent, mask, calloc(count, sizeof *instances.counts)};
    enum status status = STATUS_MEMORY;
    if (instances.counts)
        status = replay_instances(replay, count, 0, 1, one, &instances);
    if (!status)
        *sum = replay_sum(instances.counts, count);
    free(instances.counts);
    return status;
}

/* ---- L1D --------------------------------------------------------------------------------------
 */

static enum status l1d_launch(struct sm *sm, const struct trace_launch *launch)
{
    const struct machine *machine = sm->instances->replay->machine;
    struct request_buffer *down =
        sm->instances->sent ? &sm->down : NULL; /* with a mask no line is dirty */
    enum status status = STATUS_OK;
    if (machine->l1d.flush)
        status = cache_flush(sm->cache, down);
    if (!status && machine->l1d.unified)
        status = cache_resize(sm->cache, occupancy_l1d_ways(machine, launch), down);
    return status;
}

static enum status l1d_requests(struct sm *sm, const struct request *requests, size_t count)
{
    bool sends = sm->instances->sent || sm->instances->mask;
    const struct replay *replay = sm->instances->replay;
    const unsigned spaces = l1d_spaces(replay->machine);
    struct request taken[REPLAY_BATCH];
    if (replay->log->spaces & ~spaces) {
        count = requests_take(spaces, requests, count, taken);
        requests = taken;
    }
    return cache_run(sm->cache, requests, count, sends ? &sm->down : NULL);
}

/* What a flush writes back is sent before the next requests, as its own block in which all
 * instances meet at place 0, in their order. (If the launch has no requests, the write-backs wait
 * for the next one.) */
static bool sends_first(const struct log_block *block)
{
    return block->launch && block->places;
}

static enum status l1d_instance(void *argument, unsigned instance)
{
    const struct instances *instances = argument;
    const struct replay *replay = instances->replay;
    const struct machine *machine = replay->machine;
    unsigned classify = replay->options->needs & NEED_CLASSES(STAGE_L1D) ? CACHE_CLASSIFY : 0;
    struct sm sm = {.instances = instances, .instance = instance};
    enum status status =
        replay_create_cache(&machine->l1d, instance, machine->seed, CACHE_L1 | classify, &sm.cache);
    if (!status)
        cache_set_pcs(sm.cache, sm.pcs);
    for (size_t b = 0; b < replay->log->block_count && !status; b++) {
        const struct log_block *block = &replay->log->blocks[b];
        if (block->launch)
            status = l1d_launch(&sm, block->launch);
        if (instances->sent && sends_first(block))
            sm_send(&sm);
        if (instances->sent && block->launch)
            request_log_end_block(instances->sent, instance);
        if (!status && block->places)
            status = sm_block(&sm, b, l1d_requests);
    }
    if (!status)
        cache_read_counts(sm.cache, &instances->counts[instance]);
    free(sm.down.items);
    cache_free(sm.cache);
    return status;
}

/* ---- an L1D that filters its stream -----------------------------------------------------------
 */

bool replay_l1d_filters(const struct replay *replay)
{
    const struct cache_config *l1d = &replay->machine->l1d;
    if (!lru_filter_applies(l1d) || l1d->unified ||
        replay->log->spaces & ~l1d_spaces(replay->machine) ||
        replay->log->largest > LRU_FILTER_LINES * l1d->line ||
        (l1d->write == WRITE_LOCAL_BACK && replay->log->stores_locally))
        return false;
    for (unsigned u = 0; u < replay->log->instances; u++)
        if (replay->log->sections[u].odd_count)
            return false;
    return true;
}

/* What the LRU filter needs to know about each kind of request. */
static struct lru_filter_request *filter_kinds(const struct log_section *section, int write)
{
    struct lru_filter_request *kinds = calloc(section->kind_count + 1, sizeof *kinds);
    for (size_t k = 0; kinds && k < section->kind_count; k++) {
        kinds[k].bytes = section->kinds[k].bytes;
        kinds[k].act = (uint16_t)miss_mask_act(write, &section->kinds[k]);
    }
    return kinds;
}

static enum status filter_block(const struct sm *sm, struct lru_filter *filter,
                                const struct lru_filter_request *kinds, size_t block)
{
    const struct instances *instances = sm->instances;
    const struct log_section *section = &instances->replay->log->sections[sm->instance];
    struct lru_filter_request requests[REPLAY_BATCH];
    uint8_t unwanted[REPLAY_BATCH];
    size_t first, end = request_log_items(instances->replay->log, sm->instance, block, &first);
    for (size_t count; first < end; first += count) {
        count = end - first < REPLAY_BATCH ? end - first : REPLAY_BATCH;
        for (size_t i = 0; i < count; i++) {
            struct log_item item = section->items[first + i];
            requests[i] = kinds[item.kind];
            requests[i].address = line_ids_address(&section->ids, item.granule);
            requests[i].id = item.granule;
        }
        enum status status = lru_filter_run(
            filter, requests, count,
            instances->mask ? miss_mask_of(instances->mask, sm->instance) + first : unwanted);
        if (status || replay_cancelled(instances->replay))
            return status ? status : STATUS_CANCELLED;
    }
    return STATUS_OK;
}

static enum status filter_instance(void *argument, unsigned instance)
{
    const struct instances *instances = argument;
    const struct replay *replay = instances->replay;
    const struct sm sm = {.instances = instances, .instance = instance};
    const struct cache_config *l1d = &replay->machine->l1d;
    struct lru_filter_request *kinds = filter_kinds(&replay->log->sections[instance], l1d->write);
    unsigned classify = replay->options->needs & NEED_CLASSES(STAGE_L1D) ? CACHE_CLASSIFY : 0;
    struct lru_filter *filter;
    enum status status = lru_filter_create(l1d, classify, &filter);
    if (!kinds)
        status = STATUS_MEMORY;
    for (size_t b = 0; b < replay->log->block_count && !status; b++) {
        if (replay->log->blocks[b].launch && l1d->flush)
            lru_filter_flush(filter);
        status = filter_block(&sm, filter, kinds, b);
    }
    if (!status)
        lru_filter_read_counts(filter, &instances->counts[instance]);
    lru_filter_free(filter);
    free(kinds);
    return status;
}

/* ---- all L1Ds ---------------------------------------------------------------------------------
 */

static enum status l1d_blocks(const struct request_log *stream, struct request_log *sent)
{
    enum status status = STATUS_OK;
    for (size_t b = 0; b < stream->block_count && !status; b++) {
        const struct log_block *block = &stream->blocks[b];
        if (block->launch)
            status = request_log_add_block(
                sent, (struct log_block){.launch = block->launch, .places = sends_first(block)});
        if (!status && block->places)
            status = request_log_add_block(sent, (struct log_block){.places = block->places});
    }
    return status;
}

enum status replay_l1d(const struct replay *replay, struct metrics *metrics,
                       struct request_log *sent, struct miss_mask *mask)
{
    const struct cache_config *config = &replay->machine->l1d;
    unsigned needs = replay->options->needs;
    if (needs & NEED_OPTIMUM(STAGE_L1D) || cache_is_offline(config)) {
        struct machine alone = *replay->machine;
        alone.l2.enabled = alone.tlb.enabled = 0;
        return replay_in_order(replay, &alone, metrics);
    }
    struct cache_counts sum;
    enum status status = sent ? l1d_blocks(replay->log, sent) : STATUS_OK;
    if (status) /* without a log the simulation still goes on */
        sent = NULL;
    bool filtered = !sent && replay_l1d_filters(replay);
    status = run_all(replay, sent, mask, filtered ? filter_instance : l1d_instance, &sum);
    for (unsigned u = 0; !status && mask && u < replay->log->instances; u++)
        mask->count += miss_mask_count(mask, u);
    if (!status)
        stages_put_cache(&sum, false, needs & NEED_CLASSES(STAGE_L1D), metrics);
    return status;
}

/* ---- TLB --------------------------------------------------------------------------------------
 */

/* Looks up the distinct pages of each warp instruction (requests come highest address first, so
 * equal pages are neighbours). If the policy is REPLACEMENT_REPEAT_IDLE, looking up an SM's last
 * page again hits and changes nothing; it is only counted. */
static enum status tlb_requests(struct sm *sm, const struct request *requests, size_t count)
{
    struct request pages[REPLAY_BATCH];
    int shift = __builtin_ctzll(sm->instances->replay->machine->page.size);
    const unsigned spaces = tlb_spaces();
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(spaces & space_bit(requests[i].space)))
            continue;
        uint64_t page = requests[i].address >> shift;
        bool first = requests[i].flags & REQUEST_FIRST;
        if (page == sm->page && (!first || sm->skips)) {
            sm->repeats += first;
            continue;
        }
        sm->page = page;
        pages[made++] = (struct request){.address = page * PAGE_TOKEN,
                                         .pc = requests[i].pc,
                                         .touched = UINT32_MAX,
                                         .bytes = PAGE_TOKEN,
                                         .op = OP_LOAD,
                                         .flags = REQUEST_FIRST};
    }
    return cache_run(sm->cache, pages, made, sm->instances->sent ? &sm->down : NULL);
}

static enum status tlb_instance(void *argument, unsigned instance)
{
    const struct instances *instances = argument;
    const struct replay *replay = instances->replay;
    const struct machine *machine = replay->machine;
    const struct cache_config config = tlb_cache(&machine->tlb);
    struct sm sm = {.instances = instances, .instance = instance, .page = UINT64_MAX};
    sm.skips = replacement_facts[config.replacement].traits & REPLACEMENT_REPEAT_IDLE;
    enum status status = replay_create_cache(&config, instance, machine->seed, 0, &sm.cache);
    for (size_t b = 0; b < replay->log->block_count && !status; b++)
        status = sm_block(&sm, b, tlb_requests);
    if (!status) {
        struct cache_counts *counts = &instances->counts[instance];
        cache_read_counts(sm.cache, counts);
        counts->accesses += sm.repeats;
        counts->reads += sm.repeats;
    }
    free(sm.down.items);
    cache_free(sm.cache);
    return status;
}

enum status replay_tlb(const struct replay *replay, struct metrics *metrics,
                       struct request_log *sent)
{
    struct cache_counts sum;
    enum status status = STATUS_OK;
    for (size_t b = 0; sent && b < replay->log->block_count && !status; b++)
        status = request_log_add_block(sent, replay->log->blocks[b]);
    if (status) /* without a log the simulation still goes on */
        sent = NULL;
    if (sent)
        request_log_reach(sent, replay->log->number);
    status = run_all(replay, sent, NULL, tlb_instance, &sum);
    if (!status)
        stages_put_tlb(&sum, metrics);
    return status;
}
