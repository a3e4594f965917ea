#include "model/timing/timing_check.h"

#include <inttypes.h>

#include "model/cache/replacement.h"
#include "model/timing/sm/sm.h"

/* GPGPU-Sim takes a request while the queue has more room than the request may need: a read two
 * places (its own, and one for the line that it replaces), a store that fetches and goes on
 * three. */
static uint64_t least_queue(const struct cache_config *cache)
{
    const bool fetches =
        cache->write_allocate == WRITE_ALLOCATE_FETCH && write_traits[cache->write] & WRITE_TAKES;
    return fetches ? 3 : 2;
}

static enum status check_cache(const struct cache_config *cache, const char *name,
                               struct diagnostics *diagnostics)
{
    const uint64_t least = least_queue(cache);
    if (!cache->enabled)
        return STATUS_OK;
    if (replacement_facts[cache->replacement].traits & REPLACEMENT_FUTURE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "depth timing: %s.replacement %s needs the future of the stream",
                                 name, replacement_facts[cache->replacement].name);
    if (cache->miss_queue < least)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "depth timing: %s.miss_queue must be %" PRIu64
                                 " or more, not %" PRIu64
                                 ": a request is only taken while there is room for all that it "
                                 "may send",
                                 name, least, cache->miss_queue);
    return STATUS_OK;
}

static enum status check_core(const struct machine *machine, struct diagnostics *diagnostics)
{
    const struct core_config *core = &machine->core;
    const uint64_t collectors = core->collectors
                                    ? core->collectors
                                    : core->sp_collectors + core->dp_collectors +
                                          core->sfu_collectors + core->memory_collectors;
    const uint64_t warps = machine->gpu.max_threads / WARP_SIZE;
    if (warps > WARPS_MAX || warps > SCHEDULER_WARPS * machine->scheduler.count)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "depth timing: %" PRIu64
                                 " warps (gpu.max_threads) are too many: a scheduler has up to %d",
                                 warps, SCHEDULER_WARPS);
    if (collectors > COLLECTORS_MAX)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "depth timing: %" PRIu64
                                 " operand collectors are too many: an SM has up to %d",
                                 collectors, COLLECTORS_MAX);
    return STATUS_OK;
}

static enum status check_slices(const struct cache_config *l2, struct diagnostics *diagnostics)
{
    if (l2->slices % l2->slices_per_channel)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "depth timing: %" PRIu64
                                 " slices (l2.slices) cannot be shared out to channels of %" PRIu64
                                 " (l2.slices_per_channel)",
                                 l2->slices, l2->slices_per_channel);
    if (!index_holds(partition_index[l2->partition], l2->slices))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "depth timing: a hashed l2.partition needs a power of two of "
                                 "slices, not %" PRIu64,
                                 l2->slices);
    return STATUS_OK;
}

enum status timing_check(const struct machine *machine, struct diagnostics *diagnostics)
{
    if (!machine_runs_kernels(machine)) /* it has none of what follows */
        return STATUS_OK;
    enum status status = check_core(machine, diagnostics);
    if (!status)
        status = check_slices(&machine->l2, diagnostics);
    if (!status)
        status = check_cache(&machine->l1d, "l1d", diagnostics);
    return status ? status : check_cache(&machine->l2, "l2", diagnostics);
}
