/* The charts of one machine or one sweep: their names in commands and files. */
#pragma once

/* X(CONSTANT, name) */
#define CHART_LIST(X)                                                                              \
    X(CURVE, "curve")                                                                              \
    X(FRONT, "front")                                                                              \
    X(MATRIX, "matrix")                                                                            \
    X(IMPORTANCE, "importance")                                                                    \
    X(DISTANCES, "distances")                                                                      \
    X(INSTRUCTIONS, "instructions")                                                                \
    X(TIME, "time")

enum chart_kind {
#define CHART_ENUM(constant, name) CHART_##constant,
    CHART_LIST(CHART_ENUM) CHART_COUNT
#undef CHART_ENUM
};

/* Ended by NULL. */
extern const char *const chart_names[CHART_COUNT + 1];
/* The chart with this name; CHART_COUNT: there is none. */
enum chart_kind chart_find(const char *name);
