/* Measured rows (explore/papers/row_file.h) again on our models: each on its machine with its
 * settings, at every depth that has an answer. Rows that follow one another and differ in nothing
 * that runs share one run.
 *
 * Invariant: this module computes our numbers only, report/ compares; nothing is fitted to a row.
 * Addresses are not translated unless the settings say so, because how real GPUs do it is not known
 * well enough. Cost: that of the simulations; a depth that would take longer than the effort allows
 * is left out. */
#pragma once

#include "explore/papers/row_file.h"
#include "model/evaluate.h"

struct row_run {
    size_t first, count; /* its rows */
    bool left_out[DEPTH_COUNT];
    struct metrics whole[DEPTH_COUNT]; /* of all launches; NaN: not run or refused */
    uint64_t sms;                      /* of its machine; 0: none was made */
    char *why;                         /* the first refusal of a model, or NULL */
};

struct row_study {
    struct row_file rows;
    struct row_run *runs;
    size_t run_count;
    double *ours; /* by row, column and depth */
};

/* Who makes machines and traces of rows in the words of another program. Either function may be
 * called from any thread. */
struct row_maker {
    enum status (*machine)(void *context, const struct row_file *rows, size_t row,
                           struct machine *machine, struct diagnostics *diagnostics);
    enum status (*source)(void *context, const struct row_file *rows, size_t row,
                          struct trace_source **source, struct diagnostics *diagnostics);
    void *context;
};

/* Takes `rows`, drops those without the words of `only` (row_is_chosen) and divides the others into
 * runs. Frees it all on failure: STATUS_NOT_FOUND if none is left, STATUS_MEMORY. */
enum status row_study_init(struct row_study *study, struct row_file *rows, const char *only,
                           struct diagnostics *diagnostics);
void row_study_free(struct row_study *study);

/* The machine and the settings of every row are legal. Reports the place of all that are not. */
enum status row_study_check(const struct row_study *study, struct diagnostics *diagnostics);

struct row_effort {
    unsigned depths; /* a mask of 1 << enum depth */
    double effort;   /* how much more than some half a minute on one core a run may take */
    int threads;     /* 0: all; numbers do not depend on it */
};

/* Fills in our side. `maker` may be NULL. Of `options` (may be NULL) uses progress and cancel. A
 * row that our models refuse is a result with a reason. */
enum status row_study_run(struct row_study *study, const struct row_effort *effort,
                          const struct row_maker *maker, const struct evaluate_options *options);

/* What the depth has in place of a value; NaN: no answer, left out, or refused. */
double row_ours(const struct row_study *study, size_t row, size_t column, enum depth depth);
/* The run of a row. */
const struct row_run *row_run_of(const struct row_study *study, size_t row);
