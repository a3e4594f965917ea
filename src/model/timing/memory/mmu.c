#include "model/timing/memory/mmu.h"

#include <string.h>

#include "base/memory.h"
#include "schema/parameters.h"

struct cache_config mmu_tlb_config(const struct tlb_config *tlb)
{
    return (struct cache_config){
        .enabled = 1,
        .size = tlb->entries * MMU_LINE,
        .ways = tlb_ways(tlb),
        .line = MMU_LINE,
        .sector = MMU_LINE,
        .index = INDEX_MODULO,
        .replacement = tlb->replacement,
        .write = WRITE_READ_ONLY,
        .allocate = ALLOCATE_ON_FILL,
        .mshr = {.kind = MSHR_ASSOCIATIVE, .entries = UINT32_MAX, .merge = UINT32_MAX},
        .miss_queue = UINT32_MAX,
        .slices = 1,
    };
}

enum status mmu_init(struct mmu *mmu, const struct machine *machine)
{
    *mmu = (struct mmu){.machine = machine,
                        .walker_count = (uint32_t)machine->walker.count,
                        .count = limit_of(machine->walker.count),
                        .places = limit_of(machine->walker.queue),
                        .levels = page_levels(machine->page.size),
                        .through_l2 = machine_couples(machine)};
    mmu->shared.ready_first = UINT32_MAX;
    page_table_init(&mmu->table, PAGE_TABLE_BASE, machine->page.size);
    mmu->walkers = calloc(machine->walker.count, sizeof *mmu->walkers);
    if (!mmu->walkers)
        return STATUS_MEMORY;
    enum status status = pwc_create(&machine->pwc, machine->page.size, &mmu->pwc);
    if (!status && machine->l2tlb.enabled) {
        const struct cache_config config = mmu_tlb_config(&machine->l2tlb);
        status = cache_unit_init(&mmu->shared, &config, config.ways, machine->seed);
    }
    return status;
}

void mmu_free(struct mmu *mmu)
{
    for (size_t i = 0; mmu->walkers && i < mmu->walker_count; i++)
        free(mmu->walkers[i].joined);
    pwc_free(mmu->pwc);
    cache_unit_free(&mmu->shared);
    packet_pool_free(&mmu->packets);
    free(mmu->walkers);
    free(mmu->arrivals);
    free(mmu->waiting);
    free(mmu->replies);
    free(mmu->answers);
}

bool mmu_copy(struct mmu *mmu)
{
    const bool walks = mmu->pwc;
    mmu->pwc = walks ? pwc_copy(mmu->pwc) : NULL;
    bool all = !mmu->pwc == !walks;
    all &= cache_unit_copy(&mmu->shared);
    all &= packet_pool_copy(&mmu->packets);
    all &= array_copy(&mmu->walkers, mmu->walker_count * sizeof *mmu->walkers);
    for (size_t i = 0; mmu->walkers && i < mmu->walker_count; i++)
        all &= array_copy(&mmu->walkers[i].joined,
                          mmu->walkers[i].joined_capacity * sizeof *mmu->walkers[i].joined);
    all &= array_copy(&mmu->arrivals, mmu->arrival_capacity * sizeof *mmu->arrivals);
    all &= array_copy(&mmu->waiting, mmu->waiting_capacity * sizeof *mmu->waiting);
    all &= array_copy(&mmu->replies, mmu->reply_capacity * sizeof *mmu->replies);
    return array_copy(&mmu->answers, mmu->answer_capacity * sizeof *mmu->answers) && all;
}

enum status mmu_put(struct mmu *mmu, uint64_t page, uint64_t cycle, uint16_t sm, uint32_t id,
                    uint32_t op)
{
    const uint64_t latency = mmu->machine->l2.latency;
    if (array_reserve(&mmu->arrivals, &mmu->arrival_capacity, mmu->arrival_count + 1))
        return STATUS_MEMORY;
    mmu->arrivals[mmu->arrival_count++] =
        (struct mmu_walk){.page = page,
                          .sent = cycle,
                          .arrived = cycle + (latency ? latency : 1),
                          .id = id,
                          .op = (uint32_t)sm << 20 ^ op,
                          .sm = sm};
    return STATUS_OK;
}

enum status mmu_reply(struct mmu *mmu, uint32_t walker, uint64_t cycle)
{
    if (array_reserve(&mmu->replies, &mmu->reply_capacity, mmu->reply_count + 1))
        return STATUS_MEMORY;
    mmu->replies[mmu->reply_count++] = (struct mmu_reply){cycle, walker};
    return STATUS_OK;
}

static int by_arrival(const void *a, const void *b)
{
    const struct mmu_walk *x = a, *y = b;
    if (x->arrived != y->arrived)
        return x->arrived < y->arrived ? -1 : 1;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int by_cycle(const void *a, const void *b)
{
    const struct mmu_reply *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->walker < y->walker ? -1 : x->walker > y->walker;
}

static enum status put_answer(struct mmu *mmu, const struct mmu_walk *walk, uint64_t ready,
                              bool taken)
{
    if (array_reserve(&mmu->answers, &mmu->answer_capacity, mmu->answer_count + 1))
        return STATUS_MEMORY;
    mmu->answers[mmu->answer_count++] = (struct mmu_answer){ready, walk->id, walk->sm, taken};
    return STATUS_OK;
}

static enum status answer(struct mmu *mmu, const struct mmu_walk *walk, uint64_t ready)
{
    mmu->counts.latency += ready - walk->sent;
    return put_answer(mmu, walk, ready, false);
}

/* A request leaves the SM's places for those that wait. */
static enum status take(struct mmu *mmu, const struct mmu_walk *walk, uint64_t cycle)
{
    return put_answer(mmu, walk, cycle, true);
}

static void tell_walk(const struct mmu *mmu, enum event_kind kind, uint64_t cycle, uint32_t place,
                      const struct mmu_walk *walk)
{
    const struct timing_event event = {.cycle = cycle,
                                       .address = walk->page * mmu->machine->page.size,
                                       .id = walk->sm,
                                       .place = (uint16_t)place,
                                       .slot = NO_SLOT,
                                       .kind = (uint8_t)kind,
                                       .detail = EVENT_NO_DETAIL};
    event_log_put(mmu->events, &event);
}

/* Whether the shared TLB has a page; otherwise it takes it at once, as its walk is sure to come. */
static bool shared_hit(struct mmu *mmu, const struct mmu_walk *walk)
{
    const struct packet request = {.address = walk->page * MMU_LINE, .bytes = MMU_LINE};
    struct unit_effect effect;
    if (!mmu->machine->l2tlb.enabled)
        return false;
    mmu->counts.shared_accesses++;
    if (cache_unit_access(&mmu->shared, &request, walk->page, walk->arrived, &effect) == UNIT_HIT)
        return true;
    mmu->counts.shared_misses++;
    if (mmu->shared.failed)
        return false;
    const struct packet reply = *packet_queue_head(&mmu->shared.packets, &mmu->shared.misses);
    cache_unit_sent(&mmu->shared, walk->arrived);
    cache_unit_fill(&mmu->shared, &reply, walk->arrived);
    cache_unit_take(&mmu->shared, walk->arrived);
    return false;
}

/* A request is served by the walk of a walker. */
static enum status add_joined(struct mmu *mmu, struct mmu_walker *walker,
                              const struct mmu_walk *walk)
{
    mmu->counts.merged++;
    if (walker->free_at != UINT64_MAX)
        return answer(mmu, walk, walker->free_at);
    if (array_reserve(&walker->joined, &walker->joined_capacity, walker->joined_count + 1))
        return STATUS_MEMORY;
    walker->joined[walker->joined_count++] = *walk;
    return STATUS_OK;
}

/* With walker.merge, the walker that is at a request's page when it comes. */
static struct mmu_walker *walker_at(struct mmu *mmu, const struct mmu_walk *walk)
{
    for (size_t i = 0; mmu->machine->walker.merge && i < mmu->walker_count; i++)
        if (mmu->walkers[i].walk.page == walk->page && mmu->walkers[i].free_at > walk->arrived)
            return &mmu->walkers[i];
    return NULL;
}

/* What the shared TLB has, or a walker reads already, waits for no walker, so its SM has the place
 * back at once (take). The cost of a walk is estimated when it comes (ISCA 2018), not when it is
 * chosen. */
static enum status arrive(struct mmu *mmu, const struct mmu_walk *walk)
{
    mmu->counts.requests++;
    const bool hit = shared_hit(mmu, walk);
    if (mmu->events && mmu->machine->l2tlb.enabled)
        tell_walk(mmu, hit ? EVENT_l2tlb_hit : EVENT_l2tlb_miss, walk->arrived, 0, walk);
    struct mmu_walker *walker = hit ? NULL : walker_at(mmu, walk);
    if (hit || walker) {
        const enum status status = take(mmu, walk, walk->arrived);
        if (status)
            return status;
        return hit ? answer(mmu, walk, walk->arrived) : add_joined(mmu, walker, walk);
    }
    if (array_reserve(&mmu->waiting, &mmu->waiting_capacity, mmu->waiting_count + 1))
        return STATUS_MEMORY;
    struct mmu_walk *last = &mmu->waiting[mmu->waiting_count++];
    *last = *walk;
    last->cost = pwc_probe(mmu->pwc, walk->page * mmu->machine->page.size);
    gauge_enter(&mmu->queued, walk->arrived, (uint32_t)mmu->waiting_count);
    return STATUS_OK;
}

/* Walks that a walker can choose among: the others have no place yet. */
static size_t placed(struct mmu *mmu)
{
    uint32_t count = 0;
    while (count < mmu->waiting_count && limit_admits(&mmu->places, count))
        count++;
    return count;
}

/* The waiting walk that goes next. */
static size_t mmu_choose(struct mmu *mmu)
{
    const uint64_t patience = mmu->machine->walker.patience;
    if (!(walker_traits[mmu->machine->walker.policy] & WALKER_REORDERS))
        return 0;
    const size_t count = placed(mmu);
    size_t best = 0;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        uint64_t score = 0;
        if (mmu->waiting[i].passed >= patience)
            return i;
        for (size_t k = 0; k < count; k++)
            score += mmu->waiting[k].op == mmu->waiting[i].op ? mmu->waiting[k].cost : 0;
        if (score < least) {
            least = score;
            best = i;
        }
    }
    return best;
}

static void remove_waiting(struct mmu *mmu, size_t at, uint64_t now)
{
    gauge_leave(&mmu->queued, now);
    mmu->waiting_count--;
    for (size_t i = at; i < mmu->waiting_count; i++)
        mmu->waiting[i] = mmu->waiting[i + 1];
}

/* Sends a walker's next read to the L2; those that are sent earlier stand before it. */
static enum status send_read(struct mmu *mmu, uint32_t number, uint64_t cycle)
{
    enum { ENTRY_BYTES = 32 }; /* that are read around an entry */
    const struct mmu_walker *walker = &mmu->walkers[number];
    const uint64_t sector = mmu->machine->l2.sector;
    const uint64_t bytes = sector < ENTRY_BYTES ? sector : ENTRY_BYTES;
    const struct packet read = {.address = walker->entries[walker->level] & ~(bytes - 1),
                                .ready = cycle,
                                .issued = cycle,
                                .id = number,
                                .bytes = (uint16_t)bytes,
                                .kind = PACKET_READ,
                                .flags = PACKET_WALK};
    mmu->counts.reads++;
    return packet_queue_insert(&mmu->packets, &mmu->reads, &read) ? STATUS_OK : STATUS_MEMORY;
}

/* Those that wait for the same page are served with it. */
static enum status join_waiting(struct mmu *mmu, struct mmu_walker *walker, uint64_t from)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; mmu->machine->walker.merge && !status && i < mmu->waiting_count;) {
        if (mmu->waiting[i].page != walker->walk.page) {
            i++;
            continue;
        }
        const struct mmu_walk walk = mmu->waiting[i];
        remove_waiting(mmu, i, from);
        status = take(mmu, &walk, from);
        if (!status)
            status = add_joined(mmu, walker, &walk);
    }
    return status;
}

/* The page-walk cache is looked up and filled when a walker takes the walk, so walks see each
 * other's fills in the order of service, whenever their reads end. */
static enum status begin(struct mmu *mmu, uint32_t number)
{
    const struct walker_config *config = &mmu->machine->walker;
    struct mmu_walker *walker = &mmu->walkers[number];
    const size_t at = mmu_choose(mmu);
    const struct mmu_walk walk = mmu->waiting[at];
    for (size_t i = 0; i < at; i++)
        mmu->waiting[i].passed++;
    const uint64_t from = walker->free_at > walk.arrived ? walker->free_at : walk.arrived;
    remove_waiting(mmu, at, from);
    gauge_enter(&mmu->in_use, from, number + 1); /* those below it are busy (first_free) */
    const uint64_t address = walk.page * mmu->machine->page.size;
    const enum pwc_hit hit = pwc_walk(mmu->pwc, address);
    const uint64_t looked_up = from + pwc_lookup_cost(mmu->pwc, hit).cycles * config->lookup;
    walker->walk = walk;
    mmu->counts.walks++;
    if (mmu->events)
        tell_walk(mmu, EVENT_walk, from, number, &walk);
    mmu->counts.wait += from - walk.sent;
    enum status status = take(mmu, &walk, from);
    if (!status && mmu->through_l2) {
        walker->free_at = UINT64_MAX;
        walker->level = hit;
        page_table_walk(&mmu->table, address, walker->entries);
        status = send_read(mmu, number, looked_up);
    } else if (!status) {
        walker->free_at = looked_up + (mmu->levels - (unsigned)hit) * config->latency;
        gauge_leave(&mmu->in_use, walker->free_at);
        status = answer(mmu, &walk, walker->free_at);
    }
    return status ? status : join_waiting(mmu, walker, from);
}

/* A walker has an entry: it reads the next one, or the walk ends. */
static enum status take_reply(struct mmu *mmu, const struct mmu_reply *reply)
{
    struct mmu_walker *walker = &mmu->walkers[reply->walker];
    if (++walker->level < mmu->levels)
        return send_read(mmu, reply->walker, reply->cycle);
    walker->free_at = reply->cycle;
    gauge_leave(&mmu->in_use, reply->cycle);
    enum status status = answer(mmu, &walker->walk, reply->cycle);
    for (size_t i = 0; !status && i < walker->joined_count; i++)
        status = answer(mmu, &walker->joined[i], reply->cycle);
    walker->joined_count = 0;
    return status;
}

/* The lowest of the walkers that are free when the first walk comes, so that those above the ones
 * in use change nothing; else the one that is free first. */
static uint32_t first_free(struct mmu *mmu)
{
    uint32_t first = 0;
    for (uint32_t i = 0; limit_admits(&mmu->count, i); i++)
        if (mmu->walkers[i].free_at <= mmu->waiting[0].arrived)
            return i;
    for (uint32_t i = 1; i < mmu->walker_count; i++)
        if (mmu->walkers[i].free_at < mmu->walkers[first].free_at)
            first = i;
    return first;
}

/* Free walkers take walks until `next`. What comes in one cycle has all come before any is taken.
 */
static enum status begin_until(struct mmu *mmu, uint64_t next)
{
    enum status status = STATUS_OK;
    while (!status && mmu->waiting_count) {
        const uint32_t walker = first_free(mmu);
        if (mmu->walkers[walker].free_at >= next || mmu->waiting[0].arrived >= next)
            break;
        status = begin(mmu, walker);
    }
    return status;
}

uint32_t mmu_reading(const struct mmu *mmu)
{
    uint32_t count = 0;
    for (uint32_t i = 0; mmu->walkers && i < mmu->walker_count; i++)
        count += mmu->walkers[i].free_at == UINT64_MAX;
    return count;
}

/* Removes the first items of an array. */
static void drop_first(void *items, size_t *count, size_t dropped, size_t bytes)
{
    *count -= dropped;
    if (items && dropped)
        memmove(items, (char *)items + dropped * bytes, *count * bytes);
}

/* Two sorted streams, requests and replies, are merged by time; of one cycle replies come first,
 * because they free walkers. Before each event, walkers that are free by then take walks: so what
 * is done does not depend on where `horizon` cuts the time. */
enum status mmu_run(struct mmu *mmu, uint64_t horizon)
{
    enum status status = STATUS_OK;
    size_t arrived = 0, replied = 0;
    mmu->answer_count = 0;
    if (mmu->arrival_count)
        qsort(mmu->arrivals, mmu->arrival_count, sizeof *mmu->arrivals, by_arrival);
    if (mmu->reply_count)
        qsort(mmu->replies, mmu->reply_count, sizeof *mmu->replies, by_cycle);
    while (!status) {
        const struct mmu_walk *walk = arrived < mmu->arrival_count ? &mmu->arrivals[arrived] : NULL;
        const struct mmu_reply *reply = replied < mmu->reply_count ? &mmu->replies[replied] : NULL;
        const bool first = reply && (!walk || reply->cycle <= walk->arrived);
        const uint64_t when = first ? reply->cycle : walk ? walk->arrived : horizon;
        status = begin_until(mmu, when < horizon ? when : horizon);
        if (status || when >= horizon)
            break;
        status = first ? take_reply(mmu, reply) : arrive(mmu, walk);
        replied += first;
        arrived += !first;
    }
    drop_first(mmu->arrivals, &mmu->arrival_count, arrived, sizeof *mmu->arrivals);
    drop_first(mmu->replies, &mmu->reply_count, replied, sizeof *mmu->replies);
    return !status && mmu->shared.failed ? STATUS_MEMORY : status;
}
