/* Which launches of a profile stand for which launches of a workload.
 *
 * A profile seldom holds just the launches of a workload: it has warm-ups, repetitions, and kernels
 * that fill or copy memory. A pairing says how often the counts of each of its launches go into the
 * sum that is compared with the whole workload. Launches are the same if kernel and size (grid and
 * block, where the profile has them) are; if no kernel has the name of one of the workload, if the
 * size is; and in a profile without sizes, if both have only one kernel. Launches that are the same
 * are averaged: the profile's n of them stand for the workload's m.
 *
 * Invariant: nothing is guessed in silence; what was done is in the result. Cost: linear in the
 * launches of both. */
#pragma once

#include "trace/kernel_name.h"
#include "trace/profile.h"
#include "trace/stream.h"

/* X(CONSTANT, "name", "help") */
#define PAIRING_LIST(X)                                                                            \
    X(PAIRING_BEST, "best", "match if every launch of the workload has a counterpart, else all")   \
    X(PAIRING_MATCH, "match",                                                                      \
      "launches of the workload's kernels and sizes, repetitions averaged")                        \
    X(PAIRING_MEAN, "mean", "all launches, averaged to as many as the workload has")               \
    X(PAIRING_ALL, "all", "all launches, added up")

enum pairing_way {
#define PAIRING_ENUM(constant, name, help) constant,
    PAIRING_LIST(PAIRING_ENUM) PAIRING_WAYS
#undef PAIRING_ENUM
};
extern const char *const pairing_names[]; /* by enum pairing_way, ended by NULL */
#define PAIRING_SENTENCE(constant, name, help) name ": " help "; "
#define PAIRING_HELP                                                                               \
    "which launches of the profile stand for the workload's: " PAIRING_LIST(                       \
        PAIRING_SENTENCE) "default: "                                                              \
                          "best"

struct pairing {
    enum pairing_way way; /* what was done; never PAIRING_BEST */
    /* PAIRING_MATCH: what is the same; neither: both have only one kernel. */
    bool by_name, by_size;
    uint64_t taken, left; /* launches of the profile, each invocation counted */
    uint64_t workload;    /* launches that they are compared with; 0: not known */
};

/* times[i] comes in as 1 where launch i of the profile is chosen and 0 elsewhere, and goes out as
 * what its counts are multiplied with. `launches` (may be NULL) are the workload's.
 * STATUS_NOT_FOUND if `way` is PAIRING_MATCH and a launch of the workload has no counterpart, which
 * is named; with PAIRING_BEST that is a warning where the profile has sizes. STATUS_MEMORY. */
enum status pairing_make(const struct profile *profile, const struct trace_launch *launches,
                         uint32_t launch_count, enum pairing_way way, double *times,
                         struct pairing *pairing, struct diagnostics *diagnostics);
