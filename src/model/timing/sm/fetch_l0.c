#include "model/timing/sm/sm.h"

/* The L0 instruction caches of an SM: fully associative, LRU, in front of the L1I. Warps take turns
 * among them, one for each scheduler where l1i.l0.count is scheduler.count. R. Huerta et al.
 * ("Dissecting and modeling the architecture of modern GPU cores", MICRO 2025, section 5.2) find
 * one in each sub-core and assume an arbiter in front of the L1I that they share: here it takes one
 * look-up a cycle, of the L0s by turns, and gives one line a cycle to them. An L0 can miss for all
 * its warps at once. */

static uint32_t l0_miss_id(uint32_t l0, uint32_t entry)
{
    return l0 * WARPS_MAX + entry;
}

enum status sm_l0_init(struct sm *sm)
{
    struct fetch_stage *front = &sm->fetch;
    const struct instruction_cache_config *l1i = &sm->shared->machine->l1i;
    struct cache_config config = instruction_cache_of(l1i);
    config.size = l1i->l0.size;
    config.ways = l1i->l0.size / l1i->line;
    config.index = INDEX_MODULO;
    config.replacement = REPLACEMENT_LRU;
    config.reset = RESET_PAPER;
    config.same_line = config.blocking = 0;
    config.mshr.entries = config.mshr.merge = WARPS_MAX;
    config.miss_queue = WARPS_MAX + 1;
    arrays_add(&sm->arrays, &front->l0s, l1i->l0.count, sizeof *front->l0s);
    enum status status = front->l0s ? STATUS_OK : STATUS_MEMORY;
    while (!status && front->l0_count < l1i->l0.count) {
        struct cache_unit *l0 = &front->l0s[front->l0_count++];
        status = cache_unit_init(l0, &config, config.ways, 0);
        l0->instructions = true;
    }
    return status;
}

enum unit_outcome sm_l0_look_up(struct sm *sm, struct packet *request, uint64_t line)
{
    struct cache_unit *l0 = &sm->fetch.l0s[request->warp % sm->fetch.l0_count];
    struct unit_effect effect;
    if (cache_unit_read_again(l0, line, sm->now))
        return UNIT_HIT;
    request->ready = sm->now + sm->shared->machine->l1i.l0.latency;
    return cache_unit_access(l0, request, line, sm->now, &effect);
}

/* The line that an L0 waits for comes to it. */
static void fill(struct sm *sm, uint32_t id)
{
    const struct packet reply = {.id = id % WARPS_MAX};
    cache_unit_fill(&sm->fetch.l0s[id / WARPS_MAX], &reply, sm->now);
    sm->progress = true;
}

/* Looks up the first miss of an L0 in the L1I. */
static void ask_l1i(struct sm *sm, uint32_t at)
{
    struct fetch_stage *front = &sm->fetch;
    struct cache_unit *l0 = &front->l0s[at];
    struct packet request = *packet_queue_head(&l0->packets, &l0->misses);
    const uint64_t line = request.address >> front->l1i.geometry.line_bits;
    request.id = l0_miss_id(at, request.id);
    const enum unit_outcome outcome = sm_l1i_look_up(sm, &request, line);
    if (outcome >= UNIT_FAIL) {
        front->refused = true;
        return;
    }
    cache_unit_sent(l0, sm->now);
    sm->progress = true;
    if (outcome != UNIT_HIT)
        return;
    fetch_pipe_put(&front->l0_pipe, sm->now + sm->shared->machine->l1i.latency, request.id);
}

void sm_l0_serve(struct sm *sm)
{
    struct fetch_stage *front = &sm->fetch;
    uint32_t id;
    if (fetch_pipe_take(&front->l0_pipe, sm->now, &id))
        fill(sm, id);
    if (cache_unit_has_ready(&front->l1i)) {
        fill(sm, cache_unit_take(&front->l1i, sm->now).id);
        return;
    }
    for (uint32_t i = 0; i < front->l0_count; i++) {
        const uint32_t at = (front->l0_asks + i) % front->l0_count;
        if (!packet_queue_due(&front->l0s[at].packets, &front->l0s[at].misses, sm->now))
            continue;
        if (!cache_unit_blocked(&front->l1i))
            front->l0_asks = at + 1;
        ask_l1i(sm, at);
        return;
    }
}

uint32_t sm_l0_take(struct sm *sm)
{
    struct fetch_stage *front = &sm->fetch;
    for (uint32_t i = 0; i < front->l0_count; i++) {
        const uint32_t at = (front->l0_gives + i) % front->l0_count;
        if (!cache_unit_has_ready(&front->l0s[at]))
            continue;
        front->l0_gives = at + 1;
        return cache_unit_take(&front->l0s[at], sm->now).id;
    }
    return NO_WARP;
}
