#include "model/pass/stage_walk.h"

#include "model/gpu/issue.h"

struct walker {
    const struct stage_walk *walk;
    struct diagnostics *diagnostics;
};

static enum status walk_launch(void *argument, const struct trace_launch *launch)
{
    const struct stage_walk *walk = ((const struct walker *)argument)->walk;
    if (walk->launched)
        walk->launched(walk->argument);
    return stages_launch(walk->stages, launch);
}

static enum status walk_requests(void *argument, const struct request *requests, size_t count)
{
    const struct walker *walker = argument;
    return stages_run(walker->walk->stages, FEED_RECORDS, requests, count, walker->diagnostics);
}

static enum status walk_fetches(void *argument, const struct request *requests, size_t count)
{
    const struct walker *walker = argument;
    return stages_run(walker->walk->stages, FEED_FETCHES, requests, count, walker->diagnostics);
}

static enum status walk_progress(void *argument, const struct issue_counts *counts)
{
    const atomic_bool *cancel = ((const struct walker *)argument)->walk->cancel;
    (void)counts;
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed) ? STATUS_CANCELLED
                                                                        : STATUS_OK;
}

enum status stage_walk(const struct stage_walk *walk, const struct machine *machine,
                       const struct trace_source *source, struct diagnostics *diagnostics)
{
    struct walker walker = {walk, diagnostics};
    const struct issue_sink sink = {.launch = walk_launch,
                                    .requests = walk_requests,
                                    .progress = walk_progress,
                                    .argument = &walker,
                                    .fetches = walk->fetches ? walk_fetches : NULL};
    struct issue_counts counts;
    return issue_source(machine, source, &sink, &counts, diagnostics);
}
