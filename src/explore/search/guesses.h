/* Which points of a space are worth a run: what each may cost, guessed from those that are known,
 * and which of these guesses go furthest beyond the known front.
 *
 * Guessed are logarithms of the costs over their range (explore/search/kriging.h). A cost that
 * needs no run, such as an area, is not guessed. How far a guess goes beyond the front is the
 * additive epsilon (E. Zitzler et al., "Performance Assessment of Multiobjective Optimizers", IEEE
 * Trans. Evol. Comput. 7(2), 2003).
 *
 * Invariant: what is chosen depends on the points learnt and offered, in their order, alone. Cost:
 * a fit of each cost, a guess of every point offered, and for each choice a comparison of every
 * guess with the front. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Points that may be chosen. */
struct guess_points {
    size_t count;
    const uint32_t *digits; /* [point * axes + axis] */
    const double *costs;    /* [point * objectives + objective]: the exact ones are read */
    const uint8_t *taken;   /* by point: not to be chosen */
};

/* Points are chosen in rounds, each second one near the front. */
enum { GUESSES_ROUND = 4, GUESSES_FIRST = 10 /* of all points, one in so many by chance */ };
static inline bool guess_near(size_t place)
{
    return place % 2;
}

/* A child of two points: each digit is that of one of them, and one on average is any. Random
 * numbers are those of the seed from *draws on. */
void guess_breed(const uint32_t *const parents[2], const size_t *counts, size_t axis_count,
                 uint64_t seed, uint64_t *draws, uint32_t *digits);

struct guesses;

/* counts[a] is the number of digits of axis a. exact[d]: cost d of every point is known without a
 * run; NULL: of none. */
enum status guesses_create(const size_t *counts, size_t axis_count, const bool *exact,
                           size_t objective_count, struct guesses **guesses);
void guesses_free(struct guesses *guesses); /* NULL is allowed */

/* Adds a known point. One that is not `eligible` is in no front; its costs may be NaN. */
enum status guesses_learn(struct guesses *guesses, const uint32_t *digits, const double *costs,
                          bool eligible);

/* Guesses what the points cost from all that was learnt, which is at least one point. */
enum status guesses_fit(struct guesses *guesses, const struct guess_points *points);

/* The digits of point `index` of the front of what was learnt, in the order of learning. */
size_t guesses_front_count(const struct guesses *guesses);
const uint32_t *guesses_front(const struct guesses *guesses, size_t index);
/* The costs of all points of the front, in that order, into `costs`. */
void guesses_front_costs(const struct guesses *guesses, double *costs);

/* After guesses_fit, at most GUESSES_ROUND times: the point whose guess is furthest beyond the
 * front, which from now on counts as part of that; of equal ones the first from `first` on. `near`:
 * of those that differ from a point of the front in two digits at most. SIZE_MAX: there is none. */
size_t guesses_choose(struct guesses *guesses, const struct guess_points *points, bool near,
                      size_t first);
