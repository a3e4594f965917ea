/* Least recently used: a circular list of the valid ways, most recent first. links[0] is its anchor
 * and way w is links[w + 1], so all zeros are the empty list. Constant time for any number of ways.
 * Caches of up to 16 ways do not use it; they keep the order in one register (cache_access.h). */
#include <stdio.h>

#include "base/links.h"
#include "model/cache/cache_access.h"

static size_t lru_state_bytes(uint32_t ways)
{
    return sizeof(struct link) * ((size_t)ways + 1);
}

static void lru_drop(const struct set_access *at, uint32_t way)
{
    links_remove(at->state, way + 1);
}

static void lru_fill(const struct set_access *at, uint32_t way)
{
    links_insert_first(at->state, way + 1, 0);
}

static void lru_hit(const struct set_access *at, uint32_t way)
{
    const struct link *links = at->state;
    if (links[0].next != way + 1)
        links_move_first(at->state, way + 1, 0);
}

static uint32_t replacement_lru_victim(const struct set_access *at)
{
    const struct link *links = at->state;
    uint32_t last = links[0].previous;
    links_remove(at->state, last);
    return last - 1;
}

static const char *replacement_lru_explain(const struct set_access *at, char *text, size_t size)
{
    (void)at;
    snprintf(text, size, "least recently used");
    return text;
}

/* The order, the most recent first. */
static const char *lru_print(const struct set_access *at, char *text, size_t size)
{
    const struct link *links = at->state;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t node = links[0].next; node && used + 8 < size; node = links[node].next)
        used += (size_t)snprintf(text + used, size - used, used ? " %u" : "%u", node - 1);
    return text;
}

__attribute__((flatten)) static enum status lru_run_many(struct cache *cache,
                                                         const struct request *requests,
                                                         size_t count, const uint32_t *lost,
                                                         struct flow *flow)
{
    const struct organized how = {ORGANIZATION_HASH, &policy_REPLACEMENT_LRU,
                                  TRAITS_REPLACEMENT_LRU};
    return access_run_how(cache, requests, count, lost, flow, how);
}

const struct replacement_policy policy_REPLACEMENT_LRU = {
    .state_bytes = lru_state_bytes,
    .hit = lru_hit,
    .fill = lru_fill,
    .drop = lru_drop,
    .victim = replacement_lru_victim,
    .explain = replacement_lru_explain,
    .print = lru_print,
    .run_many = lru_run_many,
};
