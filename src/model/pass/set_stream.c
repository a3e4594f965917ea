#include "model/pass/set_stream.h"

#include "model/cache/geometry.h"
#include "model/gpu/issue.h"
#include "model/pass/stage_tree.h"
#include "schema/parameters.h"
#include "schema/stages.h"

struct follower {
    struct stages *stages;
    enum status (*step)(void *argument, const struct set_step *step);
    void *argument;
    const atomic_bool *cancel;
    struct diagnostics *diagnostics;
    bool enough; /* `step` wants no more */
};

static enum status follow_launch(void *argument, const struct trace_launch *launch)
{
    const struct follower *follower = argument;
    return stages_launch(follower->stages, launch);
}

static enum status follow_requests(void *argument, const struct request *requests, size_t count)
{
    const struct follower *follower = argument;
    return stages_run(follower->stages, FEED_RECORDS, requests, count, follower->diagnostics);
}

static enum status follow_fetches(void *argument, const struct request *requests, size_t count)
{
    const struct follower *follower = argument;
    return stages_run(follower->stages, FEED_FETCHES, requests, count, follower->diagnostics);
}

static enum status follow_progress(void *argument, const struct issue_counts *counts)
{
    const struct follower *follower = argument;
    (void)counts;
    return follower->cancel && atomic_load_explicit(follower->cancel, memory_order_relaxed)
               ? STATUS_CANCELLED
               : STATUS_OK;
}

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
    *instances = stage == STAGE_L2 ? machine->l2.slices : machine->gpu.sms;
    return stage == STAGE_L1D  ? machine->l1d
           : stage == STAGE_L2 ? machine->l2
                               : instruction_cache_of(&machine->l1i);
}

enum status set_stream_check(const struct machine *machine, const struct set_place *place,
                             struct diagnostics *diagnostics)
{
    uint64_t instances;
    const char *label = stage_info(place->stage)->label;
    if (!machine_runs_kernels(machine))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "this machine has no cache for kernels whose sets could be "
                                 "stepped through");
    if (!machine_has(machine, place->stage))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "this machine has no %s", label);
    const struct cache_config config = set_stream_cache(machine, place->stage, &instances);
    if (cache_is_offline(&config) || (place->stage == STAGE_L2 && machine_has(machine, STAGE_L1D) &&
                                      cache_is_offline(&machine->l1d)))
        return diagnostics_error(
            diagnostics, STATUS_UNSUPPORTED,
            "%s needs the whole stream in advance: what it replaces is known only at the end",
            replacement_facts[cache_is_offline(&config) ? config.replacement
                                                        : machine->l1d.replacement]
                .name);
    const uint64_t sets = cache_sets(&config);
    if (place->instance >= instances)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "there is no %s %u: the machine has %llu",
                                 place->stage == STAGE_L2 ? "slice" : "SM", place->instance,
                                 (unsigned long long)instances);
    if (place->set >= sets)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "there is no set %llu: the %s has %llu, counted from 0",
                                 (unsigned long long)place->set, label, (unsigned long long)sets);
    return STATUS_OK;
}

enum status set_stream(const struct machine *machine, const struct trace_source *source,
                       const struct set_place *place,
                       enum status (*step)(void *argument, const struct set_step *step),
                       void *argument, const atomic_bool *cancel, bool *whole,
                       struct diagnostics *diagnostics)
{
    struct follower follower = {
        .step = step, .argument = argument, .cancel = cancel, .diagnostics = diagnostics};
    const struct set_watching watching = {place->instance, place->set, follow_step, &follower};
    struct issue_sink sink = {.launch = follow_launch,
                              .requests = follow_requests,
                              .progress = follow_progress,
                              .argument = &follower};
    struct machine upto = *machine; /* without what is beyond the cache */
    struct issue_counts counts;
    size_t leaf;
    *whole = false;
    machine_keep_stages(&upto, stage_chain(place->stage, machine_couples(machine)));
    if (place->stage == STAGE_L1I)
        sink.fetches = follow_fetches;
    enum status status = set_stream_check(machine, place, diagnostics);
    if (!status)
        status = stages_create(0, SHARE_NOTHING, false, &follower.stages);
    if (!status)
        status = stages_add(follower.stages, &upto, &leaf);
    if (!status)
        status = stages_watch(follower.stages, place->stage, &watching);
    if (!status)
        status = issue_source(&upto, source, &sink, &counts, diagnostics);
    *whole = !status && !follower.enough;
    stages_free(follower.stages);
    return follower.enough && status == STATUS_CANCELLED ? STATUS_OK : status;
}
