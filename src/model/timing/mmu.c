#include "model/timing/mmu.h"

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
    *mmu = (struct mmu){.machine = machine, .levels = page_levels(machine->page.size)};
    mmu->shared.ready_first = UINT32_MAX;
    mmu->free_at = calloc(machine->walker.count, sizeof *mmu->free_at);
    if (!mmu->free_at)
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
    pwc_free(mmu->pwc);
    cache_unit_free(&mmu->shared);
    free(mmu->free_at);
    free(mmu->arrivals);
    free(mmu->waiting);
    free(mmu->serving);
    free(mmu->answers);
}

enum status mmu_put(struct mmu *mmu, uint64_t page, uint64_t cycle, uint16_t sm, uint32_t id,
                    uint32_t op)
{
    if (array_reserve(&mmu->arrivals, &mmu->arrival_capacity, mmu->arrival_count + 1))
        return STATUS_MEMORY;
    mmu->arrivals[mmu->arrival_count++] =
        (struct mmu_walk){.page = page,
                          .arrived = cycle + mmu->machine->l2.latency,
                          .id = id,
                          .op = (uint32_t)sm << 20 ^ op,
                          .sm = sm};
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

static enum status answer(struct mmu *mmu, const struct mmu_walk *walk, uint64_t ready)
{
    if (array_reserve(&mmu->answers, &mmu->answer_capacity, mmu->answer_count + 1))
        return STATUS_MEMORY;
    mmu->answers[mmu->answer_count++] = (struct mmu_answer){ready, walk->id, walk->sm};
    mmu->counts.latency += ready - (walk->arrived - mmu->machine->l2.latency);
    return STATUS_OK;
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
    const struct packet reply = *packet_queue_head(&mmu->shared.misses);
    cache_unit_sent(&mmu->shared);
    cache_unit_fill(&mmu->shared, &reply, walk->arrived);
    cache_unit_take(&mmu->shared);
    return false;
}

/* With walker.merge, a walk of the same page that is waiting or in progress. */
static bool join(struct mmu *mmu, const struct mmu_walk *walk, enum status *status)
{
    if (!mmu->machine->walker.merge)
        return false;
    for (size_t i = 0; i < mmu->serving_count; i++)
        if (mmu->serving[i].page == walk->page && mmu->serving[i].arrived > walk->arrived) {
            mmu->counts.merged++;
            *status = answer(mmu, walk, mmu->serving[i].arrived);
            return true;
        }
    return false;
}

static enum status arrive(struct mmu *mmu, const struct mmu_walk *walk)
{
    enum status status = STATUS_OK;
    mmu->counts.requests++;
    if (shared_hit(mmu, walk))
        return answer(mmu, walk, walk->arrived);
    if (join(mmu, walk, &status))
        return status;
    if (array_reserve(&mmu->waiting, &mmu->waiting_capacity, mmu->waiting_count + 1))
        return STATUS_MEMORY;
    struct mmu_walk *last = &mmu->waiting[mmu->waiting_count++];
    *last = *walk;
    last->cost = pwc_probe(mmu->pwc, walk->page * mmu->machine->page.size);
    return STATUS_OK;
}

/* The waiting walk that goes next. */
static size_t choose(const struct mmu *mmu)
{
    const uint64_t patience = mmu->machine->walker.patience;
    if (!(walker_traits[mmu->machine->walker.policy] & WALKER_REORDERS))
        return 0;
    size_t best = 0;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < mmu->waiting_count; i++) {
        uint64_t score = 0;
        if (mmu->waiting[i].passed >= patience)
            return i;
        for (size_t k = 0; k < mmu->waiting_count; k++)
            score += mmu->waiting[k].op == mmu->waiting[i].op ? mmu->waiting[k].cost : 0;
        if (score < least) {
            least = score;
            best = i;
        }
    }
    return best;
}

static enum status begin(struct mmu *mmu, size_t walker)
{
    const struct walker_config *config = &mmu->machine->walker;
    const size_t at = choose(mmu);
    const struct mmu_walk walk = mmu->waiting[at];
    for (size_t i = 0; i < at; i++)
        mmu->waiting[i].passed++;
    mmu->waiting_count--;
    for (size_t i = at; i < mmu->waiting_count; i++)
        mmu->waiting[i] = mmu->waiting[i + 1];
    const uint64_t from = mmu->free_at[walker] > walk.arrived ? mmu->free_at[walker] : walk.arrived;
    const enum pwc_hit hit = pwc_walk(mmu->pwc, walk.page * mmu->machine->page.size);
    const uint64_t read = config->l2 ? config->l2_latency : config->latency;
    const uint64_t end = from + pwc_lookup_cost(mmu->pwc, hit).cycles * config->lookup +
                         (mmu->levels - (unsigned)hit) * read;
    mmu->free_at[walker] = end;
    mmu->counts.walks++;
    mmu->counts.wait += from - (walk.arrived - mmu->machine->l2.latency);
    size_t kept = 0;
    for (size_t i = 0; i < mmu->serving_count; i++)
        if (mmu->serving[i].arrived > from)
            mmu->serving[kept++] = mmu->serving[i];
    mmu->serving_count = kept;
    if (array_reserve(&mmu->serving, &mmu->serving_capacity, kept + 1))
        return STATUS_MEMORY;
    mmu->serving[mmu->serving_count] = walk;
    mmu->serving[mmu->serving_count++].arrived = end;
    enum status status = answer(mmu, &walk, end);
    /* Those that wait for the same page are served with it. */
    for (size_t i = 0; config->merge && !status && i < mmu->waiting_count;) {
        if (mmu->waiting[i].page != walk.page) {
            i++;
            continue;
        }
        mmu->counts.merged++;
        status = answer(mmu, &mmu->waiting[i], end);
        mmu->waiting_count--;
        for (size_t k = i; k < mmu->waiting_count; k++)
            mmu->waiting[k] = mmu->waiting[k + 1];
    }
    return status;
}

static size_t first_free(const struct mmu *mmu)
{
    size_t first = 0;
    for (size_t i = 1; i < mmu->machine->walker.count; i++)
        if (mmu->free_at[i] < mmu->free_at[first])
            first = i;
    return first;
}

enum status mmu_run(struct mmu *mmu, uint64_t horizon)
{
    enum status status = STATUS_OK;
    mmu->answer_count = 0;
    if (mmu->arrival_count)
        qsort(mmu->arrivals, mmu->arrival_count, sizeof *mmu->arrivals, by_arrival);
    for (size_t at = 0; !status; at++) {
        const uint64_t next = at < mmu->arrival_count ? mmu->arrivals[at].arrived : horizon;
        /* Requests of one cycle have all arrived before any of them is taken. */
        for (size_t walker; !status && mmu->waiting_count;) {
            walker = first_free(mmu);
            if (mmu->free_at[walker] >= next || mmu->waiting[0].arrived >= next)
                break;
            status = begin(mmu, walker);
        }
        if (at >= mmu->arrival_count || status)
            break;
        status = arrive(mmu, &mmu->arrivals[at]);
    }
    mmu->arrival_count = 0;
    return status;
}
