/* The cycle stacks in the report of a sweep at depth timing: on each workload the machine of the
 * study beside the best point of the first target (report/runs/cycle_stack.h).
 *
 * Cost: two runs a workload, unless the stage cache of the user remembers them, as it does behind a
 * sweep that kept its results there. */
#pragma once

#include "report/drawing/page.h"
#include "report/runs/study_summary.h"

/* Does nothing at other depths. What cannot be evaluated (the workload is gone or changed, the
 * machine breaks a rule) is left out; *cancel ends it. */
void study_cycle_stacks(struct page *page, const struct study_summary *summary,
                        const atomic_bool *cancel);
