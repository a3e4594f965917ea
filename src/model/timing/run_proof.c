#include "model/timing/run_proof.h"

#include "model/gpu/occupancy.h"
#include "model/timing/gpu_parts.h"
#include "model/timing/timing_check.h"

void run_proof_widen(struct machine *machine)
{
    run_limits_clear(machine);
    machine->l1d.size = machine->l1d.ways = 0;
    machine->l2.size = machine->l2.ways = 0;
    machine->l1d.bypass = (struct bypass_config){0};
    machine->scheduler.policy = 0;
}

/* A policy that is none where no set gets full. */
static bool waits_for_full(const struct bypass_config *bypass)
{
    return bypass->policy == BYPASS_NEVER ||
           (bypass_traits[bypass->policy] & BYPASS_FULL && !bypass->shared);
}

/* Whether the L1D, with its bypass policy, would have answered likewise. */
static bool covers_l1d(const struct run_proof *proof, const struct machine *machine)
{
    const struct footprint *ran = &proof->l1d;
    struct machine other = *machine;
    other.l1d.bypass = proof->bypass;
    if (waits_for_full(&machine->l1d.bypass) && ran->open)
        return footprint_covers(ran, &machine->l1d);
    return machine->l1d.size == ran->size && machine->l1d.ways == ran->ways &&
           machine_same(machine, &other, ~0u);
}

static bool covers_scheduler(const struct run_proof *proof, int policy)
{
    return policy == proof->scheduler || (!proof->picked && scheduler_only_picks(policy));
}

bool run_proof_covers(const struct run_proof *proof, const struct machine *machine)
{
    if (!proof->holds)
        return false;
    for (unsigned i = 0; i < RUN_LIMITS; i++) {
        const uint64_t limit = run_limit_of(machine, (enum run_limit)i);
        if (limit < proof->limits[i].least || limit > proof->limits[i].most)
            return false;
    }
    return covers_scheduler(proof, machine->scheduler.policy) && covers_l1d(proof, machine) &&
           footprint_covers(&proof->l2, &machine->l2) && !timing_check(machine, NULL);
}

/* ---- what a run leaves behind ---- */

static void join_cache(struct limit *entries, const struct cache_unit *unit)
{
    limit_join(&entries[0], &unit->entries);
    limit_join(&entries[1], &unit->merge);
    limit_join(&entries[2], &unit->places);
}

_Static_assert(RUN_LIMIT_L1I_MERGE == RUN_LIMIT_L1I_ENTRIES + 1 &&
                   RUN_LIMIT_L1I_MISS_QUEUE == RUN_LIMIT_L1I_ENTRIES + 2 &&
                   RUN_LIMIT_L1D_MERGE == RUN_LIMIT_L1D_ENTRIES + 1 &&
                   RUN_LIMIT_L1D_MISS_QUEUE == RUN_LIMIT_L1D_ENTRIES + 2 &&
                   RUN_LIMIT_L2_MERGE == RUN_LIMIT_L2_ENTRIES + 1 &&
                   RUN_LIMIT_L2_MISS_QUEUE == RUN_LIMIT_L2_ENTRIES + 2,
               "the limits of a cache follow each other");

static void join_sm(struct limit *limits, const struct sm *sm)
{
    const struct machine *machine = sm->shared->machine;
    if (machine->l1i.enabled)
        join_cache(&limits[RUN_LIMIT_L1I_ENTRIES], &sm->fetch.l1i);
    if (machine->l1d.enabled)
        join_cache(&limits[RUN_LIMIT_L1D_ENTRIES], &sm->load_store.l1d);
    if (sm->shared->page_bits)
        limit_join(&limits[RUN_LIMIT_WALKER_QUEUE], &sm->translate.tlb.places);
    limit_join(&limits[RUN_LIMIT_NETWORK_QUEUE], &sm->port.places);
    limit_join(&limits[RUN_LIMIT_NETWORK_INJECT], &sm->port.inject);
    limit_join(&limits[RUN_LIMIT_NETWORK_EJECTED], &sm->port.ejected);
    limit_join(&limits[RUN_LIMIT_CORE_RESPONSES], &sm->port.answers);
}

static void join_channel(struct limit *limits, const struct channel *channel, bool routed)
{
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        const struct slice *slice = &channel->slices[i];
        if (channel->machine->l2.enabled)
            join_cache(&limits[RUN_LIMIT_L2_ENTRIES], &slice->cache);
        limit_join(&limits[routed ? RUN_LIMIT_NETWORK_INJECT : RUN_LIMIT_NETWORK_QUEUE],
                   &slice->places);
    }
    limit_join(&limits[RUN_LIMIT_L2_QUEUE], &channel->queue);
    limit_join(&limits[RUN_LIMIT_DRAM_QUEUE], &channel->dram.queue);
    limit_join(&limits[RUN_LIMIT_DRAM_RETURNS], &channel->dram.returns);
    limit_join(&limits[RUN_LIMIT_DRAM_CREDITS], &channel->credits);
}

static void join_network(struct limit *queue, const struct network *network)
{
    const struct fly *fly = &network->fly;
    for (uint32_t i = 0; network->routed && i < fly->inputs; i++)
        limit_join(queue, &fly->input[i].places);
    for (uint32_t i = 0; network->routed && i < fly->outputs; i++)
        limit_join(queue, &fly->output[i].places);
}

static void join_occupancy(struct limit *limits, const struct gpu *gpu)
{
    static const struct {
        enum occupancy_limit of;
        enum run_limit limit;
    } rows[] = {{LIMIT_BLOCKS, RUN_LIMIT_GPU_BLOCKS},
                {LIMIT_SHARED, RUN_LIMIT_GPU_SHARED},
                {LIMIT_REGISTERS, RUN_LIMIT_GPU_REGISTERS}};
    for (uint32_t i = 0; i < gpu->source->launch_count; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            uint64_t least, most;
            occupancy_keeps(gpu->machine, &gpu->source->launches[i], rows[k].of, &least, &most);
            const struct limit kept = {.least = (uint32_t)least,
                                       .most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX};
            limit_join(&limits[rows[k].limit], &kept);
        }
}

void run_proof_begin(struct run_proof *proof, const struct machine *machine)
{
    *proof = (struct run_proof){0};
    footprint_begin(&proof->l1d, &machine->l1d);
    footprint_begin(&proof->l2, &machine->l2);
    proof->bypass = machine->l1d.bypass;
    proof->scheduler = machine->scheduler.policy;
    proof->picked = !scheduler_only_picks(machine->scheduler.policy);
}

void run_proof_note_l2(struct run_proof *proof, const struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->slice_count && gpu->machine->l2.enabled; i++)
        footprint_add(&proof->l2, &slice_at(gpu, i)->cache, &gpu->map);
}

void run_proof_end(struct run_proof *proof, const struct gpu *gpu)
{
    struct limit limits[RUN_LIMITS];
    for (unsigned i = 0; i < RUN_LIMITS; i++)
        limits[i] = limit_of(0);
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        join_sm(limits, &gpu->sms[i]);
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        for (uint32_t k = 0; k < gpu->shared->schedulers; k++)
            proof->picked |= gpu->sms[i].schedulers[k].picked;
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        join_channel(limits, &gpu->channels[i], gpu->replies.routed);
    join_occupancy(limits, gpu);
    join_network(&limits[RUN_LIMIT_NETWORK_QUEUE], &gpu->requests);
    join_network(&limits[RUN_LIMIT_NETWORK_QUEUE], &gpu->replies);
    limit_join(&limits[RUN_LIMIT_NETWORK_QUEUE], &gpu->places);
    if (gpu->shared->page_bits) {
        limit_join(&limits[RUN_LIMIT_WALKER_QUEUE], &gpu->mmu.places);
        limit_join(&limits[RUN_LIMIT_WALKER_COUNT], &gpu->mmu.count);
    }
    for (uint32_t i = 0; i < gpu->sm_count && gpu->machine->l1d.enabled; i++) {
        footprint_add(&gpu->footprints[i], &gpu->sms[i].load_store.l1d, NULL);
        footprint_join(&proof->l1d, &gpu->footprints[i]);
    }
    run_proof_note_l2(proof, gpu);
    for (unsigned i = 0; i < RUN_LIMITS; i++)
        proof->limits[i] = (struct run_interval){limits[i].least, limits[i].most};
    proof->holds = true;
}
