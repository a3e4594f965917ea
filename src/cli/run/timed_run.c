#include "cli/run/timed_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "workload/workload.h"

enum status timed_run_open(const char *machine, const char *workload,
                           const struct options_list *settings, unsigned assumed,
                           const char *scenes, struct timed_run *run,
                           struct diagnostics *diagnostics)
{
    *run = (struct timed_run){.source = NULL};
    unsigned depth = DEPTH_TIMING;
    enum status status = machine_argument_open(machine, settings, &depth, &run->explored,
                                               &run->machine, diagnostics);
    if (!status)
        status =
            workload_open_assumed(workload ? workload : run->explored.workload,
                                  (enum assumed_dependences)assumed, &run->source, diagnostics);
    if (!status)
        status = evaluate_check_events(&run->machine, run->source, scenes, diagnostics);
    if (status)
        return status;
    machine_apply_kind(&run->machine);
    char *text = machine_argument_text(machine, settings);
    if (!text || asprintf(&run->name, "%s on %s", text, run->source->name) < 0)
        run->name = NULL;
    free(text);
    return run->name ? STATUS_OK : STATUS_MEMORY;
}

void timed_run_close(struct timed_run *run)
{
    trace_source_free(run->source);
    free(run->name);
}

struct evaluate_options timed_run_options(const struct timed_run *run, int threads)
{
    return (struct evaluate_options){.depth = DEPTH_TIMING,
                                     .threads = threads_meant(threads),
                                     .cancel = interrupt_flag(),
                                     .progress = progress_show,
                                     .argument = run->source->name};
}

enum status timed_run_narrow(uint64_t sm, uint64_t warp, const char *address,
                             struct cursor_wish *wish, struct diagnostics *diagnostics)
{
    char *end;
    wish->sm = sm < CURSOR_ANY ? (uint32_t)sm : CURSOR_ANY;
    wish->slot = warp < CURSOR_ANY ? (uint32_t)warp : CURSOR_ANY;
    if (!address)
        return STATUS_OK;
    wish->touching = true;
    wish->address = strtoull(address, &end, 0);
    if (*end || end == address)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--address: expected a number, as 0x1000, got '%.60s'", address);
    return STATUS_OK;
}

enum status timed_run_memory(const char *text, uint64_t *bytes, struct diagnostics *diagnostics)
{
    if (text && quantity_parse_uint(text, UNIT_BYTES, bytes))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--memory: expected a size, as 64MiB, got '%.60s'", text);
    return STATUS_OK;
}
