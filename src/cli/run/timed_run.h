/* The machine and the workload of a command that looks into a run at depth timing. */
#pragma once

#include "base/diag.h"
#include "cli/shared/options.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct timed_run {
    struct machine machine;
    struct trace_source *source;
    char *name; /* "gtx480 l1d.size=48KiB on GEMM" */
};

/* Loads both and checks that they can run in time. `workload`: NULL: what suits the kind of the
 * machine. `assumed`: enum assumed_dependences. `scenes` ends a sentence about a scene, which no SM
 * runs. What was opened is closed in either case by timed_run_close. */
enum status timed_run_open(const char *machine, const char *workload,
                           const struct options_list *settings, unsigned assumed,
                           const char *scenes, struct timed_run *run,
                           struct diagnostics *diagnostics);
void timed_run_close(struct timed_run *run);
