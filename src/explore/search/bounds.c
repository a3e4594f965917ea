#include "explore/search/bounds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/key_table.h"
#include "base/memory.h"
#include "explore/plan/stage_key.h"
#include "explore/space/projection.h"
#include "model/area/area.h"
#include "model/lru/cache_batch.h"

/* A geometry that was evaluated, and its cost. */
struct sample {
    uint64_t sets, ways;
    double cost;
};

struct group { /* machines whose cache sees the same stream and differs in sets and ways only */
    struct sample *samples;
    size_t count, capacity;
};

/* The bound of one objective. Area (STAGE_AREA) is exact and needs none of the rest. */
struct limit {
    const struct objective *objective;
    unsigned stage;
    struct projection projection; /* machines with equal combinations form a group */
    struct key_table numbers;     /* of groups; key: combination * workloads + workload */
    struct group *groups;
    size_t group_capacity;
};

struct bounds {
    const struct space *space;
    struct limit *limits; /* one per objective */
    size_t count;
    bool area;
};

struct geometry {
    uint64_t sets, ways;
    struct bound_scope scope;
};

bool bounds_apply(const struct study *study, char why[200])
{
    if (!study->objective_count) {
        snprintf(why, 200, "the study has no objectives, so it has no front");
        return false;
    }
    for (size_t i = 0; i < study->objective_count; i++) {
        const struct objective *objective = &study->objectives[i];
        const char *path = objective->metric->path;
        if (!depth_can(study->depth, DEPTH_BOUNDED) && objective->metric->stage != STAGE_AREA) {
            snprintf(why, 200, "at depth %s latencies reorder accesses, so no bound is proved",
                     depth_name(study->depth));
            return false;
        }
        if (objective->metric->stage == STAGE_AREA)
            continue;
        if (!(objective->metric->traits & METRIC_BOUNDED))
            snprintf(why, 200, "no bound is proved for %s", path);
        else if (objective->direction != objective->metric->direction)
            snprintf(why, 200, "the bound on %s holds only for the other direction", path);
        else
            continue;
        return false;
    }
    return true;
}

/* The stages that decide what reaches the cache of `stage` and what it does. */
static unsigned stages_of(const struct space *space, unsigned stage)
{
    return stage_chain(stage, space_couples(space));
}

/* Machines share a group if they agree in everything that decides the cache's stream and behaviour,
 * except its own geometry. */
static enum status open_limit(const struct space *space, const struct objective *objective,
                              struct limit *limit)
{
    const struct study *study = space->study;
    limit->objective = objective;
    limit->stage = objective->metric->stage;
    if (limit->stage == STAGE_AREA)
        return STATUS_OK;
    bool *kept = calloc(study->axis_count + 1, sizeof *kept);
    if (!kept)
        return STATUS_MEMORY;
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct parameter *parameter = study->axes[a].parameter;
        /* A geometry parameter that also changes the stream breaks the proof, so it stays in the
         * group's key. */
        bool own = parameter->geometry && parameter->stages & limit->stage &&
                   !(parameter->stages & STAGE_STREAM);
        kept[a] = !own && (parameter->stages & stages_of(space, limit->stage));
    }
    enum status status = projection_init(space, kept, &limit->projection);
    free(kept);
    return status;
}

enum status bounds_create(const struct space *space, struct bounds **result)
{
    const struct study *study = space->study;
    struct bounds *bounds = calloc(1, sizeof *bounds);
    *result = NULL;
    if (!bounds)
        return STATUS_MEMORY;
    bounds->space = space;
    bounds->limits = calloc(study->objective_count + 1, sizeof *bounds->limits);
    enum status status = bounds->limits ? STATUS_OK : STATUS_MEMORY;
    for (; bounds->count < study->objective_count && !status; bounds->count++) {
        struct limit *limit = &bounds->limits[bounds->count];
        status = open_limit(space, &study->objectives[bounds->count], limit);
        bounds->area = bounds->area || limit->stage == STAGE_AREA;
    }
    if (status) {
        bounds_free(bounds);
        return status;
    }
    *result = bounds;
    return STATUS_OK;
}

void bounds_free(struct bounds *bounds)
{
    if (!bounds)
        return;
    for (size_t i = 0; i < bounds->count; i++) {
        struct limit *limit = &bounds->limits[i];
        for (size_t g = 0; g < limit->numbers.count; g++)
            free(limit->groups[g].samples);
        free(limit->groups);
        key_table_free(&limit->numbers);
        projection_free(&limit->projection);
    }
    free(bounds->limits);
    free(bounds);
}

/* Where more ways, or more sets, can only lower misses. Ways: LRU stacks of whole lines include
 * each other (R. L. Mattson et al., 1970). Sets: where those of an index nest, a set is the union
 * of some of the larger cache's (M. D. Hill and A. J. Smith, "Evaluating associativity in CPU
 * caches", IEEE Trans. Computers 38(12), 1989). Both need that every access moves its line to the
 * front alike. */
struct bound_scope bounds_of_cache(const struct cache_config *cache)
{
    const unsigned write = write_traits[cache->write];
    const unsigned allocate = write_allocate_traits[cache->write_allocate];
    bool stores = write & WRITE_TAKES, brings = allocate & WRITE_ALLOCATE_BRINGS;
    bool lazy = stores && allocate & WRITE_ALLOCATE_PARTIAL;
    bool allocates = !(write & WRITE_DROPS) && brings && !lazy;
    bool stack = cache_keeps_recency(cache) && cache->sector == cache->line;
    /* If a store drops a line that is present and fetches one that is not, it does the opposite to
     * a smaller cache that lacks the line, and inclusion breaks. */
    bool turns = write & WRITE_DROPS && brings;
    bool proved = cache->enabled && stack && !lazy && !turns && !cache->unified && !cache->halves;
    bool refines = index_facts[cache->index].traits & INDEX_NESTS && (!stores || allocates);
    return (struct bound_scope){proved, proved && refines};
}

static struct geometry cache_geometry(const struct cache_config *cache)
{
    return (struct geometry){cache_sets(cache), cache->ways, bounds_of_cache(cache)};
}

static struct geometry geometry_of(const struct machine *machine, unsigned stage)
{
    if (stage == STAGE_L1D)
        return cache_geometry(&machine->l1d);
    if (stage == STAGE_L2) {
        struct geometry l2 = cache_geometry(&machine->l2);
        if (machine_couples(machine)) /* its own hits decide when page walks reach it */
            l2.scope = (struct bound_scope){false, false};
        return l2;
    }
    assert(stage == STAGE_TLB);
    struct cache_config tlb = tlb_cache(&machine->tlb);
    tlb.enabled = machine->tlb.enabled;
    return cache_geometry(&tlb);
}

static uint64_t group_key(const struct bounds *bounds, const struct limit *limit, uint64_t point)
{
    uint64_t machine = point % bounds->space->machines, workload = point / bounds->space->machines;
    return projection_index(&limit->projection, machine) * bounds->space->study->workload_count +
           workload;
}

static enum status learn_sample(struct group *group, const struct geometry *geometry, double cost)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->samples[i].sets == geometry->sets && group->samples[i].ways == geometry->ways)
            return STATUS_OK;
    if (array_reserve(&group->samples, &group->capacity, group->count + 1))
        return STATUS_MEMORY;
    group->samples[group->count++] = (struct sample){geometry->sets, geometry->ways, cost};
    return STATUS_OK;
}

enum status bounds_learn(struct bounds *bounds, uint64_t point, const double *costs)
{
    struct machine machine;
    enum status status = STATUS_OK;
    space_machine(bounds->space, point % bounds->space->machines, &machine);
    for (size_t i = 0; i < bounds->count && !status; i++) {
        struct limit *limit = &bounds->limits[i];
        if (limit->stage == STAGE_AREA || isnan(costs[i]))
            continue;
        uint32_t number, known = limit->numbers.count;
        if (array_reserve(&limit->groups, &limit->group_capacity, (size_t)known + 1))
            return STATUS_MEMORY;
        status = key_table_number(&limit->numbers, group_key(bounds, limit, point), &number);
        if (status)
            return status;
        if (number == known)
            limit->groups[number] = (struct group){0};
        struct geometry geometry = geometry_of(&machine, limit->stage);
        status = learn_sample(&limit->groups[number], &geometry, costs[i]);
    }
    return status;
}

/* Whether the sample has the same geometry, or one proved to hit wherever `smaller` hits. */
static bool includes(const struct sample *larger, const struct geometry *smaller)
{
    if (larger->sets == smaller->sets && larger->ways == smaller->ways)
        return true;
    if (larger->ways < smaller->ways || !smaller->sets || larger->sets % smaller->sets != 0)
        return false;
    return (larger->ways == smaller->ways || smaller->scope.more_ways) &&
           (larger->sets == smaller->sets || smaller->scope.more_sets);
}

/* The best proved bound: the highest cost among machines that hit wherever this one hits. */
static double limit_cost(const struct bounds *bounds, const struct limit *limit, uint64_t point,
                         const struct machine *machine)
{
    uint32_t number = key_table_find(&limit->numbers, group_key(bounds, limit, point));
    struct geometry geometry = geometry_of(machine, limit->stage);
    double cost = -INFINITY;
    if (number == KEY_NONE)
        return cost;
    const struct group *group = &limit->groups[number];
    for (size_t i = 0; i < group->count; i++)
        if (includes(&group->samples[i], &geometry))
            cost = fmax(cost, group->samples[i].cost);
    return cost;
}

void bounds_limit(const struct bounds *bounds, uint64_t point, double *costs)
{
    struct machine machine;
    struct metrics metrics;
    space_machine(bounds->space, point % bounds->space->machines, &machine);
    metrics_clear(&metrics);
    if (bounds->area)
        area_evaluate(&machine, &metrics);
    for (size_t i = 0; i < bounds->count; i++) {
        const struct limit *limit = &bounds->limits[i];
        if (limit->stage != STAGE_AREA) {
            costs[i] = limit_cost(bounds, limit, point, &machine);
            continue;
        }
        double value = metric_get(limit->objective->metric, &metrics);
        costs[i] = limit->objective->direction == HIGHER_IS_BETTER ? -value : value;
    }
}

unsigned bounds_broken(const struct bounds *bounds, const struct machine *machine)
{
    unsigned broken = 0;
    for (size_t i = 0; i < bounds->count; i++) {
        unsigned stage = bounds->limits[i].stage;
        if (stage != STAGE_AREA && !geometry_of(machine, stage).scope.more_ways)
            broken |= stage;
    }
    return broken;
}

unsigned bounds_rank(const struct bounds *bounds, const struct machine *machine)
{
    unsigned seen = 0, rank = 0;
    for (size_t i = 0; i < bounds->count; i++) {
        unsigned stage = bounds->limits[i].stage;
        if (stage == STAGE_AREA || seen & stage)
            continue;
        seen |= stage;
        struct geometry geometry = geometry_of(machine, stage);
        if (geometry.sets && geometry.ways)
            rank += log2_floor(geometry.sets * geometry.ways);
    }
    return rank < BOUNDS_RANKS ? rank : BOUNDS_RANKS - 1;
}
