/* Which axes matter to a metric, from the rows of a store: shares of its variance, and what the
 * values of each axis do.
 *
 * The shares of a metric are Shapley effects (explore/results/shapley.h) over the points that have
 * rows: never negative, together 1. What an axis explains by itself, and pairs of axes beyond
 * theirs, is the functional ANOVA of the metric (Hooker, "Discovering Additive Structure in Black
 * Box Functions", KDD 2004, section 2); pairs have a meaning only where the table is complete.
 *
 * Where points were not run, the others are taken for a sample by chance: shares are estimates for
 * all points, and an axis that the sample does not tell from one without effect
 * (explore/results/told_axes.h) has none. A metric of the machine alone, as an area, needs no run:
 * its rows are all legal points then (explore/store/machine_values.h).
 *
 * What a value of an axis does is told only where nothing else does it: where all other axes are
 * balanced under the axis, over all rows; else over the rows whose other values occur with every
 * value of the axis; and if there are none, not at all, but which axis it is confounded with.
 *
 * Cost: one pass over the rows, which are kept (16 bytes each); one cell per combination of values
 * of each pair of axes, up to IMPORTANCE_CELLS; and that of the effects. */
#pragma once

#include <math.h>

#include "explore/store/store.h"

struct importance_value {
    uint64_t rows; /* with this value */
    double mean;   /* of the metric; NaN if there are no such rows, or the axis is confounded */
};

enum importance_basis {
    BASIS_ALL,       /* means over all rows: the other axes are balanced */
    BASIS_MATCHED,   /* over rows that differ in this axis alone */
    BASIS_CONFOUNDED /* no means */
};

struct importance_axis {
    const struct axis *axis; /* NULL for the workload */
    size_t count;
    struct importance_value *values;
    bool untold;   /* the rows do not tell it from an axis without effect: share is 0 then */
    double share;  /* of the variance; NaN if that is 0 or unknown, or of a summary */
    double margin; /* half width of its 95 % interval; 0 if exact */
    double alone;  /* share that the axis explains by itself; NaN if the variance is 0 */
    enum importance_basis basis;
    uint64_t compared; /* rows that the means are over */
    size_t other;      /* the axis that hangs together most with this one; itself if none does */
};

/* The share, or of a summary what the axis explains by itself. */
static inline double importance_share(const struct importance_axis *axis)
{
    return isnan(axis->share) ? axis->alone : axis->share;
}

/* Whether a sample says nothing of the share: it does not tell the axis from one without effect, or
 * has too few rows to measure one that it has. */
static inline bool importance_unknown(const struct importance_axis *axis)
{
    return axis->untold || axis->margin >= 1;
}

/* Why the means of an axis do not say what it does, in words; NULL if they do: the rows do not tell
 * it from one without effect, or from another axis, or tell that it has one that is less than what
 * chance does to means over all rows. */
struct importance;
enum { IMPORTANCE_TEXT = 160 };
const char *importance_reason(const struct importance *importance,
                              const struct importance_axis *axis, char text[IMPORTANCE_TEXT]);

/* "12.3%", with a margin "12.3% +- 0.4%": no digit is finer than the margin, and none is behind the
 * point where the axis is confounded, since some of its share may be due to the other one. */
const char *importance_share_print(const struct importance_axis *axis, double share, double margin,
                                   char text[IMPORTANCE_TEXT]);

struct importance_pair {
    size_t first, second; /* indices into axes */
    double share; /* beyond the shares of both axes alone; NaN if there are too many cells */
};

/* What the shares leave of 1 is shown from here on: less would be printed as 0.0 %. */
#define UNASSIGNED_SHOWN 0.0005

struct importance {
    uint64_t rows;         /* that have a value of the metric */
    uint64_t combinations; /* of the values that occur in them */
    uint64_t without;      /* rows that have no value of the metric */
    bool complete;         /* rows = combinations */
    bool exact;            /* the shares are */
    bool sampled;          /* not complete, and legal points were not run as far as is known */
    bool unrun;            /* the rows are all legal points, run or not */
    double unassigned;     /* what the shares leave of 1: 0 but for rounding if not sampled */
    double mean, variance;
    struct importance_axis *axes; /* the workload comes first if the study has several */
    size_t axis_count;
    struct importance_pair *pairs; /* none if the table is not complete */
    size_t pair_count;
    double rest; /* share of interactions of three and more axes; NaN if any pair's is, or there are
                  * no pairs */
};

/* The most cells that all pairs together may have; pairs beyond that are not counted. */
#define IMPORTANCE_CELLS ((uint64_t)1 << 24)

/* Considers the rows for which the condition `where` (may be NULL) holds. For a summary, uses the
 * marginals over all its points: then only `alone` is known of the shares, and a `where` is
 * STATUS_UNSUPPORTED. Returns STATUS_NOT_FOUND if the store has no column of the metric, and it is
 * not known of all points. */
enum status importance_compute(struct store *store, const struct metric *metric, const char *where,
                               struct importance *importance, struct diagnostics *diagnostics);
/* Does the same for each workload alone and averages the results, so that differences between
 * workloads do not drown those between machines. Shares are averaged over the workloads in which
 * the metric varies; values are relative to their workload's mean, so `mean` is 1. There is no axis
 * of workloads, and `variance` is the mean of the relative variances. `complete` means complete for
 * each workload; the basis of an axis is the weakest that it has in any. */
enum status importance_within(struct store *store, const struct metric *metric, const char *where,
                              struct importance *importance, struct diagnostics *diagnostics);
void importance_free(struct importance *importance);
