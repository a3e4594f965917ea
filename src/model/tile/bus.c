#include "model/tile/bus.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "base/rng.h"

enum status bus_init(struct bus *bus, const struct machine *machine, const uint64_t *delays,
                     uint32_t delay_count)
{
    const struct tile_config *config = &machine->tile;
    *bus = (struct bus){.config = config,
                        .seed = machine->seed,
                        .delays = delays,
                        .delay_count = delay_count,
                        .has_l2 = config->l2.size > 0};
    if (!bus->has_l2)
        return STATUS_OK;
    const enum status status = tags_init(&bus->l2, &config->l2, machine->seed);
    if (status)
        return status;
    bus->ready = calloc(bus->l2.slots, sizeof *bus->ready);
    if (bus->ready)
        return STATUS_OK;
    bus_free(bus);
    return STATUS_MEMORY;
}

enum status bus_copy(struct bus *bus, const struct bus *from)
{
    *bus = *from;
    if (!from->has_l2)
        return STATUS_OK;
    bus->ready = calloc(from->l2.slots, sizeof *bus->ready);
    const enum status status = tags_copy(&bus->l2, &from->l2);
    if (status || !bus->ready)
        return STATUS_MEMORY;
    memcpy(bus->ready, from->ready, from->l2.slots * sizeof *bus->ready);
    return STATUS_OK;
}

size_t bus_bytes(const struct bus *bus)
{
    return bus->has_l2 ? tags_bytes(&bus->l2) + bus->l2.slots * sizeof *bus->ready : 0;
}

void bus_mix(const struct bus *bus, uint64_t *hash)
{
    const uint64_t numbers[] = {bus->free,   bus->reads,  bus->writes,
                                bus->loaded, bus->stored, bus->l2_free};
    mix_words(hash, numbers, sizeof numbers / sizeof *numbers);
    if (!bus->has_l2)
        return;
    tags_mix(&bus->l2, hash);
    mix_words(hash, bus->ready, bus->l2.slots);
}

void bus_free(struct bus *bus)
{
    if (bus->has_l2)
        tags_free(&bus->l2);
    free(bus->ready);
    *bus = (struct bus){0};
}

/* Gives a line its share of what carries `bandwidth` bytes per cycle and is free at `free`; returns
 * the cycle in which it has passed. */
static uint64_t bus_pass(uint64_t *free, uint64_t bandwidth, uint64_t now)
{
    const uint64_t from = now * bandwidth;
    *free = (*free > from ? *free : from) + TILE_BYTES;
    return (*free + bandwidth - 1) / bandwidth;
}

static uint64_t bus_load(struct bus *bus, uint64_t now)
{
    const uint64_t number = bus->loaded++,
                   passed = bus_pass(&bus->free, bus->config->bandwidth, now);
    if (bus->delays)
        return now + bus->delays[number % bus->delay_count];
    const uint64_t more = random_below(random_at(bus->seed, number), bus->config->jitter + 1);
    return passed + bus->config->latency + more;
}

static void bus_store(struct bus *bus, uint64_t now)
{
    bus->stored++;
    bus_pass(&bus->free, bus->config->bandwidth, now);
}

/* The slot of a line in the L2, put there if it was not; `looked` is when that is known. */
static uint32_t bus_look_up(struct bus *bus, uint64_t address, uint64_t now, uint64_t *looked,
                            bool *hit)
{
    const struct cache_config *config = &bus->config->l2;
    const uint64_t line = address / TILE_BYTES;
    uint32_t slot = tags_find(&bus->l2, 0, line);
    *looked = bus_pass(&bus->l2_free, config->port, now) + config->latency;
    *hit = slot != TAGS_NONE;
    if (*hit) {
        tags_hit(&bus->l2, slot);
        return slot;
    }
    struct tags_victim victim;
    slot = tags_fill(&bus->l2, 0, line, address, &victim);
    if (victim.dirty)
        bus_store(bus, *looked);
    return slot;
}

uint64_t bus_read(struct bus *bus, uint64_t address, uint64_t now)
{
    uint64_t looked;
    bool hit;
    bus->reads++;
    if (!bus->has_l2)
        return bus_load(bus, now);
    const uint32_t slot = bus_look_up(bus, address, now, &looked, &hit);
    if (!hit)
        bus->ready[slot] = bus_load(bus, looked);
    return looked > bus->ready[slot] ? looked : bus->ready[slot];
}

void bus_write(struct bus *bus, uint64_t address, uint64_t now)
{
    uint64_t looked;
    bool hit;
    bus->writes++;
    if (!bus->has_l2) {
        bus_store(bus, now);
        return;
    }
    const uint32_t slot = bus_look_up(bus, address, now, &looked, &hit);
    bus->l2.dirty[slot] = true;
    bus->ready[slot] = looked;
}

/* When what carries `bandwidth` bytes per cycle is free, not before `now`. */
static uint64_t bus_end(uint64_t free, uint64_t bandwidth, uint64_t now)
{
    const uint64_t end = (free + bandwidth - 1) / bandwidth;
    return end > now ? end : now;
}

uint64_t bus_idle(const struct bus *bus, uint64_t now)
{
    const uint64_t end = bus_end(bus->free, bus->config->bandwidth, now);
    return bus->has_l2 ? bus_end(bus->l2_free, bus->config->l2.port, end) : end;
}

uint64_t bus_finish(struct bus *bus, uint64_t now)
{
    for (uint32_t slot = 0; slot < bus->l2.slots; slot++)
        if (tags_drop(&bus->l2, slot))
            bus_store(bus, now);
    return bus_idle(bus, now);
}
