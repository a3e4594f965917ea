/* Runs of Accel-Sim again on our models: each on the machine of its GPU (NAME-accelsim) with its
 * options laid over, on the trace that it had. The timing depth answers for every launch; on
 * request the other depths say how many reads of the L1D miss in the whole run. This module
 * computes our numbers only; report/ compares. */
#pragma once

#include "explore/papers/accelsim_rows.h"
#include "model/evaluate.h"

struct accelsim_run {
    size_t first, count; /* its rows */
    enum status status;  /* STATUS_OK unless our models refuse its options, GPU or trace */
    char *why;           /* then the reason; else NULL */
    uint64_t sms;        /* of its machine */
    double reads[DEPTH_COUNT], read_misses[DEPTH_COUNT]; /* with those that joined; NaN: not run */
};

struct accelsim_study {
    struct accelsim_rows rows;
    struct accelsim_run *runs;
    size_t run_count;
};

/* Divides study->rows, which the study then owns, into runs. STATUS_MEMORY. */
enum status accelsim_study_init(struct accelsim_study *study);
void accelsim_study_free(struct accelsim_study *study);

/* The path of the trace of a row, malloc'ed. */
typedef enum status accelsim_trace_path(void *context, const struct accelsim_row *row, char **path,
                                        struct diagnostics *diagnostics);

/* Fills our side of all rows, on `threads` threads (0: all) on which the numbers do not depend.
 * `depths`: at every depth, not only timing. Of `options` (may be NULL) uses progress and cancel.
 * Calls trace_path from any of the threads. */
enum status accelsim_study_run(struct accelsim_study *study, bool depths,
                               accelsim_trace_path *trace_path, void *context, int threads,
                               const struct evaluate_options *options);
