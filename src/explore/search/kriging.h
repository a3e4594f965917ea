/* What a number of a point may be, guessed from points that are known: kriging (J. Sacks, W. J.
 * Welch, T. J. Mitchell and H. P. Wynn, "Design and Analysis of Computer Experiments", Statistical
 * Science 4(4), 1989).
 *
 * Two points are the more alike the fewer steps of each axis lie between them: the product over the
 * axes of exp(-slope x share of the axis). How steep an axis is, and how much of a number is noise,
 * is what makes the known points most likely, found in turns among a few values; an axis that does
 * not matter gets slope 0 and costs nothing. A guess only chooses what is tried next and is never
 * told as a result.
 *
 * Of more than KRIGING_MOST known points as many are used, half of them such as should be kept.
 *
 * Cost: the third power of the known points for a fit, and for each slope that is tried, which is
 * done again when there are a quarter more points; a step for each known point and axis that
 * matters for a guess. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { KRIGING_MOST = 320 };

struct kriging { /* all zero: nothing to free */
    size_t axis_count;
    size_t *counts;   /* digits of each axis */
    size_t *first;    /* where those of each axis begin among all */
    uint8_t *steeps;  /* by axis: which of the slopes it has */
    uint8_t noise;    /* which share of noise there is */
    size_t count;     /* known points that are used */
    size_t tuned;     /* as many when slopes were chosen */
    uint32_t *digits; /* of the known points */
    double mean, *values, *weights;
    double *factor, *apart; /* matrices over the known points: triangular, and how far apart */
    double *alike;          /* [digit of all axes * count + known point] */
    double *row;            /* scratch: one number for each known point */
};

/* counts[a] is the number of digits of axis a. The caller frees it in any case. */
enum status kriging_create(const size_t *counts, size_t axis_count, struct kriging *model);
void kriging_free(struct kriging *model);

/* Fits to `count` points: digits[i * axis_count + a], values[i]; points whose value is no number
 * are left out. kept[i]: one that should be used. */
enum status kriging_fit(struct kriging *model, const uint32_t *digits, const double *values,
                        const uint8_t *kept, size_t count);
double kriging_at(const struct kriging *model, const uint32_t *digits);
