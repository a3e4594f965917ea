/* Measured counters beside what a machine of ours has in their place.
 *
 * The expressions of the counter table are prepared once; a comparison then costs one evaluation of
 * each for every machine. The error of a machine is the mean over counters that mean the same as
 * ours of their distances (explore/profiles/measured.h), so that it lies in [0, 1] and twice as
 * many count as much as half as many. Counters with one expression count once. Cycles of ours
 * become times at the clock of the profile, if it has one; then those count once, too. */
#pragma once

#include "explore/profiles/measured.h"
#include "schema/metrics.h"

struct comparison;

/* `measured` must outlive it. STATUS_MEMORY. */
enum status comparison_create(const struct measured *measured, struct comparison **comparison,
                              struct diagnostics *diagnostics);
void comparison_free(struct comparison *comparison); /* NULL is allowed */

const struct measured *comparison_measured(const struct comparison *comparison);

/* The metrics that the expressions read and `depth` answers, each once. Returns their number. With
 * `fitted`, only those of counters that the error is about. */
size_t comparison_metrics(const struct comparison *comparison, enum depth depth, bool fitted,
                          const struct metric *metrics[METRIC_COUNT]);

/* Sets ours[i] to what the machine has in place of row i of the measured ones; NaN if the depth did
 * not answer. An object belongs to one thread at a time. */
enum status comparison_run(struct comparison *comparison, const struct machine *machine,
                           const struct metrics *metrics, double *ours,
                           struct diagnostics *diagnostics);

/* The error of a machine, from its `ours`; NaN if no counter tells. *counted (may be NULL) is how
 * many counters it is the mean of. `base` (may be NULL) are those of the machine that it is
 * compared with: what that one answers is part of the mean, and wholly wrong where this one has no
 * answer, so that no machine wins by having no such cache. */
double comparison_error(const struct comparison *comparison, const double *ours, const double *base,
                        size_t *counted);

/* Whether a counter is part of the error: it is no NEAR one, and the first with its expression. */
bool comparison_counts(const struct comparison *comparison, size_t row);
