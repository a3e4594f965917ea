#include "model/timing/cache/cache_classes.h"
#include "model/timing/memory/channel.h"
#include "schema/parameters.h"

/* A memory channel's parts: how they are made and freed. */

enum status channel_classify(struct channel *channel)
{
    enum status status = STATUS_OK;
    for (uint32_t i = 0; !status && i < channel->slice_count; i++)
        status = cache_unit_classify(&channel->slices[i].cache, &channel->machine->l2);
    return status;
}

/* The time of a read of a closed row on a channel that does nothing else. */
static uint64_t closed_row_cycles(const struct machine *machine)
{
    const struct dram_config *dram = &machine->dram;
    const uint64_t ticks = dram->fixed ? 0 : dram->rcd + dram->cl + dram->burst / dram->rate;
    const double cycles = (double)ticks * (double)machine->gpu.clock / (double)dram->clock;
    return dram_latency(machine) + (uint64_t)(cycles + 0.5);
}

enum status channel_init(struct channel *channel, const struct machine *machine,
                         struct ideal_set ideals, const struct address_map *map, uint32_t number)
{
    const struct dram_config *dram = &machine->dram;
    const bool wide = ideal_has(ideals, IDEAL_L2_PORTS);
    const bool endless = ideal_has(ideals, IDEAL_DRAM_BANDWIDTH);
    const uint32_t slices = (uint32_t)machine->l2.slices_per_channel;
    *channel =
        (struct channel){.machine = machine,
                         .map = map,
                         .step_once = wide || endless ? channel_step_ideal : channel_step_usual,
                         .wide = wide,
                         .endless = endless,
                         .open_rows = ideal_has(ideals, IDEAL_DRAM_ROWS),
                         .slice_count = slices,
                         .last_served = slices - 1,
                         .slices = calloc(slices, sizeof *channel->slices)};
    channel->queue = limit_of(machine->l2.queue);
    channel->credits = limit_of(dram->queue + dram->returns);
    channel->latency = dram_latency(machine);
    channel->closed_row = closed_row_cycles(machine);
    if (!channel->slices)
        return STATUS_MEMORY;
    enum status status = dram_init(&channel->dram, dram);
    for (uint32_t i = 0; !status && i < slices; i++) {
        struct slice *slice = &channel->slices[i];
        slice->number = number * slices + i;
        slice->cache.ready_first = UINT32_MAX;
        slice->places = limit_of(network_traits[machine->network.kind] & NETWORK_ROUTER
                                     ? machine->network.inject
                                     : machine->network.queue);
        struct cache_config config = machine->l2;
        config.size /= config.slices;
        config.slices = 1; /* lines are numbered within the slice: address_map_local */
        if (machine->l2.enabled)
            status =
                cache_unit_init(&slice->cache, &config, config.ways, machine->seed + slice->number);
        if (!status && machine->l2.enabled && ideal_has(ideals, IDEAL_L2_HITS))
            cache_unit_set_hits(&slice->cache);
        slice->cache.strays = machine->gpu.simulator_faults;
    }
    return status;
}

enum status channel_status(const struct channel *channel)
{
    bool failed = channel->dram.failed;
    for (uint32_t i = 0; i < channel->slice_count; i++)
        failed |= channel->slices[i].cache.failed;
    return channel->status || !failed ? channel->status : STATUS_MEMORY;
}

void channel_free(struct channel *channel)
{
    for (uint32_t i = 0; channel->slices && i < channel->slice_count; i++) {
        struct slice *slice = &channel->slices[i];
        cache_unit_free(&slice->cache);
    }
    free(channel->slices);
    dram_free(&channel->dram);
    packet_pool_free(&channel->packets);
}

bool channel_copy(struct channel *channel, const struct address_map *map)
{
    channel->map = map;
    bool all = array_copy(&channel->slices, channel->slice_count * sizeof *channel->slices);
    for (uint32_t i = 0; channel->slices && i < channel->slice_count; i++)
        all &= cache_unit_copy(&channel->slices[i].cache);
    all &= dram_copy(&channel->dram);
    return packet_pool_copy(&channel->packets) && all;
}
