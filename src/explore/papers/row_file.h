/* Measured values as CSV: what others counted or timed, row by row (docs/FORMATS.md, "Measured
 * rows"). The header says what each column is:
 *
 *     machine                     a cell of text that ROW_TEXT_LIST knows
 *     at ring [B]                 what the value was measured at, shown beside it
 *     latency [cycles] = EXPR     a measured value, and the expression of ours that stands for it
 *     l2.accesses                 the same where the expression is one metric
 *
 * A row may end early; what is missing is empty. Lines that begin with '#' are remarks.
 *
 * Invariant: after a failure nothing is left to free, and up to TEXT_PROBLEMS_MAX problems of the
 * file were reported with line and column. Cost: the whole file stays in memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "explore/space/conditions.h"
#include "trace/text.h"

/* X(ID, name, help): columns of text. */
#define ROW_TEXT_LIST(X)                                                                           \
    X(ID, "row", "a name of the row; without one its line")                                        \
    X(GPU, "GPU", "as the source names it")                                                        \
    X(MACHINE, "machine", "the machine that stands for it")                                        \
    X(SETTINGS, "settings", "what differs from the machine: PATH=VALUE PATH=VALUE")                \
    X(OPTIONS, "options", "the same as options of gpgpusim.config")                                \
    X(KERNEL, "kernel", "what was measured, as the source names it")                               \
    X(WORKLOAD, "workload", "what runs for it")                                                    \
    X(BEFORE, "before", "a shorter workload, of which only what comes after it is counted")        \
    X(PER, "per", "how many of what was measured that is: counts are divided by it")               \
    X(LAUNCHES, "launches", "only the first ones of the workload")                                 \
    X(LAUNCH, "launch", "only this one of them, from 1")                                           \
    X(WARM, "warm", "yes: what the L2 holds is left by the same launches before")                  \
    X(AGAINST, "against",                                                                          \
      "other settings: values are changes in % against the machine with these")                    \
    X(TOLERANCE, "tolerance", "how far ours may be off, in % or points, and still agree")          \
    X(PROBLEM, "problem", "rows of one problem are variants whose times are compared")             \
    X(SOURCE, "source", "where the numbers are from")

enum row_text {
#define ROW_TEXT_ENUM(id, ...) ROW_##id,
    ROW_TEXT_LIST(ROW_TEXT_ENUM) ROW_TEXTS
#undef ROW_TEXT_ENUM
};
extern const char *const row_text_names[ROW_TEXTS];

/* X(ID, name, unit): values that are no expression over one run, but what a probe finds
 * (explore/papers/rates.h). */
#define ROW_PROBE_LIST(X)                                                                          \
    X(L1, "probe l1", "bytes per cycle of one SM")                                                 \
    X(L2, "probe l2", "GB/s of all SMs")                                                           \
    X(MEMORY, "probe memory", "GB/s of all SMs")

enum row_probe {
    ROW_PROBE_NONE,
#define ROW_PROBE_ENUM(id, ...) ROW_PROBE_##id,
    ROW_PROBE_LIST(ROW_PROBE_ENUM) ROW_PROBES
#undef ROW_PROBE_ENUM
};

enum row_kind { ROW_IS_TEXT, ROW_IS_AT, ROW_IS_VALUE, ROW_IS_OTHER };

struct row_column {
    enum row_kind kind;
    enum row_text text;            /* ROW_IS_TEXT */
    char *name, *unit;             /* "ring", "B"; "": none */
    struct expression *expression; /* ROW_IS_VALUE; one thread at a time. NULL: */
    enum row_probe probe;
    size_t base;  /* the column that a difference is a share of; its own */
    bool points;  /* measured in %: a difference is one of points */
    bool is_time; /* the expression reads core.cycles */
    int digits;   /* after the point, for people */
};

struct row {
    char *line;      /* the cells point into it */
    char **cells;    /* by column; "": empty */
    unsigned number; /* of its line */
};

struct row_file {
    char *name;   /* of the first file */
    char *header; /* its header as it stands there */
    struct row_column *columns;
    size_t width, at[ROW_TEXTS]; /* where a text stands; `width`: in no column */
    struct row *items;
    size_t count, capacity;
};

/* Names that another program gives its columns: theirs, our header (NULL: only its numbers are of
 * use), and the column (in their words) that differences are shares of, or NULL. All must be there,
 * other columns are ignored. */
struct row_dialect {
    const char *what; /* "the runs of Accel-Sim" */
    const struct row_name {
        const char *theirs, *ours, *base;
    } * names; /* ended by one of NULL */
};

/* Adds the rows of a file to *rows, which is zero at first or holds another file of the same
 * header. `dialect` may be NULL. STATUS_MEMORY, STATUS_INVALID, or as text_open. Frees *rows on
 * failure. */
enum status row_file_read(const char *path, const struct row_dialect *dialect,
                          struct row_file *rows, struct diagnostics *diagnostics);
/* Those of configs/experiments/NAME.csv. */
enum status row_file_load(const char *name, struct row_file *rows, struct diagnostics *diagnostics);
void row_file_free(struct row_file *rows);

/* Whether a file begins with a header of such rows, so far as two of its columns are known. */
bool row_file_is(const char *path);

/* "" if the row has none. */
const char *row_cell(const struct row_file *rows, size_t row, enum row_text text);
/* A number in such a cell; `otherwise` if it is empty. */
double row_number(const struct row_file *rows, size_t row, enum row_text text, double otherwise);
/* A cell of any column, as a number; NaN if it is empty. */
double row_measured(const struct row_file *rows, size_t row, size_t column);
/* The column of a name; rows->width if there is none. */
size_t row_column_find(const struct row_file *rows, const char *name);

/* Whether each of the words in `only` (with blanks between) stands in a cell of the row that is no
 * value, whatever the case; true if there are none or `only` is NULL. */
bool row_is_chosen(const struct row_file *rows, size_t row, const char *only);
