/* Runs of Accel-Sim again on our models. Their rows are a CSV file that its owner measured
 * (reference data, not part of the program): one for each kernel of a run, with the command that
 * makes its trace, the GPU, the options that differ from the GPU's own, and counters. Each runs on
 * the machine of its GPU (NAME-accelsim) with its options laid over (explore/papers/row_study.h);
 * the kernels of a run share a run of ours. */
#pragma once

#include "explore/papers/row_study.h"

/* What its columns are here. Differences of a count are shares of the accesses. */
extern const struct row_dialect accelsim_dialect;

/* The path of the trace of a row's workload, malloc'ed. */
typedef enum status accelsim_trace_path(void *context, const char *workload, char **path,
                                        struct diagnostics *diagnostics);

/* Fills in our side, at depth timing or, with `depths`, at every one. Of `options` (may be NULL)
 * uses progress and cancel. Calls trace_path from any of the threads. */
enum status accelsim_run(struct row_study *study, bool depths, accelsim_trace_path *trace_path,
                         void *context, int threads, const struct evaluate_options *options);

/* Their rate of reads of a run's L1D that miss or join a line in flight, in percent, and how many
 * points ours at `depth` is above it. NaN without a number. */
double accelsim_rate(const struct row_study *study, const struct row_run *run);
double accelsim_rate_error(const struct row_study *study, const struct row_run *run,
                           enum depth depth);

/* A pair is the same kernel of the same trace on the same GPU with different options. It is right
 * if the cycles of both differ in the same direction in Accel-Sim and here, or in neither. */
bool accelsim_is_pair(const struct row_study *study, size_t a, size_t b);
bool accelsim_pair_right(const struct row_study *study, size_t a, size_t b);
