/* The ladder: which limits hold a machine back, and how far it is to the machine that has none.
 *
 * A limit is an idealisation (schema/ideals.h). First each is taken out alone, then they are taken
 * out one after the other, always the one that gains most beside those before, level by level, so
 * that what is offered does not decide what is chosen. Invariant: the last rung ends at the bound,
 * the machine without any limit, so that rungs add up to the whole distance. Gains may be negative:
 * more in flight can queue up elsewhere.
 *
 * The search is lazy (Minoux, "Accelerated greedy algorithms for maximizing submodular set
 * functions", 1978): a rung tries again only those whose last gain could still win. Gains are not
 * submodular here: what gained nothing
 * beside one limit may gain beside another. So a level ends only once all that is left of it was
 * tried beside what was taken out, and none of that gains more than the noise; that much is proved,
 * and that a rung is the best of its level is not. Cost: a run for each limit, twice where blocks
 * can be held in their places, and some four for each rung. */
#pragma once

#include "explore/explain/question.h"
#include "explore/explain/trials.h"

/* The least gain of a rung, as a share of the metric. */
#define LADDER_LEAST 0.001
enum { LADDER_PAIRED = 4, LADDER_PAIRS = LADDER_PAIRED * (LADDER_PAIRED - 1) / 2 };

struct ladder_limit { /* taken out alone */
    enum ideal ideal;
    double share;               /* of the cycle stack, of the part that it relieves; NaN: none */
    double value, cycles, gain; /* NaN: not run */
    double held; /* gain with each block on the SM where the machine's own run has it; NaN: not run,
                  * no blocks, or others */
};

struct ladder_rung {
    struct ideal_set added; /* one, or the last rung all that is left */
    double value, cycles,
        gain; /* the gain beyond the rung before; value and cycles of all so far */
};

struct ladder_pair {
    enum ideal ideals[2];
    double value, cycles, gain;
};

struct ladder {
    struct ladder_limit limits[IDEAL_COUNT]; /* in the order of what they gain alone */
    size_t limit_count;
    struct ladder_rung rungs[IDEAL_COUNT + 1];
    size_t rung_count;
    struct ladder_pair pairs[LADDER_PAIRS]; /* of those that gain most alone */
    size_t pair_count;
    double bound, bound_cycles; /* with no limit at all; NaN: not run */
    bool complete;
};

/* Climbs with the limits that can move the metric, given the floor of the noise
 * (explore/explain/noise.h). On STATUS_CANCELLED `ladder` holds what was found until then. A depth
 * without ideals has no limits. */
enum status ladder_climb(struct trials *trials, const struct question *question, double floor,
                         struct ladder *ladder, struct diagnostics *diagnostics);

/* About how many experiments that takes. */
size_t ladder_cost(const struct question *question);

/* What taking out a limit alone gains; NaN: not run. */
double ladder_gain_alone(const struct ladder *ladder, enum ideal ideal);

/* The limit that a rung takes out; NULL if they are several. */
const struct ladder_limit *ladder_limit_of(const struct ladder *ladder,
                                           const struct ladder_rung *rung);
