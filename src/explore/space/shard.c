#include "explore/space/shard.h"

#include <stdlib.h>
#include <string.h>

#include "schema/stages.h"

struct step {
    uint64_t stride, count, digit;
};

/* The parts of a machine that do not feed each other, the one with the most settings first. */
struct parts {
    unsigned stages[STAGE_COUNT];
    double settings[STAGE_COUNT];
    size_t count;
};

/* The place of an axis in the order; axes with small ranks vary slowly. The stream comes first and
 * axes that no stage reads come last. In between, each part has one rank for its first level and
 * one for the levels after it. */
static int axis_rank(const struct axis *axis, const struct parts *parts)
{
    const unsigned stages = axis->parameter->stages & ~(unsigned)STAGE_AREA;
    if (stages & STAGE_STREAM)
        return 0;
    for (size_t p = 0; p < parts->count; p++)
        if (stages & parts->stages[p])
            return 1 + 2 * (int)p + !(stages & parts->stages[p] & stages_first());
    return 1 + 2 * (int)parts->count;
}

static struct parts sort_parts(const struct study *study)
{
    struct parts parts;
    parts.count = stage_parts(stages_simulated(), false, parts.stages);
    for (size_t p = 0; p < parts.count; p++) {
        parts.settings[p] = 1;
        for (size_t a = 0; a < study->axis_count; a++)
            if (study->axes[a].parameter->stages & parts.stages[p] & ~(unsigned)STAGE_STREAM)
                parts.settings[p] *= (double)study->axes[a].count;
        for (size_t k = p; k && parts.settings[k] > parts.settings[k - 1]; k--) {
            const unsigned stages = parts.stages[k];
            const double settings = parts.settings[k];
            parts.stages[k] = parts.stages[k - 1];
            parts.settings[k] = parts.settings[k - 1];
            parts.stages[k - 1] = stages;
            parts.settings[k - 1] = settings;
        }
    }
    return parts;
}

/* The axes in the order of the shares, slowest first. The caller frees them. */
static struct step *order_axes(const struct study *study)
{
    struct step *steps = calloc(study->axis_count + 1, sizeof *steps);
    const struct parts parts = sort_parts(study);
    const int last = 1 + 2 * (int)parts.count;
    size_t next = 0;
    for (int rank = 0; steps && rank <= last; rank++)
        for (size_t a = 0; a < study->axis_count; a++) {
            if (axis_rank(&study->axes[a], &parts) != rank)
                continue;
            uint64_t stride = 1;
            for (size_t k = a + 1; k < study->axis_count; k++)
                stride *= study->axes[k].count;
            steps[next++] = (struct step){stride, study->axes[a].count, 0};
        }
    return steps;
}

/* The machine that follows `machine` in the order. After the last one comes machine 0. */
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

/* The number in the order of a share's first point. shards + 1 gives the end of the last share. */
static uint64_t share_begin(uint64_t total, unsigned shard, unsigned shards)
{
    uint64_t before = shard - 1, rest = total % shards; /* the first `rest` have one more */
    return before * (total / shards) + (before < rest ? before : rest);
}

/* Called for every legal point, in order, with the share that it belongs to. */
typedef void (*visit_function)(void *argument, uint64_t point, unsigned shard);

/* Walks all legal points once, in O(points) time. */
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
