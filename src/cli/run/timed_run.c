#include "cli/run/timed_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/shared/machine_argument.h"
#include "model/evaluate.h"
#include "trace/assumed.h"
#include "workload/workload.h"

enum status timed_run_open(const char *machine, const char *workload,
                           const struct options_list *settings, unsigned assumed,
                           const char *scenes, struct timed_run *run,
                           struct diagnostics *diagnostics)
{
    *run = (struct timed_run){.source = NULL};
    enum status status =
        machine_argument_load(machine, settings, DEPTH_TIMING, &run->machine, diagnostics);
    if (!status)
        status = workload_open(workload ? workload : kind_workloads[run->machine.kind],
                               &run->source, diagnostics);
    if (!status)
        status = trace_source_replace_assumed(&run->source, (enum assumed_dependences)assumed,
                                              diagnostics);
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
