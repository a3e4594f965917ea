#include "explore/space/shard.h"

#include <stdlib.h>
#include <string.h>

struct step {
    uint64_t stride, count, digit;
};

static unsigned lowest(unsigned stages, unsigned among)
{
    stages &= among;
    return stages & (~stages + 1);
}

/* Where an axis stands in the order: small is slow. */
static int axis_rank(const struct axis *axis, bool caches_first)
{
    const unsigned caches = STAGE_L1D | STAGE_L2, translation = STAGE_TLB | STAGE_PWC;
    unsigned stages = axis->parameter->stages;
    if (stages & STAGE_STREAM)
        return 0;
    if (stages & caches)
        return (caches_first ? 1 : 3) + (lowest(stages, caches) == STAGE_L2);
    if (stages & translation)
        return (caches_first ? 3 : 1) + (lowest(stages, translation) == STAGE_PWC);
    return 5;
}

static bool are_caches_first(const struct study *study)
{
    double caches = 1, translation = 1;
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct axis *axis = &study->axes[a];
        if (axis->parameter->stages & (STAGE_L1D | STAGE_L2))
            caches *= (double)axis->count;
        else if (axis->parameter->stages & (STAGE_TLB | STAGE_PWC))
            translation *= (double)axis->count;
    }
    return caches >= translation;
}

/* The axes in the order of the shares, slowest first; malloc'ed. */
static struct step *order_axes(const struct study *study)
{
    struct step *steps = calloc(study->axis_count + 1, sizeof *steps);
    bool caches_first = are_caches_first(study);
    size_t next = 0;
    for (int rank = 0; steps && rank <= 5; rank++)
        for (size_t a = 0; a < study->axis_count; a++) {
            if (axis_rank(&study->axes[a], caches_first) != rank)
                continue;
            uint64_t stride = 1;
            for (size_t k = a + 1; k < study->axis_count; k++)
                stride *= study->axes[k].count;
            steps[next++] = (struct step){stride, study->axes[a].count, 0};
        }
    return steps;
}

/* The machine after `machine` in the order; back to 0 after the last. */
static uint64_t next_machine(struct step *steps, size_t count, uint64_t machine)
{
    for (size_t i = count; i-- > 0;) {
        machine += steps[i].stride;
        if (++steps[i].digit < steps[i].count)
            return machine;
        machine -= steps[i].count * steps[i].stride;
        steps[i].digit = 0;
    }
    return machine;
}

/* The first point of a share, in the order; shards + 1 gives the end of the last. */
static uint64_t share_begin(uint64_t total, unsigned shard, unsigned shards)
{
    uint64_t before = shard - 1, rest = total % shards; /* the first `rest` have one more */
    return before * (total / shards) + (before < rest ? before : rest);
}

/* Calls `visit` for every legal point in the order, with its share. */
typedef void (*visit_function)(void *argument, uint64_t point, unsigned shard);

static enum status walk_shares(const struct space *space, const struct census *census,
                               unsigned shards, visit_function visit, void *argument)
{
    const struct study *study = space->study;
    struct step *steps = order_axes(study);
    if (!steps)
        return STATUS_MEMORY;
    uint64_t total = census->legal * study->workload_count, rank = 0;
    unsigned shard = 1;
    for (size_t w = 0; w < study->workload_count; w++) {
        uint64_t machine = 0;
        for (uint64_t i = 0; i < space->machines; i++) {
            if (bit_test(census->bitmap, machine)) {
                while (rank >= share_begin(total, shard + 1, shards))
                    shard++;
                visit(argument, w * space->machines + machine, shard);
                rank++;
            }
            machine = next_machine(steps, study->axis_count, machine);
        }
    }
    free(steps);
    return STATUS_OK;
}

struct exclusion {
    unsigned shard;
    uint8_t *excluded;
};

static void exclude_point(void *argument, uint64_t point, unsigned shard)
{
    struct exclusion *exclusion = argument;
    if (shard != exclusion->shard)
        bit_set(exclusion->excluded, point);
}

enum status shard_exclude(const struct space *space, const struct census *census, unsigned shard,
                          unsigned shards, uint8_t *excluded, uint64_t *points)
{
    struct exclusion exclusion = {shard, excluded};
    uint64_t total = census->legal * space->study->workload_count;
    *points = share_begin(total, shard + 1, shards) - share_begin(total, shard, shards);
    return walk_shares(space, census, shards, exclude_point, &exclusion);
}

struct count {
    const uint8_t *done;
    uint64_t *missing;
};

static void count_point(void *argument, uint64_t point, unsigned shard)
{
    struct count *count = argument;
    count->missing[shard - 1] += !bit_test(count->done, point);
}

enum status shard_missing(const struct space *space, const struct census *census, unsigned shards,
                          const uint8_t *done, uint64_t *missing)
{
    struct count count = {done, missing};
    memset(missing, 0, shards * sizeof *missing);
    return walk_shares(space, census, shards, count_point, &count);
}
