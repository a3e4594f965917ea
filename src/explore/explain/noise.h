/* The noise floor of a time: what starts that mean nothing move it by.
 *
 * A run whose first launch begins some cycles later (evaluate_options.start_delay) does the same
 * work, yet meets refreshes, arbiters and other SMs at other moments, so that its time differs a
 * little. A change that is smaller than that says nothing. Where no time passes there is no noise.
 * Cost: NOISE_STARTS runs of the machine, and as many of each change that is measured. */
#pragma once

#include "explore/explain/question.h"
#include "explore/explain/trials.h"

enum { NOISE_STARTS = 5 };
extern const uint32_t noise_delays[NOISE_STARTS]; /* cycles */

struct noise {
    double floor;               /* the largest move, as a share of the metric; 0: exact */
    double bases[NOISE_STARTS]; /* values of the machine begun later; NaN: not run */
};

/* Measures the machine itself. The other errors are those of trials_run. */
enum status noise_measure(struct trials *trials, const struct question *question,
                          struct noise *noise, struct diagnostics *diagnostics);

/* How far the gain of a change is from certain: the largest distance between `gain` and the gains
 * at shifted starts, machine and changed machine begun alike. `values` are those of the changed
 * machine at noise_delays. */
double noise_of_gain(const struct question *question, const struct noise *noise, double gain,
                     const double values[NOISE_STARTS]);
