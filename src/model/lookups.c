#include "model/lookups.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/cache/stack.h"
#include "schema/parameters.h"

struct group { /* one stack pass */
    struct cache_config config;
    unsigned units, options;
    bool flush;
    struct stack_pass *pass;
};

struct member {
    size_t group;
    unsigned ways;
};

struct lookups {
    struct group *groups;
    struct member *members;
    size_t group_count, member_count, group_capacity, member_capacity;
};

enum status lookups_create(struct lookups **lookups)
{
    *lookups = calloc(1, sizeof **lookups);
    return *lookups ? STATUS_OK : STATUS_MEMORY;
}

void lookups_free(struct lookups *lookups)
{
    if (!lookups)
        return;
    for (size_t i = 0; i < lookups->group_count; i++)
        stack_free(lookups->groups[i].pass);
    free(lookups->groups);
    free(lookups->members);
    free(lookups);
}

bool lookups_apply(const struct cache_config *config)
{
    return config->enabled && !config->unified && config->ways <= STACK_WAYS &&
           stack_applies(config);
}

/* Everything that a stack pass reads agrees. */
static bool same_group(const struct group *group, const struct cache_config *config, unsigned units,
                       unsigned options, bool flush)
{
    const struct cache_config *other = &group->config;
    return cache_sets(other) == cache_sets(config) && other->line == config->line &&
           other->index == config->index && other->write == config->write &&
           other->slices == config->slices && group->units == units && group->options == options &&
           group->flush == flush;
}

enum status lookups_add(struct lookups *lookups, const struct cache_config *config, unsigned units,
                        unsigned options, bool flush, size_t *number)
{
    if (array_reserve(&lookups->members, &lookups->member_capacity, lookups->member_count + 1) ||
        array_reserve(&lookups->groups, &lookups->group_capacity, lookups->group_count + 1))
        return STATUS_MEMORY;
    size_t at = 0;
    while (at < lookups->group_count &&
           !same_group(&lookups->groups[at], config, units, options, flush))
        at++;
    if (at == lookups->group_count) {
        struct group group = {*config, units, options, flush, NULL};
        enum status status = stack_create(config, units, options, &group.pass);
        if (status)
            return status;
        lookups->groups[lookups->group_count++] = group;
    }
    *number = lookups->member_count;
    lookups->members[lookups->member_count++] = (struct member){at, (unsigned)config->ways};
    return STATUS_OK;
}

void lookups_launch(struct lookups *lookups)
{
    for (size_t i = 0; i < lookups->group_count; i++)
        if (lookups->groups[i].flush)
            stack_flush(lookups->groups[i].pass);
}

enum status lookups_run(struct lookups *lookups, const struct request *requests, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < lookups->group_count && !status; i++)
        status = stack_run(lookups->groups[i].pass, requests, count);
    return status;
}

void lookups_reset_counts(struct lookups *lookups)
{
    for (size_t i = 0; i < lookups->group_count; i++)
        stack_reset_counts(lookups->groups[i].pass);
}

void lookups_counts(const struct lookups *lookups, size_t number, struct cache_counts *counts)
{
    const struct member *member = &lookups->members[number];
    struct stack_counts stack;
    stack_read_counts(lookups->groups[member->group].pass, &stack);
    stack_cache_counts(&stack, member->ways, counts);
}

struct cache_config tlb_cache(const struct tlb_config *tlb)
{
    return (struct cache_config){
        .enabled = 1,
        .size = tlb->entries * PAGE_TOKEN,
        .ways = tlb->ways,
        .line = PAGE_TOKEN,
        .sector = PAGE_TOKEN,
        .index = INDEX_LINEAR,
        .replacement = tlb->replacement,
        .write = WRITE_READ_ONLY,
        .slices = 1,
    };
}

void lookups_shared(const struct machine *machine, struct machine *shared)
{
    *shared = *machine;
    if (machine->l1d.enabled && !machine->l2.enabled && lookups_apply(&machine->l1d)) {
        shared->l1d.size /= machine->l1d.ways;
        shared->l1d.ways = 1;
    }
    struct cache_config tlb = tlb_cache(&machine->tlb);
    if (machine->tlb.enabled && lookups_apply(&tlb)) {
        shared->tlb.entries /= machine->tlb.ways;
        shared->tlb.ways = 1;
    }
}
