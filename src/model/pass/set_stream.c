#include "model/pass/set_stream.h"

#include "model/cache/geometry.h"
#include "model/pass/stage_walk.h"
#include "schema/parameters.h"
#include "schema/stages.h"

struct follower {
    enum status (*step)(void *argument, const struct set_step *step);
    void *argument;
    bool enough; /* `step` wants no more */
};

static enum status follow_step(void *argument, const struct set_step *step)
{
    struct follower *follower = argument;
    if (follower->enough)
        return STATUS_CANCELLED;
    enum status status = follower->step(follower->argument, step);
    follower->enough = status == STATUS_CANCELLED;
    return status;
}

struct cache_config set_stream_cache(const struct machine *machine, unsigned stage,
                                     uint64_t *instances)
{
    *instances = stage == STAGE_L2     ? machine->l2.slices
                 : stage == STAGE_TILE ? machine->tile.cache.slices
                                       : machine->gpu.sms;
    return stage == STAGE_L1D    ? machine->l1d
           : stage == STAGE_L2   ? machine->l2
           : stage == STAGE_TILE ? machine->tile.cache
                                 : instruction_cache_of(&machine->l1i);
}

enum status set_place_check(const struct machine *machine, const struct set_place *place,
                            struct diagnostics *diagnostics)
{
    uint64_t instances;
    const char *label = stage_info(place->stage)->label;
    if (!machine_has(machine, place->stage))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "this machine has no %s", label);
    const struct cache_config config = set_stream_cache(machine, place->stage, &instances);
    const uint64_t sets = cache_sets(&config);
    if (place->instance >= instances)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "there is no %s %u: the machine has %llu",
                                 place->stage == STAGE_L2     ? "slice"
                                 : place->stage == STAGE_TILE ? "bank"
                                                              : "SM",
                                 place->instance, (unsigned long long)instances);
    if (place->set >= sets)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "there is no set %llu: the %s has %llu, counted from 0",
                                 (unsigned long long)place->set, label, (unsigned long long)sets);
    return STATUS_OK;
}

enum status set_stream_check(const struct machine *machine, const struct set_place *place,
                             struct diagnostics *diagnostics)
{
    uint64_t instances;
    if (!machine_runs_kernels(machine))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "this machine has no cache for kernels whose sets could be "
                                 "stepped through; those of a tile cache stand beside its cycles: "
                                 ":watch tile:0:0 in the Step view, or `warpscape step --cache-set "
                                 "tile:0:0`");
    const struct cache_config config = set_stream_cache(machine, place->stage, &instances);
    if (machine_has(machine, place->stage) &&
        (cache_is_offline(&config) ||
         (place->stage == STAGE_L2 && machine_has(machine, STAGE_L1D) &&
          cache_is_offline(&machine->l1d))))
        return diagnostics_error(
            diagnostics, STATUS_UNSUPPORTED,
            "%s needs the whole stream in advance: what it replaces is known only at the end",
            replacement_facts[cache_is_offline(&config) ? config.replacement
                                                        : machine->l1d.replacement]
                .name);
    return set_place_check(machine, place, diagnostics);
}

enum status set_stream(const struct machine *machine, const struct trace_source *source,
                       const struct set_place *place,
                       enum status (*step)(void *argument, const struct set_step *step),
                       void *argument, const atomic_bool *cancel, bool *whole,
                       struct diagnostics *diagnostics)
{
    struct follower follower = {.step = step, .argument = argument};
    const struct set_watching watching = {
        .instance = place->instance, .set = place->set, .step = follow_step, .argument = &follower};
    struct stage_walk walk = {.fetches = place->stage == STAGE_L1I, .cancel = cancel};
    struct machine upto = *machine; /* without what is beyond the cache */
    size_t leaf;
    *whole = false;
    machine_keep_stages(&upto, stage_chain(place->stage, machine_couples(machine)));
    enum status status = set_stream_check(machine, place, diagnostics);
    if (!status)
        status = stages_create(0, SHARE_NOTHING, false, &walk.stages);
    if (!status)
        status = stages_add(walk.stages, &upto, &leaf);
    if (!status)
        status = stages_watch(walk.stages, place->stage, &watching);
    if (!status)
        status = stage_walk(&walk, &upto, source, diagnostics);
    *whole = !status && !follower.enough;
    stages_free(walk.stages);
    return follower.enough && status == STATUS_CANCELLED ? STATUS_OK : status;
}
