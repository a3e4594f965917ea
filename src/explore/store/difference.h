/* What differs between two stores: their studies, their machines, their points and values.
 *
 * A point of A is the point of B with the same workload and the same values of every axis of either
 * study; where only one has an axis, the other's machine must stand at that value. So a study can
 * be compared with one over another machine, with another choice of values or with fewer axes. */
#pragma once

#include "explore/store/store.h"

enum difference_kind {
    DIFFERENCE_STUDY,    /* provenance, and what the study asks for */
    DIFFERENCE_MACHINE,  /* a parameter that is no axis of either */
    DIFFERENCE_AXIS,     /* the values of an axis */
    DIFFERENCE_WORKLOAD, /* its digest; or only one has it */
    DIFFERENCE_POINT,    /* only one has it */
    DIFFERENCE_METRIC    /* the value at a point that both have */
};

#define NO_POINT UINT64_MAX

struct difference {
    enum difference_kind kind;
    const char *name;            /* key, path or workload */
    uint64_t a_point, b_point;   /* of POINT and METRIC; NO_POINT: it has none */
    const char *a, *b;           /* texts; NULL: it has none. Not for POINT and METRIC */
    double a_value, b_value;     /* of METRIC */
    const struct metric *metric; /* of METRIC */
};

struct difference_summary {
    uint64_t shared, only_a, only_b; /* points */
    uint64_t differing;              /* of those shared, points with another value */
    uint64_t rowless; /* rows of one side whose point the other, a summary, has done without a row:
                       * neither shared nor missing */
};

typedef enum status (*difference_function)(void *argument, const struct difference *difference);

/* Calls `report` for each difference, in the order of the kinds. STATUS_OK whether there are any or
 * not; any other status of `report` ends the comparison. */
enum status stores_compare(struct store *a, struct store *b, difference_function report,
                           void *argument, struct difference_summary *summary,
                           struct diagnostics *diagnostics);
