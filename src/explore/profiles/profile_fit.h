/* Fits knobs of a machine to a measured profile: sweeps them over their legal values and says which
 * machine's counters lie nearest (explore/profiles/comparison.h).
 *
 * Invariant: the answer is the best of all legal combinations, not a local one, and what the
 * profile cannot tell is said: machines whose error is the same within FIT_SAME count as equally
 * good, of which the one with the fewest changes is chosen. Cost: a sweep (explore/sweep/sweep.h).
 */
#pragma once

#include "explore/plan/sweep_options.h"
#include "explore/profiles/comparison.h"
#include "schema/study.h"

#define FIT_SAME 0.0005 /* a twentieth of a percent point of the mean error */

struct fit_knob {
    const struct parameter *parameter;
    struct value before, after;
    uint8_t *good; /* by value of its axis: whether some equally good machine has it */
    size_t good_count;
};

struct profile_fit {
    uint64_t machines;      /* compared */
    uint64_t same;          /* as good as the best, itself included */
    double before, after;   /* errors; `before` is NaN if the machine itself is no point */
    struct machine machine; /* the best */
    struct fit_knob *knobs; /* by axis */
    size_t knob_count;
};

/* `study` has the machine, one workload, the axes and the depth. Adds the columns that it needs.
 * `base` are the machine's own values (comparison_run), for comparison_error.
 * STATUS_NOT_FOUND if no machine has a counter to compare. */
enum status profile_fit(struct study *study, struct comparison *comparison, const double *base,
                        const struct sweep_options *options, struct profile_fit *fit,
                        struct diagnostics *diagnostics);
void profile_fit_free(struct profile_fit *fit);
