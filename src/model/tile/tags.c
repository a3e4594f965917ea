#include "model/tile/tags.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

static size_t states_bytes(const struct tags *tags)
{
    return tags->banks * tags->geometry.sets * tags->state_bytes;
}

static enum status tags_allocate(struct tags *tags)
{
    tags->lines = calloc(tags->slots, sizeof *tags->lines);
    tags->addresses = calloc(tags->slots, sizeof *tags->addresses);
    tags->dirty = calloc(tags->slots, sizeof *tags->dirty);
    tags->states = calloc(states_bytes(tags) + 1, 1);
    tags->shared = calloc(tags->banks * tags->shared_bytes + 1, 1);
    if (tags->lines && tags->addresses && tags->dirty && tags->states && tags->shared)
        return STATUS_OK;
    tags_free(tags);
    return STATUS_MEMORY;
}

size_t tags_bytes(const struct tags *tags)
{
    return tags->slots * (sizeof *tags->lines + sizeof *tags->addresses + sizeof *tags->dirty) +
           states_bytes(tags) + tags->banks * tags->shared_bytes;
}

enum status tags_copy(struct tags *tags, const struct tags *from)
{
    *tags = *from;
    if (tags_allocate(tags))
        return STATUS_MEMORY;
    memcpy(tags->lines, from->lines, tags->slots * sizeof *tags->lines);
    memcpy(tags->addresses, from->addresses, tags->slots * sizeof *tags->addresses);
    memcpy(tags->dirty, from->dirty, tags->slots * sizeof *tags->dirty);
    memcpy(tags->states, from->states, states_bytes(tags));
    memcpy(tags->shared, from->shared, tags->banks * tags->shared_bytes);
    return STATUS_OK;
}

enum status tags_init(struct tags *tags, const struct cache_config *config, uint64_t seed)
{
    const uint64_t banks = config->slices;
    struct cache_config bank = *config;
    bank.size /= banks;
    bank.slices = 1;
    *tags = (struct tags){.policy = replacement_policies[config->replacement],
                          .any_way =
                              replacement_facts[config->replacement].traits & REPLACEMENT_ANY_WAY,
                          .seed = seed};
    const enum status status = geometry_init(&tags->geometry, &bank);
    if (status || !tags->policy)
        return status ? status : STATUS_INVALID;
    tags->banks = banks;
    const uint64_t sets = banks * tags->geometry.sets;
    const uint32_t ways = tags->geometry.ways;
    tags->slots = (uint32_t)(sets * ways);
    tags->state_bytes = (tags->policy->state_bytes(ways) + 7) & ~(size_t)7;
    if (tags->policy->shared_bytes)
        tags->shared_bytes =
            (tags->policy->shared_bytes((uint32_t)tags->geometry.sets, ways) + 7) & ~(size_t)7;
    if (tags_allocate(tags))
        return STATUS_MEMORY;
    for (uint64_t set = 0; tags->policy->reset && config->reset != RESET_PAPER && set < sets; set++)
        tags->policy->reset(tags->states + set * tags->state_bytes, ways, config->reset);
    return STATUS_OK;
}

void tags_free(struct tags *tags)
{
    free(tags->lines);
    free(tags->addresses);
    free(tags->dirty);
    free(tags->states);
    free(tags->shared);
    *tags = (struct tags){0};
}

static struct set_access access_of(const struct tags *tags, uint32_t slot, uint64_t line)
{
    const struct geometry *geometry = &tags->geometry;
    const uint64_t set = slot / geometry->ways;
    return (struct set_access){.state = tags->states + set * tags->state_bytes,
                               .shared = tags->shared + set / geometry->sets * tags->shared_bytes,
                               .line = line,
                               .ways = geometry->ways,
                               .set = (uint32_t)(set % geometry->sets),
                               .sets = (uint32_t)geometry->sets,
                               .seed = tags->seed,
                               .number = set};
}

void tags_hit(const struct tags *tags, uint32_t slot)
{
    const struct set_access access = access_of(tags, slot, tags->lines[slot] - 1);
    if (tags->policy->hit)
        tags->policy->hit(&access, slot % tags->geometry.ways);
}

static uint32_t first_invalid(const struct tags *tags, uint32_t first)
{
    for (uint32_t way = 0; way < tags->geometry.ways; way++)
        if (!tags->lines[first + way])
            return way;
    return TAGS_NONE;
}

uint32_t tags_fill(struct tags *tags, uint32_t bank, uint64_t line, uint64_t address,
                   struct tags_victim *victim)
{
    const struct geometry *geometry = &tags->geometry;
    const uint64_t set = set_index_map(&geometry->index, geometry->index.function, line);
    const uint32_t first = (uint32_t)((bank * geometry->sets + set) * geometry->ways);
    const struct set_access access = access_of(tags, first, line);
    uint32_t way = tags->any_way ? TAGS_NONE : first_invalid(tags, first);
    if (way == TAGS_NONE)
        way = tags->policy->victim(&access);
    const uint32_t slot = first + way;
    *victim = (struct tags_victim){.left = tags->lines[slot],
                                   .dirty = tags->lines[slot] && tags->dirty[slot],
                                   .address = tags->addresses[slot]};
    tags->lines[slot] = line + 1;
    tags->addresses[slot] = address;
    tags->dirty[slot] = false;
    if (tags->policy->fill)
        tags->policy->fill(&access, way);
    return slot;
}

bool tags_drop(struct tags *tags, uint32_t slot)
{
    const bool dirty = tags->lines[slot] && tags->dirty[slot];
    if (tags->lines[slot] && tags->policy->drop) {
        const struct set_access access = access_of(tags, slot, tags->lines[slot] - 1);
        tags->policy->drop(&access, slot % tags->geometry.ways);
    }
    tags->lines[slot] = 0;
    tags->dirty[slot] = false;
    return dirty;
}

void tags_mix(const struct tags *tags, uint64_t *hash)
{
    for (uint32_t slot = 0; slot < tags->slots; slot++)
        mix_word(hash, tags->lines[slot] << 1 | tags->dirty[slot]);
}
