#include "explore/shard.h"

#include <stdlib.h>

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

enum status shard_exclude(const struct space *space, const struct census *census, unsigned shard,
                          unsigned shards, uint8_t *excluded, uint64_t *points)
{
    const struct study *study = space->study;
    struct step *steps = order_axes(study);
    if (!steps)
        return STATUS_MEMORY;
    uint64_t total = census->legal * study->workload_count, rank = 0;
    uint64_t share = total / shards, rest = total % shards; /* the first `rest` have one more */
    uint64_t before = shard - 1;
    uint64_t first = before * share + (before < rest ? before : rest);
    uint64_t end = first + share + (before < rest);
    for (size_t w = 0; w < study->workload_count; w++) {
        uint64_t machine = 0;
        for (uint64_t i = 0; i < space->machines; i++) {
            if (bit_test(census->bitmap, machine)) {
                if (rank < first || rank >= end)
                    bit_set(excluded, w * space->machines + machine);
                rank++;
            }
            machine = next_machine(steps, study->axis_count, machine);
        }
    }
    *points = end - first;
    free(steps);
    return STATUS_OK;
}
