/* Levers: what an architect can change about a machine, each tried by an exact run.
 *
 * Every lever (schema/parameters.h, ROLE_LEVER) that can move the metric is tried alone, at the
 * steps of explore/explain/lever_steps.h: a number goes on to half and double again for as long as
 * that gains at least LEVER_MORE of the metric. Then the best LEVER_BEST, one setting for each
 * parameter, are begun later to learn their own noise, and tried in pairs. Invariant: settings are
 * those of --set, and give the same value there to the digit. Cost: an experiment for each setting,
 * NOISE_STARTS for each of the best, and 45 for the pairs. */
#pragma once

#include <math.h>

#include "explore/explain/lever_steps.h"
#include "explore/explain/noise.h"
#include "explore/explain/trials.h"

#define LEVER_MORE 0.01 /* of the metric; what a step must gain for the next one to be tried */
enum { LEVER_BEST = 10, LEVERS_INCOMPARABLE = 16 };

struct lever {
    struct lever_change change;
    double value, cycles, gain; /* of the metric; core.cycles; of the metric */
    double noise; /* how far the gain is from certain (explore/explain/noise.h): its own for the
                   * best LEVER_BEST, else that of the machine */
    /* What it adds to the machine; negative: it saves. NaN: the area model does not count what this
     * lever changes, so that nobody takes it for free. */
    double area, bits, energy; /* mm2, bits, J of the run */
    bool beaten;               /* another setting of the same parameter gains as much for no more
                                * area */
};

/* What a lever costs. */
enum lever_cost {
    LEVER_FREE,     /* no area */
    LEVER_COSTLY,   /* area */
    LEVER_UNCOUNTED /* the area model does not count what it changes */
};
static inline enum lever_cost lever_cost(const struct lever *lever)
{
    return isnan(lever->area) ? LEVER_UNCOUNTED : lever->area > 0 ? LEVER_COSTLY : LEVER_FREE;
}

/* A lever that makes the metric count something else (lever_compares). */
struct lever_incomparable {
    struct lever_setting setting;
    bool choice; /* only this choice of the parameter does */
};
/* "l1d.line", "l2.write=read_only". Returns `text`. */
const char *lever_incomparable_print(const struct lever_incomparable *lever, char text[LEVER_TEXT]);
/* What else is counted then. */
const char *lever_incomparable_why(const struct lever_incomparable *lever);

struct levers {
    struct lever *singles, *pairs; /* best gain first; while they come, in any order */
    size_t single_count, pair_count;
    size_t parameters; /* tried */
    struct lever_incomparable incomparable[LEVERS_INCOMPARABLE];
    size_t incomparable_count;
    size_t refused;        /* settings that the workload does not fit */
    bool singles_complete; /* false: the limit of time came first */
    bool pairs_complete;
};

/* Tries all levers. `noise` is that of the machine. On STATUS_CANCELLED `levers` holds what was
 * found until then. The caller frees it in any case. */
enum status levers_find(struct trials *trials, const struct question *question,
                        const struct noise *noise, struct levers *levers,
                        struct diagnostics *diagnostics);
/* Puts levers in order, the best gain first, and marks those that are beaten. */
void levers_sort(struct levers *levers);
/* About how many experiments that takes. */
size_t levers_cost(const struct question *question);
void levers_free(struct levers *levers);
