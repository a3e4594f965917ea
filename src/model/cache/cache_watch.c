#include "model/cache/cache_watch.h"

#include <string.h>

#include "model/cache/cache_access.h"

struct cache_watch {
    struct set_watching watching;
    uint64_t *before; /* the tags before an access */
    size_t capacity;
    struct cache_counts known; /* in this run of the cache, that was told */
    char why[SET_STEP_TEXT], state[SET_STEP_TEXT];
};

/* The organizations that keep the order of LRU in a word have no state of a policy to show, so the
 * arrays of the cache are made again. */
enum status cache_watch(struct cache *cache, const struct set_watching *watching)
{
    if (watching->instance >= cache->instances || watching->set >= cache->geometry.sets)
        return STATUS_INVALID;
    cache->watch = calloc(1, sizeof *cache->watch);
    if (!cache->watch)
        return STATUS_MEMORY;
    cache->watch->watching = *watching;
    return cache_rebuild(cache);
}

void cache_watch_free(struct cache_watch *watch)
{
    if (watch)
        free(watch->before);
    free(watch);
}

/* The set, counted over all instances. */
static size_t watched_set(const struct cache *cache)
{
    const struct set_watching *watching = &cache->watch->watching;
    return watching->instance * cache->geometry.sets + watching->set;
}

static const uint64_t *watched_tags(const struct cache *cache)
{
    return cache->tags + watched_set(cache) * cache->geometry.ways;
}

/* The way of a tag, or the number of ways. */
static uint32_t watch_find(const uint64_t *tags, uint32_t ways, uint64_t tag)
{
    uint32_t way = 0;
    while (way < ways && tags[way] != tag)
        way++;
    return way;
}

static enum status tell(struct cache *cache, struct set_step *step)
{
    struct cache_watch *watch = cache->watch;
    step->instance = watch->watching.instance;
    step->set = watch->watching.set;
    const struct set_access access =
        cache_set_access(cache, watched_set(cache), watch->watching.instance, step->line,
                         step->request ? step->request->pc : 0);
    step->ways = cache->geometry.ways;
    step->tags = watched_tags(cache);
    step->why = watch->why;
    step->state = watch->state;
    watch->state[0] = '\0';
    if (cache->policy->print && !watch->watching.every)
        cache->policy->print(&access, watch->state, sizeof watch->state);
    return watch->watching.step(watch->watching.argument, step);
}

/* Writes why the policy would choose the way that it would, if it is asked at all. */
static void cache_watch_explain(struct cache *cache, uint64_t line, uint32_t pc)
{
    struct cache_watch *watch = cache->watch;
    const uint32_t ways = cache->geometry.ways;
    const bool asked =
        cache->policy_traits & REPLACEMENT_ANY_WAY || watch_find(watch->before, ways, 0) == ways;
    watch->why[0] = '\0';
    if (!asked || !cache->policy->explain || watch->watching.every)
        return;
    const struct set_access access =
        cache_set_access(cache, watched_set(cache), watch->watching.instance, line, pc);
    cache->policy->explain(&access, watch->why, sizeof watch->why);
}

/* Performs a request on sectors of one line; those that missed. */
static uint32_t watch_look_up(struct cache *cache, const struct request *request, uint64_t line,
                              uint32_t sectors, struct flow *flow)
{
    const int function = cache->geometry.index.function;
    const struct organized how = {cache->organization, cache->policy, cache->policy_traits};
    struct position at = position_find(cache, line, request, how, function);
    return access_line(cache, request, &at, sectors, flow, how, cache->geometry.sectors > 1);
}

/* What was counted since `before`, with what follows from it. */
static struct cache_counts counted_since(const struct cache *cache, const struct cache_counts *now,
                                         const struct cache_counts *before)
{
    struct cache_counts counts = *now;
    cache_subtract_counts(&counts, before);
    counts.accesses = counts.reads + counts.writes;
    counts.misses = counts.read_misses + counts.write_misses;
    counts.conflict = cache->shadow ? counts.misses - counts.compulsory - counts.flush -
                                          counts.store - counts.capacity
                                    : 0;
    return counts;
}

void cache_watch_begin(struct cache *cache)
{
    cache->watch->known = (struct cache_counts){0};
}

bool cache_watch_classes(const struct cache *cache)
{
    return cache->watch->watching.every;
}

/* The same of a line of the set, told to whoever watches. `lost`: sectors of it that the shadow
 * missed; NULL: there is no shadow. Classes of misses are counted request by request, so all counts
 * come with the `last` line of one. */
static enum status observe(struct cache *cache, const struct request *request, uint64_t line,
                           uint32_t sectors, const uint32_t *lost, bool last, struct flow *flow)
{
    struct cache_watch *watch = cache->watch;
    const uint32_t ways = cache->geometry.ways;
    if (array_reserve(&watch->before, &watch->capacity, ways))
        return STATUS_MEMORY;
    memcpy(watch->before, watched_tags(cache), ways * sizeof *watch->before);
    const uint32_t was = watch_find(watch->before, ways, line + 1);
    cache_watch_explain(cache, line, request->pc);
    const uint32_t missed = watch_look_up(cache, request, line, sectors, flow);
    if (lost)
        flow->counts.capacity += count_lost(missed, *lost);
    struct cache_counts counts = {0};
    if (last) {
        counts = counted_since(cache, &flow->counts, &watch->known);
        watch->known = flow->counts;
    }
    const uint32_t is = watch_find(watched_tags(cache), ways, line + 1);
    struct set_step step = {
        .request = request,
        .counts = &counts,
        .line = line,
        .hit = !missed,
        .found = was < ways,
        .stays = is < ways,
        .way = is < ways ? is : was,
    };
    if (step.stays && is != was) { /* a store may make its line leave and take one again */
        step.replaced = watch->before[is] != 0;
        step.left = watch->before[is] - 1;
    }
    if (step.found || !step.stays)
        watch->why[0] = '\0'; /* no way was chosen, or not in this state */
    return tell(cache, &step);
}

static bool is_watched(const struct cache *cache, const struct request *request, uint64_t line)
{
    struct set_watching *watching = &cache->watch->watching;
    if (watching->every) {
        watching->instance = request->instance;
        watching->set = geometry_set(&cache->geometry, cache->geometry.index.function, line);
        return true;
    }
    return request->instance == watching->instance &&
           geometry_set(&cache->geometry, cache->geometry.index.function, line) == watching->set;
}

/* As access_run (cache_access.h). */
enum status cache_run_watched(struct cache *cache, const struct request *requests, size_t count,
                              const uint32_t *lost, struct flow *flow)
{
    const struct geometry *geometry = &cache->geometry;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const struct request *request = &requests[i];
        uint64_t sector, last;
        if (!cache_sectors(cache, request, &sector, &last))
            return STATUS_INVALID;
        if (cache_passes(cache->config.write, cache->options, request)) {
            flow_push(flow, request);
            continue;
        }
        for (uint64_t line; sector <= last && !status;
             sector = geometry_sector(geometry, line + 1, 0)) {
            const uint32_t sectors = geometry_cut(geometry, sector, last);
            line = geometry_line(geometry, sector);
            if (is_watched(cache, request, line)) {
                status = observe(cache, request, line, sectors, lost,
                                 geometry_line(geometry, last) == line, flow);
            } else {
                const uint32_t missed = watch_look_up(cache, request, line, sectors, flow);
                flow->counts.capacity += lost ? count_lost(missed, *lost) : 0;
            }
            lost = lost ? lost + 1 : NULL;
        }
    }
    return status ? status : flow->status;
}

bool cache_watch_holds(const struct cache *cache)
{
    if (cache->watch->watching.every)
        return true;
    const uint64_t *tags = watched_tags(cache);
    for (uint32_t way = 0; way < cache->geometry.ways; way++)
        if (tags[way])
            return true;
    return false;
}

enum status cache_watch_emptied(struct cache *cache, const struct cache_counts *counts)
{
    struct cache_watch *watch = cache->watch;
    watch->why[0] = '\0';
    if (watch->watching.every)
        watch->watching.instance = 0, watch->watching.set = 0;
    return tell(cache, &(struct set_step){.counts = counts});
}
