/* What others measured on real GPUs, row by row, beside what our machines do: latencies, loads over
 * strides, bandwidths. A study is a row of ROW_STUDY_LIST and a module that knows its measured
 * values and how to get ours.
 *
 * Invariant: studies compute our numbers only, report/row_study_report compares. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/evaluate.h"

/* X(name): `warpscape silicon -t NAME`, and row_study_NAME, the study. */
#define ROW_STUDY_LIST(X)                                                                          \
    X(latencies)                                                                                   \
    X(strides)                                                                                     \
    X(bandwidths)

enum row_study_id {
#define ROW_STUDY_ENUM(name) ROW_STUDY_##name,
    ROW_STUDY_LIST(ROW_STUDY_ENUM) ROW_STUDIES
#undef ROW_STUDY_ENUM
};

struct study_row {
    const char *gpu;     /* as the source names it */
    const char *machine; /* ours */
    const char *what;    /* "L2", "double" */
    unsigned number;     /* of `what`, for the study's own use */
    const char *unit;    /* of what was measured; NULL: that of all rows */
    double at;           /* what it was measured at: the bytes of a ring, a stride; if no unit */
    double measured;
    int digits; /* behind the point of measured values and ours */
    const char *source;
    double ours; /* NaN: not run, refused, or there is no such level */
};

struct row_study {
    const struct row_study_kind *kind;
    struct study_row *rows;
    size_t count;
};

struct row_study_kind {
    const char *name, *figures; /* of its rows: "strides", "strides in cycles of a load" */
    const char *what, *at;      /* the heads of these columns; of the unit, if rows have one */
    enum unit unit;             /* of `at` */
    bool (*row)(size_t i, struct study_row *row); /* fills row i; false behind the last */
    /* Fills ours of a row; of later ones, too, if they have their answer from it. Calls of
     * different rows run side by side. */
    enum status (*run)(struct row_study *study, size_t i, const struct evaluate_options *options);
};

#define ROW_STUDY_DECLARATION(name) extern const struct row_study_kind row_study_##name;
ROW_STUDY_LIST(ROW_STUDY_DECLARATION)
#undef ROW_STUDY_DECLARATION
extern const struct row_study_kind *const row_study_kinds[ROW_STUDIES];

/* Chooses the rows whose GPU, machine, `what` and source contain every word of `only` (NULL: all).
 * STATUS_NOT_FOUND if none is left. */
enum status row_study_init(struct row_study *study, const struct row_study_kind *kind,
                           const char *only, struct diagnostics *diagnostics);
void row_study_free(struct row_study *study);

/* Of `options` uses progress and cancel. */
enum status row_study_run(struct row_study *study, int threads,
                          const struct evaluate_options *options);
