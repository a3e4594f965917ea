/* The traces of the runs that `warpscape reproduce accelsim` repeats. The reference data say for
 * each run by which command its trace was made ("python3 gen_kernels.py fill OUT --bin 70 n=32"),
 * or where it lies ("shared/traces/..."). Commands are run once and their traces kept.
 *
 * Invariant: nothing is run but the two generators in the tools folder of the reference data, with
 * plain words as arguments and without a shell, whatever the file of runs says. */
#pragma once

#include "explore/papers/accelsim_study.h"

struct accelsim_traces {
    char *shared; /* the folder of the reference data */
    char *folder; /* where generated traces are kept, one folder for each command */
};

/* `folder` NULL: the user's cache. STATUS_NOT_FOUND if there are no reference data; a failure
 * leaves nothing to free. */
enum status accelsim_traces_init(struct accelsim_traces *traces, const char *folder,
                                 struct diagnostics *diagnostics);
void accelsim_traces_free(struct accelsim_traces *traces);

/* Whether what makes the missing traces of the rows is there; says what is not. */
enum status accelsim_traces_check(const struct accelsim_traces *traces, const struct row_file *rows,
                                  struct diagnostics *diagnostics);

/* An accelsim_trace_path, which makes the trace if it is missing; `context` is a struct
 * accelsim_traces. Any number of threads and processes may call it. */
enum status accelsim_traces_path(void *context, const char *workload, char **path,
                                 struct diagnostics *diagnostics);
