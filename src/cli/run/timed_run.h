/* What commands that look into a run at depth timing have in common: the machine and the workload,
 * and options that mean the same to each. */
#pragma once

#include "base/diag.h"
#include "cli/shared/options.h"
#include "config/exploration.h"
#include "model/evaluate.h"
#include "model/timing/run_cursor.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct timed_run {
    struct machine machine;
    struct exploration explored; /* what its file names */
    struct trace_source *source;
    char *name; /* "gtx480 l1d.size=48KiB on GEMM" */
};

/* Loads both and checks that they can run in time. `workload`: NULL: that of the machine's file.
 * `assumed`: enum assumed_dependences. `scenes` as of evaluate_check_events. What was
 * opened is closed in either case by timed_run_close. */
enum status timed_run_open(const char *machine, const char *workload,
                           const struct options_list *settings, unsigned assumed,
                           const char *scenes, struct timed_run *run,
                           struct diagnostics *diagnostics);
void timed_run_close(struct timed_run *run);

/* How it is run: with progress, until it is interrupted. `threads` as of --threads. */
struct evaluate_options timed_run_options(const struct timed_run *run, int threads);

/* Narrows the events that are looked for by --sm and --warp (UINT64_MAX: any) and --address (NULL:
 * any). */
enum status timed_run_narrow(uint64_t sm, uint64_t warp, const char *address,
                             struct cursor_wish *wish, struct diagnostics *diagnostics);

/* *bytes becomes what --memory says; NULL leaves it. */
enum status timed_run_memory(const char *text, uint64_t *bytes, struct diagnostics *diagnostics);
