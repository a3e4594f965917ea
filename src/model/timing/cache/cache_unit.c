#include "model/timing/cache/cache_unit.h"

#include "model/timing/cache/cache_classes.h"
#include "model/timing/cache/cache_lines.h"
#include "model/timing/cache/cache_mshrs.h"

enum { NONE = UINT32_MAX };

/* ---- bypass and throttle ---- */

/* Asks whether a load that misses allocates, and which line. */
static void ask_bypass(const struct cache_unit *unit, const struct packet *request,
                       struct probe *probe, bool store, uint64_t now)
{
    if (store || (probe->outcome != UNIT_MISS && probe->outcome != UNIT_FAIL_LINE))
        return;
    unit_choose(unit, probe, request->pc);
    const uint32_t row = probe->set * unit->ways_max;
    const struct bypass_access access = unit_bypass_access(probe, request, now);
    struct bypass_choice choice = {
        .first = row,
        .ways = unit->ways,
        .way = probe->outcome == UNIT_MISS ? probe->line - row : BYPASS_NO_LINE,
        .holds = unit->holds + row,
        .kept = unit_kept(unit),
    };
    const enum bypass_verdict verdict = bypass_ask(unit->bypass, &access, &choice);
    probe->passed = verdict == BYPASS_PASS;
    probe->past = probe->passed && !unit->bypass->config->mshr;
    probe->outcome = verdict == BYPASS_WAIT ? UNIT_FAIL_LINE : UNIT_MISS;
    probe->line = verdict == BYPASS_ALLOCATE ? row + choice.way : NONE;
}

_Static_assert(BYPASS_FAIL_WRITE == UNIT_FAIL_WRITE - UNIT_FAIL, "the reasons are numbered alike");

/* Says what became of a load. */
static void tell_bypass(struct cache_unit *unit, const struct packet *request,
                        const struct probe *probe, enum unit_outcome outcome, uint64_t now)
{
    const struct bypass_access access = unit_bypass_access(probe, request, now);
    if (outcome >= UNIT_FAIL) {
        bypass_failed(unit->bypass, &access, (enum bypass_fail)(outcome - UNIT_FAIL));
    } else if (probe->outcome == UNIT_HIT || probe->outcome == UNIT_PENDING) {
        bypass_hit(unit->bypass, &access, probe->line, probe->outcome == UNIT_PENDING);
    } else if (probe->outcome == UNIT_MISS) {
        bypass_accept(unit->bypass, &access, probe->line);
        unit->counts.bypassed += probe->passed;
    }
}

/* Says what was taken. */
static void tell_throttle(struct cache_unit *unit, const struct packet *request,
                          const struct probe *probe, bool store, uint64_t now)
{
    if (store)
        throttle_stored(unit->throttle, probe->number);
    else if (probe->outcome == UNIT_MISS)
        throttle_missed(unit->throttle, request->warp, probe->number, now);
}

/* ---- reads ---- */

static enum unit_outcome unit_refuse(struct cache_unit *unit, enum unit_outcome reason)
{
    cache_unit_refuse(unit, reason);
    return reason;
}

/* Whether data are on their way to any reserved sector of a line. */
static bool line_awaits(const struct cache_unit *unit, uint32_t at)
{
    for (uint32_t left = unit->lines[at].reserved; left; left &= left - 1) {
        const unsigned place = (unsigned)__builtin_ctz(left);
        const uint64_t block = geometry_sector(&unit->geometry, unit->tags[at], place);
        const uint32_t mshr = mshr_find(unit, block);
        if (mshr != NONE && unit->mshrs[mshr].parts)
            return true;
    }
    return false;
}

/* No line of a set can be replaced. Where none of its reserved ones gets data any more (read_block
 * says how that comes about) it would stay so, and GPGPU-Sim hangs; here they are free from now on.
 */
static enum unit_outcome refuse_line(struct cache_unit *unit, uint32_t set)
{
    const uint32_t row = set * unit->ways_max;
    bool stale = false;
    unit->evicts = true;
    for (uint32_t at = row; at < row + unit->ways; at++) {
        if (unit->lines[at].reserved && line_awaits(unit, at))
            return unit_refuse(unit, UNIT_FAIL_LINE);
        stale |= unit->lines[at].reserved != 0;
    }
    for (uint32_t at = row; stale && at < row + unit->ways; at++) {
        unit->lines[at].reserved = 0;
        unit_note_line(unit, at);
    }
    unit->changes += stale;
    return unit_refuse(unit, UNIT_FAIL_LINE);
}

static uint64_t block_of(const struct cache_unit *unit, const struct packet *request)
{
    return request->address >> unit->geometry.sector_bits;
}

static bool queue_lacks(struct cache_unit *unit, uint32_t more)
{
    return !limit_admits(&unit->places, unit->misses.count + more);
}

/* Whether the MSHRs can take a request for a block; otherwise the reason. */
static enum unit_outcome mshr_check(struct cache_unit *unit, uint32_t mshr)
{
    if (mshr != NONE)
        return limit_admits(&unit->merge, unit->mshrs[mshr].targets) ? UNIT_HIT : UNIT_FAIL_MERGE;
    if (!limit_admits(&unit->entries, unit->mshrs_used))
        return UNIT_FAIL_MSHR;
    return queue_lacks(unit, 0) ? UNIT_FAIL_MISS_QUEUE : UNIT_HIT;
}

/* Sends a read of the request's block and lets the request wait for it, or joins the one that is
 * under way. */
static void read_block(struct cache_unit *unit, const struct packet *request, struct probe *probe,
                       uint32_t mshr, uint64_t now, struct unit_effect *effect)
{
    struct unit_effect local = {0};
    const bool found = mshr != NONE && !unit->mshrs[mshr].passed;
    if (mshr == NONE) {
        mshr = mshr_allocate(unit, block_of(unit, request), probe->index, probe->line);
        if (mshr == NONE)
            return;
        gauge_enter(&unit->in_use, now, unit->mshrs_used);
        unit->mshrs[mshr].passed = probe->passed;
        struct packet miss = *request;
        miss.address = block_of(unit, request) << unit->geometry.sector_bits;
        miss.bytes = (uint16_t)unit->block_bytes;
        miss.id = mshr;
        miss.flags &= (uint8_t)~PACKET_ALLOCATE; /* the next level answers it as any read */
        unit->mshrs[mshr].parts = (unit->block_bytes - 1) / unit->part_bytes + 1;
        if (miss.kind != PACKET_FETCH)
            miss.kind = PACKET_READ;
        unit_send_miss(unit, &miss, now);
        unit->counts.read_bytes += miss.bytes;
    }
    mshr_merge(unit, mshr, request, now);
    if (probe->passed)
        return;
    /* Its data have a place now, or another one than before the cache was emptied. */
    unit->mshrs[mshr].passed = false;
    unit_touch_line(unit, probe, request, now, &local);
    if (!found || !unit->strays)
        unit->mshrs[mshr].line = probe->line;
    effect->evicted += local.evicted;
    /* A store can have dropped the line while requests still wait to be answered with its data.
     * GPGPU-Sim then keeps the line reserved. In an L1D this ends when it is emptied or its set
     * has no other line left (refuse_line), and its cycles follow from it; an L2 would be stuck. */
    if (!unit->above && !unit->on_fill && !unit->mshrs[mshr].parts)
        unit_fill_line(unit, &unit->mshrs[mshr], now);
}

/* A bypassed load goes to the next level as if there was no cache. */
static void send_past(struct cache_unit *unit, const struct packet *request, uint64_t now,
                      struct unit_effect *effect)
{
    struct packet load = *request;
    load.flags |= PACKET_PASSED;
    unit_send_miss(unit, &load, now);
    unit->counts.read_bytes += load.bytes;
    effect->sent_past = true;
}

static enum unit_outcome read_miss(struct cache_unit *unit, const struct packet *request,
                                   struct probe *probe, uint64_t now, struct unit_effect *effect)
{
    if (queue_lacks(unit, unit->instructions ? 0 : 1))
        return unit_refuse(unit, UNIT_FAIL_MISS_QUEUE);
    if (probe->past) {
        send_past(unit, request, now, effect);
        return UNIT_MISS;
    }
    const uint32_t mshr = mshr_find(unit, block_of(unit, request));
    const enum unit_outcome check = mshr_check(unit, mshr);
    if (check != UNIT_HIT)
        return unit_refuse(unit, check);
    const bool joins = mshr != NONE && (probe->passed || unit->mshrs[mshr].passed);
    read_block(unit, request, probe, mshr, now, effect);
    return joins ? UNIT_PENDING : probe->outcome;
}

static enum unit_outcome read_hit(struct cache_unit *unit, const struct packet *request,
                                  struct probe *probe, uint64_t now, struct unit_effect *effect)
{
    unit_touch_line(unit, probe, request, now, effect);
    unit->recent[probe->number % UNIT_RECENT] = probe->line;
    if (request->kind == PACKET_ATOMIC)
        unit_mark_written(unit, probe, request, true);
    return UNIT_HIT;
}

/* ---- stores ---- */

static void send_store(struct cache_unit *unit, const struct packet *request, uint64_t now,
                       struct unit_effect *effect)
{
    unit_send_miss(unit, request, now);
    unit->counts.write_bytes += request->bytes;
    effect->sent_write = true;
}

/* Whether a store goes on and leaves nothing dirty. */
static inline bool store_drops(const struct cache_unit *unit, const struct packet *request)
{
    return unit->evict || (unit->local_back && !(request->flags & PACKET_LOCAL));
}

static enum unit_outcome store_hit(struct cache_unit *unit, const struct packet *request,
                                   struct probe *probe, uint64_t now, struct unit_effect *effect)
{
    const bool drops = store_drops(unit, request);
    const bool dirty = unit->lines[probe->line].dirty >> probe->place & 1;
    if (drops || unit->through) {
        if (queue_lacks(unit, drops && dirty))
            return unit_refuse(unit, UNIT_FAIL_MISS_QUEUE);
        send_store(unit, request, now, effect);
    }
    if (drops) {
        unit_policy_use(unit, probe, request->pc, false);
        unit_drop_sector(unit, probe, request, now, effect);
        return UNIT_HIT;
    }
    unit_touch_line(unit, probe, request, now, effect);
    unit_mark_written(unit, probe, request, true);
    unit_update_readable(unit, probe);
    return UNIT_HIT;
}

/* The store takes its sector without a fetch; what it did not write cannot be read. (GPGPU-Sim
 * sends none on to the next level that a later store would drop.) */
static enum unit_outcome store_lazily(struct cache_unit *unit, const struct packet *request,
                                      struct probe *probe, uint64_t now, struct unit_effect *effect)
{
    if (queue_lacks(unit, 0))
        return unit_refuse(unit, UNIT_FAIL_MISS_QUEUE);
    const bool drops = store_drops(unit, request);
    if (unit->through || drops)
        send_store(unit, request, now, effect);
    unit_touch_line(unit, probe, request, now, effect);
    struct unit_line *line = &unit->lines[probe->line];
    const uint32_t bit = UINT32_C(1) << probe->place;
    const bool pending = probe->outcome == UNIT_PENDING;
    unit_mark_written(unit, probe, request, !drops);
    if (pending && !drops)
        line->fill_dirty |= bit;
    line->readable &= ~bit;
    if (pending)
        line->fill_readable |= bit;
    unit_update_readable(unit, probe);
    return probe->outcome;
}

/* The store goes on and its block is read besides (write_allocate), or only a block that it does
 * not fill is read (fetch_on_write), for which it waits unless it goes on. */
static enum unit_outcome store_fetching(struct cache_unit *unit, const struct packet *request,
                                        struct probe *probe, uint64_t now,
                                        struct unit_effect *effect)
{
    const bool on_write = unit->write_allocate == WRITE_ALLOCATE_ON_WRITE;
    const bool goes_on = !on_write || store_drops(unit, request);
    const uint64_t sector = request->address >> unit->geometry.sector_bits;
    const struct request part = {
        .address = request->address, .bytes = request->bytes, .touched = request->touched};
    if (on_write && request_covers(&unit->geometry, &part, sector) == UINT32_MAX)
        return store_lazily(unit, request, probe, now, effect);
    if (queue_lacks(unit, on_write ? 1 : 2))
        return unit_refuse(unit, UNIT_FAIL_MISS_QUEUE);
    const uint32_t mshr = mshr_find(unit, block_of(unit, request));
    const enum unit_outcome check = mshr_check(unit, mshr);
    if (check != UNIT_HIT)
        return unit_refuse(unit, check);
    if (!goes_on && mshr != NONE && unit->mshrs[mshr].read_after_write)
        return unit_refuse(unit, UNIT_FAIL_WRITE);
    if (goes_on)
        send_store(unit, request, now, effect);
    struct packet fetch = *request;
    fetch.flags |= goes_on ? PACKET_ALLOCATE : 0;
    read_block(unit, &fetch, probe, mshr, now, effect);
    effect->sent_fetch = true;
    if (!goes_on && !unit->on_fill)
        unit->lines[probe->line].fill_dirty |= UINT32_C(1) << probe->place;
    return probe->outcome;
}

static enum unit_outcome store_miss(struct cache_unit *unit, const struct packet *request,
                                    struct probe *probe, uint64_t now, struct unit_effect *effect)
{
    switch ((enum write_allocate)unit->write_allocate) {
    case WRITE_ALLOCATE_NONE:
        if (queue_lacks(unit, 0))
            return unit_refuse(unit, UNIT_FAIL_MISS_QUEUE);
        send_store(unit, request, now, effect);
        return probe->outcome == UNIT_FAIL_LINE ? UNIT_MISS : probe->outcome;
    case WRITE_ALLOCATE_LAZY:
        return store_lazily(unit, request, probe, now, effect);
    case WRITE_ALLOCATE_FETCH:
    case WRITE_ALLOCATE_ON_WRITE:
        return store_fetching(unit, request, probe, now, effect);
    }
    return UNIT_MISS;
}

_Static_assert(EVENT_l1d_hit + UNIT_FAIL == EVENT_l1d_refusal &&
                   EVENT_l2_hit + UNIT_FAIL == EVENT_l2_refusal,
               "the kinds of events follow the outcomes");

void cache_unit_tell(const struct cache_unit *unit, const struct packet *request, uint32_t id,
                     uint64_t cycle, enum unit_outcome outcome)
{
    const bool refused = outcome >= UNIT_FAIL;
    const struct timing_event event = {
        .cycle = cycle,
        .address = request->address,
        .pc = request->pc,
        .id = id,
        .place = unit->event_place,
        .slot = unit->above ? request->warp : NO_SLOT,
        .bytes = request->bytes,
        .kind = (uint8_t)(unit->event_first + (refused ? UNIT_FAIL : outcome)),
        .detail = refused ? (uint8_t)(outcome - UNIT_FAIL) : request->kind};
    event_log_put(unit->events, &event);
}

/* Counts a request that was taken. */
static void count_taken(struct cache_unit *unit, const struct packet *request, bool store,
                        enum unit_outcome outcome)
{
    uint64_t *counts = store ? unit->counts.writes : unit->counts.reads;
    counts[outcome]++;
    unit->counts.bytes += request->bytes;
    unit->changes++;
}

static void count_access(struct cache_unit *unit, const struct packet *request,
                         const struct probe *probe, bool store, enum unit_outcome outcome)
{
    count_taken(unit, request, store, outcome);
    unit->counts.repeated += unit->repeats;
    unit->last_line = probe->number;
    if (unit->shadow)
        unit_class_count(unit, request, outcome);
}

/* A bypass policy hears of refused loads too, a throttle of what was taken alone. */
static void tell_policies(struct cache_unit *unit, const struct packet *request,
                          const struct probe *probe, bool store, enum unit_outcome outcome,
                          uint64_t now)
{
    const bool taken = outcome < UNIT_OUTCOMES;
    if (unit->bypass && !store)
        tell_bypass(unit, request, probe, outcome, now);
    else if (unit->bypass && taken)
        bypass_stored(unit->bypass, probe->number);
    if (unit->throttle && taken)
        tell_throttle(unit, request, probe, store, now);
}

/* A refused request leaves everything but counts of refusals as it was: whatever can refuse comes
 * before the first change of a line, an MSHR or the miss queue (cache_unit_refuses rests on it). */
enum unit_outcome unit_access(struct cache_unit *unit, const struct packet *request, uint64_t index,
                              uint64_t now, struct unit_effect *effect)
{
    const bool store = request->kind == PACKET_WRITE || request->kind == PACKET_WRITEBACK;
    *effect = (struct unit_effect){0};
    if (cache_unit_blocked(unit))
        return unit_refuse(unit, UNIT_FAIL_MSHR);
    struct probe probe = unit_probe(unit, request, index, store);
    enum unit_outcome outcome;
    unit->repeats = unit->same_line && unit->last_line == probe.number;
    if (unit->bypass)
        ask_bypass(unit, request, &probe, store, now);
    if (probe.outcome == UNIT_FAIL_LINE && !(store && unit->write_allocate == WRITE_ALLOCATE_NONE))
        outcome = refuse_line(unit, probe.set);
    else if (store)
        outcome = probe.outcome == UNIT_HIT ? store_hit(unit, request, &probe, now, effect)
                                            : store_miss(unit, request, &probe, now, effect);
    else
        outcome = probe.outcome == UNIT_HIT ? read_hit(unit, request, &probe, now, effect)
                                            : read_miss(unit, request, &probe, now, effect);
    if (outcome < UNIT_OUTCOMES)
        count_access(unit, request, &probe, store, outcome);
    tell_policies(unit, request, &probe, store, outcome, now);
    return outcome;
}

static enum unit_outcome access_present(struct cache_unit *unit, const struct packet *request,
                                        uint64_t index, uint64_t now, struct unit_effect *effect)
{
    const bool store = request->kind == PACKET_WRITE || request->kind == PACKET_WRITEBACK;
    (void)index;
    *effect = (struct unit_effect){0};
    if (store && (unit->through || store_drops(unit, request))) {
        if (queue_lacks(unit, 0))
            return unit_refuse(unit, UNIT_FAIL_MISS_QUEUE);
        send_store(unit, request, now, effect);
    }
    count_taken(unit, request, store, UNIT_HIT);
    return UNIT_HIT;
}

static enum unit_outcome access_some(struct cache_unit *unit, const struct packet *request,
                                     uint64_t index, uint64_t now, struct unit_effect *effect)
{
    return request->flags & PACKET_HITS ? access_present(unit, request, index, now, effect)
                                        : unit_access(unit, request, index, now, effect);
}

void cache_unit_set_hits(struct cache_unit *unit)
{
    unit->access = access_present;
}

void cache_unit_set_some_hits(struct cache_unit *unit)
{
    unit->access = access_some;
}

/* ---- fills ---- */

static void tell_fill(struct cache_unit *unit, const struct mshr *mshr, const struct packet *reply,
                      uint64_t now)
{
    const struct mshr_target *first = &unit->targets[mshr->first];
    const uint32_t waited = (uint32_t)(now - first->joined), below = reply->l2 + reply->dram;
    const struct bypass_fill fill = {.now = now,
                                     .pc = first->pc,
                                     .waited = waited,
                                     .warp = first->warp,
                                     .passed = mshr->passed,
                                     .l2_hit = !reply->dram};
    if (unit->bypass)
        bypass_fill(unit->bypass, &fill);
    if (unit->throttle)
        throttle_filled(unit->throttle, waited > below ? waited - below : 0);
}

void cache_unit_fill(struct cache_unit *unit, const struct packet *reply, uint64_t now)
{
    const uint32_t id = reply->id;
    struct mshr *mshr = &unit->mshrs[id];
    if (unit->failed || --mshr->parts) /* failed: perhaps no request joined the MSHR */
        return;
    unit->changes++;
    if (unit->events)
        unit_tell_line(unit, EVENT_l1d_fill, mshr->block << unit->geometry.sector_bits,
                       unit->block_bytes);
    if (!mshr->passed)
        unit_fill_line(unit, mshr, now);
    if (unit->bypass || unit->throttle)
        tell_fill(unit, mshr, reply, now);
    mshr->filled = now;
    mshr->l2 = reply->l2;
    mshr->dram = reply->dram;
    mshr->ready_next = NONE;
    if (unit->ready_first == NONE)
        unit->ready_first = id;
    else
        unit->mshrs[unit->ready_last].ready_next = id;
    unit->ready_last = id;
}
