#include "base/memory.h"
#include "model/gpu/occupancy.h"
#include "model/timing/cache/cache_classes.h"
#include "model/timing/gpu_parts.h"
#include "model/timing/memory/footprint.h"
#include "model/timing/sm/code_counts.h"
#include "model/timing/sm/warp_counts.h"

/* The parts of a machine: how they are made and freed. */

static uint64_t most_ways(const struct machine *machine, const struct trace_source *source)
{
    uint64_t most = machine->l1d.ways;
    for (uint32_t i = 0; i < source->launch_count; i++) {
        const uint64_t ways = occupancy_l1d_ways(machine, &source->launches[i]);
        most = ways > most ? ways : most;
    }
    return most;
}

/* The most that an SM puts into the network in a cycle: an L1D's misses, accesses that pass it and
 * the misses of fetches, or the flits that may wait in front of the router and one more. */
static void limit_sent(struct gpu *gpu)
{
    const struct machine *machine = gpu->machine;
    const uint64_t inject = machine->network.inject, largest = gpu->largest_packet;
    const uint64_t fetches = machine->l1i.enabled ? gpu->shared->fetches : 0;
    const uint64_t most = gpu->requests.flits ? 1 + (inject > largest ? inject : largest)
                                              : 2 * gpu->shared->sectors + fetches;
    gpu->shared->most_sent = (uint32_t)most;
    gpu->shared->most_fetched = (uint32_t)fetches * packet_flits(&machine->network, PACKET_HEADER);
}

/* The bypass policies of all L1Ds, for their exchanges. */
static enum status list_bypasses(struct gpu *gpu)
{
    gpu->bypasses = calloc(gpu->sm_count, sizeof *gpu->bypasses);
    for (uint32_t i = 0; gpu->bypasses && i < gpu->sm_count; i++)
        gpu->bypasses[i] = gpu->sms[i].load_store.l1d.bypass;
    return gpu->bypasses ? STATUS_OK : STATUS_MEMORY;
}

static enum status classify(struct gpu *gpu)
{
    const unsigned stages = gpu->options->classified & machine_stages(gpu->machine);
    enum status status = STATUS_OK;
    for (uint32_t i = 0; stages & STAGE_L1D && !status && i < gpu->sm_count; i++)
        status = cache_unit_classify(&gpu->sms[i].load_store.l1d, &gpu->machine->l1d);
    for (uint32_t i = 0; stages & STAGE_L2 && !status && i < gpu->channel_count; i++)
        status = channel_classify(&gpu->channels[i]);
    return status;
}

static enum status init_sms(struct gpu *gpu)
{
    const uint64_t ways = most_ways(gpu->machine, gpu->source);
    enum status status = STATUS_OK;
    for (uint32_t i = 0; !status && i < gpu->sm_count; i++) {
        status = sm_init(&gpu->sms[i], gpu->shared, (uint16_t)i, ways, gpu->diagnostics);
        if (gpu->footprints) {
            footprint_begin(&gpu->footprints[i], &gpu->machine->l1d);
            gpu->sms[i].footprint = &gpu->footprints[i];
        }
        if (!status && gpu->options->pcs)
            status = code_counts_new(&gpu->sms[i]);
        if (!status && gpu->options->warps)
            status = warp_counts_new(&gpu->sms[i]);
    }
    return status;
}

static enum status init_networks(struct gpu *gpu, struct ideal_set ideals)
{
    const struct network_config *network = &gpu->machine->network;
    enum status status = network_init(&gpu->requests, network, gpu->port_count, gpu->slice_count,
                                      false, gpu->cluster_size);
    if (!status)
        status = network_init(&gpu->replies, network, gpu->slice_count, gpu->port_count, true,
                              gpu->cluster_size);
    if (ideal_has(ideals, IDEAL_NETWORK_BANDWIDTH))
        gpu->requests.rate = gpu->replies.rate = ENDLESS_RATE;
    if (!status && gpu->cluster_size > 1)
        status = gpu_init_clusters(gpu);
    return status;
}

/* What ideals make of the ways to and from memory. A network of any bandwidth is a crossbar with a
 * queue for each output (sm_machine.h), whose packets pay the latency of one flit of the machine's
 * own network once they are there. */
static void init_ways(struct gpu *gpu, const struct machine *machine, struct ideal_set ideals)
{
    enum { FLY_STEPS = 5, AXI_STEPS = 1 };
    const unsigned traits = network_traits[machine->network.kind];
    const uint64_t steps = traits & NETWORK_ROUTER  ? FLY_STEPS
                           : traits & NETWORK_FLITS ? AXI_STEPS
                                                    : 0;
    gpu->slice_entries = ideal_has(ideals, IDEAL_L2_PORTS) ? UINT32_MAX : 1;
    if (ideal_has(ideals, IDEAL_NETWORK_BANDWIDTH) && !ideal_has(ideals, IDEAL_NETWORK_LATENCY))
        gpu->network_delay = (uint32_t)(steps * machine->gpu.clock / machine->network.clock);
}

enum status gpu_init(struct gpu *gpu)
{
    const struct machine *machine = gpu->machine;
    const struct evaluate_options *evaluate = gpu->options->evaluate;
    const struct ideal_set ideals = evaluate ? evaluate->ideals : (struct ideal_set){{0}};
    gpu->shared = calloc(1, sizeof *gpu->shared);
    if (!gpu->shared)
        return STATUS_MEMORY;
    init_ways(gpu, machine, ideals);
    enum status status = sm_machine_init(gpu->shared, machine, ideals, gpu->source);
    machine = gpu->machine = gpu->shared->machine;
    gpu->shared->users = 1;
    gpu->sm_count = (uint32_t)machine->gpu.sms;
    gpu->slice_count = (uint32_t)machine->l2.slices;
    gpu->channel_count = (uint32_t)(machine->l2.slices / machine->l2.slices_per_channel);
    gpu->cluster_size = (uint32_t)machine->gpu.cluster;
    gpu->port_count = gpu->sm_count / gpu->cluster_size;
    gpu->last_served = gpu->port_count - 1;
    gpu->places = limit_of(machine->network.queue);
    gpu->largest_packet = packet_flits(&machine->network, PACKET_HEADER + LINE_BYTES_MAX);
    clocks_init(&gpu->clocks, machine);
    struct arrays *arrays = &gpu->arrays;
    arrays_add(arrays, &gpu->sms, gpu->sm_count, sizeof *gpu->sms);
    arrays_add(arrays, &gpu->channels, gpu->channel_count, sizeof *gpu->channels);
    arrays_add(arrays, &gpu->at_slices, gpu->slice_count, sizeof *gpu->at_slices);
    arrays_add(arrays, &gpu->walks, gpu->slice_count, sizeof *gpu->walks);
    arrays_add(arrays, &gpu->late, gpu->sm_count, sizeof *gpu->late);
    arrays_add(arrays, &gpu->advanced, (size_t)gpu->sm_count + gpu->channel_count,
               sizeof *gpu->advanced);
    if (gpu->options->proof)
        arrays_add(arrays, &gpu->footprints, gpu->sm_count, sizeof *gpu->footprints);
    if (arrays->failed)
        return STATUS_MEMORY;
    if (!status)
        status = address_map_init(&gpu->map, machine);
    if (!status)
        status = init_sms(gpu);
    for (uint32_t i = 0; !status && i < gpu->channel_count; i++)
        status = channel_init(&gpu->channels[i], machine, ideals, &gpu->map, i);
    if (!status && gpu->shared->page_bits)
        status = mmu_init(&gpu->mmu, machine);
    if (!status)
        status = init_networks(gpu, ideals);
    if (!status)
        status = classify(gpu);
    if (!status)
        status = gpu_watch(gpu);
    limit_sent(gpu);
    if (!status && bypass_exchanges(machine))
        status = list_bypasses(gpu);
    return status;
}

void gpu_release(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->sms && i < gpu->sm_count; i++)
        sm_free(&gpu->sms[i]);
    for (uint32_t i = 0; gpu->channels && i < gpu->channel_count; i++)
        channel_free(&gpu->channels[i]);
    gpu_free_events(gpu);
    packet_pool_free(&gpu->carried);
    arrays_free(&gpu->arrays);
    free(gpu->bypasses);
    free(gpu->request_shows.items);
    free(gpu->reply_shows.items);
    mmu_free(&gpu->mmu);
    network_free(&gpu->requests);
    network_free(&gpu->replies);
    if (gpu->shared && !--gpu->shared->users) { /* the last, as it may hold the machine */
        sm_machine_free(gpu->shared);
        free(gpu->shared);
    }
}

static size_t unit_bytes(const struct cache_unit *unit)
{
    return arrays_bytes(&unit->arrays) + unit->mshrs_made * sizeof *unit->mshrs +
           unit->target_count * sizeof *unit->targets +
           unit->packets.count * sizeof *unit->packets.items;
}

static size_t sm_bytes(const struct sm *sm)
{
    size_t bytes = arrays_bytes(&sm->arrays) + unit_bytes(&sm->fetch.l1i) +
                   unit_bytes(&sm->load_store.l1d) + unit_bytes(&sm->translate.tlb) +
                   sm->ops.count * sizeof *sm->ops.items +
                   sm->records.count * sizeof *sm->records.items +
                   sm->packets.count * sizeof *sm->packets.items;
    for (uint32_t i = 0; sm->warps && i < sm->warp_slots; i++)
        bytes += sizeof *sm->warps +
                 sm->warps[i].instructions.capacity * sizeof *sm->warps[i].instructions.items +
                 sm->warps[i].records.capacity *
                     (sizeof *sm->warps[i].records.items + WARP_SIZE * sizeof(uint64_t));
    return bytes;
}

size_t gpu_bytes(const struct gpu *gpu)
{
    size_t bytes = sizeof *gpu + arrays_bytes(&gpu->arrays) + arrays_bytes(&gpu->requests.arrays) +
                   arrays_bytes(&gpu->replies.arrays) + unit_bytes(&gpu->mmu.shared) +
                   gpu->carried.count * sizeof *gpu->carried.items;
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        bytes += sm_bytes(&gpu->sms[i]);
    for (uint32_t i = 0; i < gpu->channel_count; i++) {
        const struct channel *channel = &gpu->channels[i];
        bytes += channel->slice_count * sizeof *channel->slices +
                 channel->packets.count * sizeof *channel->packets.items +
                 channel->dram.request_count * sizeof *channel->dram.requests;
        for (uint32_t k = 0; k < channel->slice_count; k++)
            bytes += unit_bytes(&channel->slices[k].cache);
    }
    return bytes;
}

/* The copies of all parts, also after one that failed, so that no two runs own the same memory. */
static enum status copy_parts(struct gpu *gpu)
{
    enum status status = STATUS_OK;
    bool all = arrays_copy(&gpu->arrays);
    for (uint32_t i = 0; gpu->sms && i < gpu->sm_count; i++) {
        const enum status one = sm_copy(&gpu->sms[i]);
        gpu->sms[i].footprint = NULL; /* a copy proves nothing: it did not begin at the beginning */
        status = status ? status : one;
    }
    for (uint32_t i = 0; gpu->channels && i < gpu->channel_count; i++)
        all &= channel_copy(&gpu->channels[i], &gpu->map);
    all &= packet_pool_copy(&gpu->carried);
    all &= array_copy(&gpu->request_shows.items,
                      gpu->request_shows.capacity * sizeof *gpu->request_shows.items);
    all &= array_copy(&gpu->reply_shows.items,
                      gpu->reply_shows.capacity * sizeof *gpu->reply_shows.items);
    all &= mmu_copy(&gpu->mmu);
    all &= network_copy(&gpu->requests);
    all &= network_copy(&gpu->replies);
    return all ? status : STATUS_MEMORY;
}

enum status gpu_copy(const struct gpu *gpu, const struct gpu_options *options, struct gpu **copy)
{
    *copy = NULL;
    struct gpu *made = malloc(sizeof *made);
    if (!made)
        return STATUS_MEMORY;
    *made = *gpu;
    made->options = options;
    made->bypasses = NULL;
    made->logs = NULL;
    made->happened = NULL;
    made->measured = false; /* it reports its progress by blocks */
    made->span = &made->spans[gpu->span - gpu->spans];
    made->requests_span = &made->spans[gpu->requests_span - gpu->spans];
    made->shared->users++;
    enum status status = copy_parts(made);
    if (!status && gpu->bypasses)
        status = list_bypasses(made);
    if (!status)
        status = gpu_watch(made);
    if (made->logs && !made->cycle) /* what the original told when it was opened */
        gpu_tell_launch(made, EVENT_launch_start, made->begun);
    if (status)
        gpu_close(made);
    else
        *copy = made;
    return status;
}
