#include "explore/sweep/sweep_proofs.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "explore/plan/stage_key.h"
#include "model/depth_models.h"

/* Of larger spaces as many machines, evenly spaced. */
enum { MACHINES = 1024 };

struct wanted { /* a proof that holds for a machine */
    const struct machine *machine;
    struct run_proof proof;
    bool found;
};

static bool take_proof(void *argument, const struct stage_proof *kept)
{
    struct wanted *wanted = argument;
    memcpy(&wanted->proof, kept->bytes, sizeof wanted->proof);
    wanted->found = run_proof_covers(&wanted->proof, wanted->machine);
    return wanted->found;
}

static struct axis_proof look_at(const struct wanted *wanted, const struct axis *axis)
{
    const char *path = axis->parameter->path;
    struct axis_proof found = {0};
    for (unsigned i = 0; i < RUN_LIMITS; i++)
        if (!strcmp(run_limit_name((enum run_limit)i), path)) {
            found.limit = true;
            found.interval = wanted->proof.limits[i];
        }
    struct machine widened = *wanted->machine, other;
    run_proof_widen(&widened);
    for (size_t i = 0; i < axis->count; i++) {
        struct machine machine = *wanted->machine;
        parameter_set(axis->parameter, &machine, axis->values[i]);
        other = machine;
        run_proof_widen(&other);
        if (!machine_same(&widened, &other, ~0u) || !run_proof_covers(&wanted->proof, &machine))
            continue;
        found.equal++;
        found.picks |= machine.scheduler.policy != wanted->machine->scheduler.policy;
    }
    return found;
}

static void look_at_machine(const struct sweep_setup *setup, size_t workload,
                            const struct machine *whole, struct axis_proof *proofs)
{
    const struct study *study = setup->space.study;
    const unsigned reader = DEPTH_BIT(study->depth);
    struct machine machine;
    struct wanted wanted = {.machine = &machine};
    stage_machine(whole, depth_reads(study->depth), &machine);
    const struct stage_key family =
        stage_key_family(setup->digests[workload], "", &machine, reader);
    stage_cache_proofs(setup->cache, &family, sizeof wanted.proof, take_proof, &wanted);
    for (size_t a = 0; wanted.found && a < study->axis_count; a++) {
        const struct axis_proof found = look_at(&wanted, &study->axes[a]);
        if (found.equal > proofs[a].equal)
            proofs[a] = found;
    }
}

enum status sweep_proofs(const struct sweep_setup *setup, struct axis_proof **proofs)
{
    const struct study *study = setup->space.study;
    const uint64_t machines = setup->space.machines;
    const uint64_t step = machines / MACHINES + 1;
    *proofs = calloc(study->workload_count * study->axis_count + 1, sizeof **proofs);
    if (!*proofs)
        return STATUS_MEMORY;
    if (!setup->cache || !depth_models[study->depth].covers)
        return STATUS_OK;
    for (size_t w = 0; w < study->workload_count; w++)
        for (uint64_t m = 0; m < machines; m += step) {
            struct machine whole;
            if (setup->census.bitmap && !bit_test(setup->census.bitmap, m))
                continue;
            space_machine(&setup->space, m, &whole);
            look_at_machine(setup, w, &whole, *proofs + w * study->axis_count);
        }
    return STATUS_OK;
}
