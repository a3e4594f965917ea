#include "model/replay.h"

#include "model/stages_state.h"

struct replay {
    const struct evaluate_options *options;
    struct stages *stages;
    uint64_t requests; /* of the whole tape */
    struct diagnostics *diagnostics;
};

static enum status replay_launch(void *argument, const struct trace_launch *launch)
{
    struct replay *replay = argument;
    return stages_launch(replay->stages, launch);
}

static enum status replay_requests(void *argument, const struct request *requests, size_t count)
{
    struct replay *replay = argument;
    return stages_run(replay->stages, requests, count, replay->diagnostics);
}

static enum status replay_page_walks(void *argument, const struct request *requests, size_t count)
{
    struct replay *replay = argument;
    return stages_run_walks(replay->stages, requests, count);
}

static enum status replay_progress(void *argument, const struct issue_counts *counts)
{
    const struct replay *replay = argument;
    const struct evaluate_options *options = replay->options;
    if (options->cancel && atomic_load_explicit(options->cancel, memory_order_relaxed))
        return STATUS_CANCELLED;
    /* A replay is short: its progress is told in steps of a million requests. */
    const uint64_t step = 1 << 20;
    if (options->progress && counts->transactions % step < 4096)
        options->progress(options->argument,
                          (double)counts->transactions / (double)replay->requests);
    return STATUS_OK;
}

/* Plays a tape into the stages of one machine, as `requests` takes it. */
static enum status
replay_stages(const struct machine *machine, const struct tape *tape,
              enum status (*requests)(void *argument, const struct request *requests, size_t count),
              const struct evaluate_options *options, struct metrics *metrics,
              struct diagnostics *diagnostics)
{
    struct replay replay = {
        .options = options, .requests = tape_requests(tape), .diagnostics = diagnostics};
    const struct issue_sink sink = {replay_launch, requests, replay_progress, &replay, 0};
    size_t leaf;
    enum status status =
        stages_create(options->needs, options->lookups_only, false, &replay.stages);
    if (!status)
        status = stages_add(replay.stages, machine, &leaf);
    if (!status && options->record)
        stages_record(replay.stages, options->record);
    if (!status) {
        stages_count_pcs(replay.stages, options->pcs);
        stages_issued(replay.stages, tape_instructions(tape));
    }
    if (!status)
        status = tape_play(tape, &sink);
    if (!status)
        status = stages_finish(replay.stages);
    if (!status)
        stages_metrics(replay.stages, leaf, metrics);
    stages_free(replay.stages);
    return status;
}

enum status replay_stream(const struct machine *machine, const struct tape *stream,
                          const struct evaluate_options *options, struct metrics *metrics,
                          struct diagnostics *diagnostics)
{
    return replay_stages(machine, stream, replay_requests, options, metrics, diagnostics);
}

enum status replay_misses(const struct machine *machine, const struct tape *misses,
                          const struct evaluate_options *options, struct metrics *metrics,
                          struct diagnostics *diagnostics)
{
    /* Without an L1D every request goes to the L2 as it is. */
    struct machine behind = *machine;
    behind.l1d.enabled = 0;
    behind.tlb.enabled = 0;
    return replay_stages(&behind, misses, replay_requests, options, metrics, diagnostics);
}

enum status replay_walks(const struct machine *machine, const struct tape *walks,
                         const struct evaluate_options *options, struct metrics *metrics)
{
    struct machine behind = *machine;
    behind.l1d.enabled = 0;
    behind.l2.enabled = 0;
    return replay_stages(&behind, walks, replay_page_walks, options, metrics, NULL);
}
