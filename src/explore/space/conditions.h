/* Conditions of studies and queries: SQL expressions over the paths of parameters and metrics.
 *
 * A tokenizer of our own knows every word that may appear in an expression: paths of the two
 * tables, literals with units ("32KiB", "40%", 'lru'), operators and a few pure functions. It
 * rewrites the text into SQL, which SQLite evaluates under an authorizer that allows reads and
 * calls of these functions and nothing else.
 *
 * Invariant: an expression cannot name a table, a pragma or a file, and every evaluation takes a
 * bounded number of steps (docs/FORMATS.md, "Conditions"). */
#pragma once

#include "base/diag.h"
#include "schema/study.h"

enum expression_scope {
    SCOPE_MACHINE, /* parameters, and metrics that need no stream: the `where` of a study */
    SCOPE_POINT,   /* also metrics, `workload` and `id` (the point index) */
    SCOPE_ROWS     /* the caller's own names alone, and aggregates (expression_aggregates) */
};

enum name_kind { NAME_PARAMETER, NAME_METRIC, NAME_WORKLOAD, NAME_POINT, NAME_OWN };

struct expression_name {
    enum name_kind kind;
    const struct parameter *parameter; /* NAME_PARAMETER */
    const struct metric *metric;       /* NAME_METRIC */
    size_t own;                        /* NAME_OWN: its number */
    bool bare;                         /* stands (also) outside of aggregates */
};

/* Names beyond the two tables, which the caller gives meaning and values. Where there are some, a
 * name may contain '@'. */
struct expression_own {
    /* Whether it knows a word, and its number. */
    bool (*find)(void *argument, const char *word, size_t *number);
    /* The nearest one to a word that it does not know; NULL: none is near. */
    const char *(*nearest)(void *argument, const char *word);
    void *argument;
};
struct expression_cell { /* the value of an own name */
    double number;       /* NaN: missing */
    const char *text;    /* if it is one; else NULL */
};

struct expression;

/* Reads and checks `text`. `place` says where the text comes from. If place->source is set (the
 * text as the user typed it), messages point into it; otherwise they quote it. */
enum status expression_create(const char *text, const struct place *place,
                              enum expression_scope scope, struct expression **expression,
                              struct diagnostics *diagnostics);
/* The same with names of the caller's own. */
enum status expression_create_own(const char *text, const struct place *place,
                                  enum expression_scope scope, const struct expression_own *own,
                                  struct expression **expression, struct diagnostics *diagnostics);
void expression_free(struct expression *expression); /* NULL is allowed */

/* The names that the expression reads, without repetitions. */
size_t expression_names(const struct expression *expression, const struct expression_name **names);

/* Whether it names a metric. In SCOPE_MACHINE that is one of STAGE_AREA. */
bool expression_reads_metrics(const struct expression *expression);

/* The values of the names for one evaluation. `machine` is always needed, `metrics` if the
 * expression reads some, the others only if the scope is SCOPE_POINT. */
struct expression_values {
    const struct machine *machine;
    const struct metrics *metrics;
    const char *workload;
    uint64_t point;
    const struct expression_cell *own; /* by number */
};

/* Whether the expression holds, that is, is neither 0 nor NULL (a NaN metric is NULL). An
 * expression belongs to one thread at a time. Returns STATUS_INVALID if SQLite stops the evaluation
 * (integer overflow). */
enum status expression_test(struct expression *expression, const struct expression_values *values,
                            bool *holds, struct diagnostics *diagnostics);

/* What an expression is: a number, or a text. */
enum { EXPRESSION_TEXT = 256 };
struct expression_answer {
    double number; /* NaN: missing, or a text */
    char text[EXPRESSION_TEXT];
    bool is_text;
};

/* Fails like expression_test. */
enum status expression_evaluate(struct expression *expression,
                                const struct expression_values *values,
                                struct expression_answer *answer, struct diagnostics *diagnostics);

/* The number alone; NaN if it is NULL. */
enum status expression_value(struct expression *expression, const struct expression_values *values,
                             double *value, struct diagnostics *diagnostics);

/* What an expression in SCOPE_ROWS is of `count` rows taken together; missing without rows. rows[i]
 * holds the own names of row i. A name outside of aggregates must be the same in all rows that have
 * it: STATUS_INVALID. */
enum status expression_over(struct expression *expression,
                            const struct expression_cell *const *rows, size_t count,
                            struct expression_answer *answer, struct diagnostics *diagnostics);

/* The expression as SQL in which `spell` writes every name. The caller frees it. NULL if out of
 * memory. */
typedef void (*spell_function)(void *argument, const struct expression_name *name, FILE *out);
char *expression_sql(const struct expression *expression, spell_function spell, void *argument);

/* The text of a condition for people: a plain number that is compared with a name gets the unit of
 * the name ("l1d.area < 2mm2"). Returns `out`. */
const char *condition_print(const char *text, char *out, size_t size);

/* Checks every condition of a study and reports all errors. A filter over a metric that the study
 * does not store is an error too, because it would never hold. */
enum status study_conditions_check(const struct study *study, struct diagnostics *diagnostics);

/* What `path` means in an expression; STATUS_NOT_FOUND reports the nearest name. */
enum status expression_name_find(const char *path, enum expression_scope scope,
                                 struct expression_name *name, struct diagnostics *diagnostics);

/* Sets limits and the authorizer on a database that will run SQL containing an expression. It may
 * also call the functions in `extra`, a list ended by NULL that must stay valid. */
struct sqlite3;
void expression_guard(struct sqlite3 *database, const char *const *extra);
void expression_unguard(struct sqlite3 *database);
