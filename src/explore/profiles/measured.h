/* What a profile (trace/profile.h) measured of the chosen launches, in the rows of the counter
 * table (schema/counters.h).
 *
 * Invariant: nothing is dropped. A counter that no row names, or that not every chosen launch has,
 * is among `others`, with the reason. Counts of several launches add up (nvprof's, whose values are
 * means, by their invocations), as often as their pairing with the workload says; everything else
 * is averaged, weighted by cycles where the profile has them. */
#pragma once

#include "explore/profiles/pairing.h"
#include "schema/metrics.h"

struct measured_choice {
    const char *kernel; /* a part of the kernel's name; NULL: of any */
    uint64_t launch;    /* only this one of them, from 1; 0: all */
    enum pairing_way pairing;
    unsigned capability; /* of the GPU (61 is 6.1), if the profile has none; 0: not known */
    const struct trace_launch *launches; /* of the workload; NULL: not known */
    uint32_t launch_count;
};

enum { MEASURED_KERNELS = 8 };

struct measured_row {
    const struct counter_row *counter;
    double value;
    const char *near; /* why the GPU's definition is another one than ours; NULL: it is the same */
};

struct measured_other {
    const struct profile_counter *counter; /* of the profile */
    double value;                          /* mean over the launches that have it */
    const char *why;                       /* static text */
};

struct measured {
    struct measured_row *rows; /* in the order of the counter table */
    size_t count;
    struct measured_other *others; /* in the order of the profile */
    size_t other_count;
    unsigned capability; /* of the GPU; 0: not known */
    double clock;        /* of the SMs in Hz, as stated or as cycles and time say; NaN: not known */
    struct pairing pairing;
    const char *kernels[MEASURED_KERNELS]; /* names of those taken, the first of them */
    size_t kernel_count;                   /* at most MEASURED_KERNELS */
};

/* The profile must outlive the result. STATUS_NOT_FOUND, with the kernels that there are, if no
 * launch is chosen, or as pairing_make. */
enum status measured_take(const struct profile *profile, const struct measured_choice *choice,
                          struct measured *measured, struct diagnostics *diagnostics);
void measured_free(struct measured *measured);

/* Sets each metric that a counter measures as it is, or as what is left of 1 (a hit rate measures a
 * miss rate), the others to NaN. Returns how many are set. */
size_t measured_metrics(const struct measured *measured, struct metrics *metrics);

/* How far a value lies from a measured one of that unit, in [0, 1]: the difference of ratios, |a -
 * b| / max(a, b) of everything else; NaN if one of them is. */
double measured_distance(enum unit unit, double measured, double ours);
