/* Issues a source through the stages of one machine, for whoever watches its caches
 * (stages_watch). Nothing else is kept, and metrics are not worked out. */
#pragma once

#include <stdatomic.h>

#include "base/diag.h"
#include "model/pass/stage_tree.h"

struct stage_walk {
    struct stages *stages; /* of the machine that is walked with */
    bool fetches;          /* fetches of instructions go through them as well */
    /* Called when a launch begins, before its stages do; may be NULL. */
    void (*launched)(void *argument);
    void *argument;
    const atomic_bool *cancel; /* may be NULL */
};

/* STATUS_CANCELLED, what a watcher returns, and the errors of issue_source. */
enum status stage_walk(const struct stage_walk *walk, const struct machine *machine,
                       const struct trace_source *source, struct diagnostics *diagnostics);
