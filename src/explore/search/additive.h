/* What a number of a point may be, guessed from points that are known: the mean, and for each axis
 * what the point's digit adds to it.
 *
 * The parts are fitted in turns, each to what the others leave over (backfitting: J. H. Friedman
 * and W. Stuetzle, "Projection Pursuit Regression", JASA 76(376), 1981, section 2), and drawn
 * towards 0 as if a fifth of a point more had shown nothing. Numbers that are all positive are
 * fitted as logarithms, so that digits multiply. A guess only chooses what is tried next and is
 * never told as a result.
 *
 * Cost: a fit takes ADDITIVE_TURNS steps for each point and axis, a guess one for each axis. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { ADDITIVE_TURNS = 12 };
#define ADDITIVE_DRAWN 0.2 /* of a point */

struct additive { /* all zero: nothing to free */
    size_t axis_count;
    size_t *first; /* by axis: where its digits begin in `parts`; one more at the end */
    double *parts; /* what each digit adds */
    double *sums;  /* scratch of a fit: by digit, what is left over, and how many points */
    double mean;
    bool logarithms;
};

/* counts[a] is the number of digits of axis a. The caller frees it in any case. */
enum status additive_create(const size_t *counts, size_t axis_count, struct additive *model);
void additive_free(struct additive *model);

/* Fits to `count` points: digits[i * axis_count + a], values[i]; points whose value is NaN are left
 * out. STATUS_MEMORY leaves the model as it was. */
enum status additive_fit(struct additive *model, const uint32_t *digits, const double *values,
                         size_t count);
double additive_at(const struct additive *model, const uint32_t *digits);
