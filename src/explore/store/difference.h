/* Compares two stores: their studies, machines, points and values.
 *
 * A point of A corresponds to the point of B with the same workload and the same values of every
 * axis of either study. If only one study has an axis, the other's machine must have that value. So
 * a study can be compared with one over another machine, with other values, or with fewer axes.
 *
 * Both stores are only read. */
#pragma once

#include "explore/store/store.h"

enum difference_kind {
    DIFFERENCE_STUDY,    /* provenance, or what the study asks for */
    DIFFERENCE_MACHINE,  /* a parameter that is an axis of neither study */
    DIFFERENCE_AXIS,     /* the values of an axis */
    DIFFERENCE_WORKLOAD, /* only one store has it, or the digests differ */
    DIFFERENCE_POINT,    /* only one store has it */
    DIFFERENCE_METRIC    /* the value at a point that both have */
};

#define NO_POINT UINT64_MAX

struct difference {
    enum difference_kind kind;
    const char *name;            /* key, path or workload */
    uint64_t a_point, b_point;   /* for POINT and METRIC; NO_POINT if that store lacks it */
    const char *a, *b;           /* texts, NULL if missing; unused for POINT and METRIC */
    double a_value, b_value;     /* for METRIC */
    const struct metric *metric; /* for METRIC */
};

struct difference_summary {
    uint64_t shared, only_a, only_b; /* points */
    uint64_t differing;              /* shared points with another value */
    uint64_t rowless; /* rows of one side whose point the other side, a summary, has done but keeps
                       * no row of: neither shared nor missing */
};

typedef enum status (*difference_function)(void *argument, const struct difference *difference);

/* Calls `report` for each difference, in the order of the kinds. Returns STATUS_OK whether there
 * are differences or not. Any other status from `report` ends the comparison and is returned. */
enum status stores_compare(struct store *a, struct store *b, difference_function report,
                           void *argument, struct difference_summary *summary,
                           struct diagnostics *diagnostics);
