/* Conditions of studies and queries: SQL expressions over parameter and metric paths.
 *
 * A tokenizer of our own knows every word that may stand in an expression: paths of the two tables,
 * literals with units ("32KiB", "40%", 'lru'), operators and a few pure functions. It rewrites the
 * text into SQL; SQLite evaluates it behind an authorizer that lets it read and call these
 * functions and nothing else. So there is no way to name a table, a pragma or a file, and every
 * evaluation takes a bounded number of steps (docs/FORMATS.md, "Conditions"). */
#pragma once

#include "base/diag.h"
#include "schema/study.h"

enum expression_scope {
    SCOPE_MACHINE, /* parameters only: `where` of a study */
    SCOPE_POINT    /* also metrics, `workload` and `id` (the point index) */
};

enum name_kind { NAME_PARAMETER, NAME_METRIC, NAME_WORKLOAD, NAME_POINT };

struct expression_name {
    enum name_kind kind;
    const struct parameter *parameter; /* NAME_PARAMETER */
    const struct metric *metric;       /* NAME_METRIC */
};

struct expression;

/* Reads and checks `text`. `place` says where it stands: with place->source set (the text itself,
 * typed by the user) messages point into it, otherwise they quote it. */
enum status expression_create(const char *text, const struct place *place,
                              enum expression_scope scope, struct expression **expression,
                              struct diagnostics *diagnostics);
void expression_free(struct expression *expression); /* NULL is allowed */

/* The names that the expression reads, each once. */
size_t expression_names(const struct expression *expression, const struct expression_name **names);

/* What the names stand for in one evaluation. `machine` is always needed, the others where the
 * scope was SCOPE_POINT. */
struct expression_values {
    const struct machine *machine;
    const struct metrics *metrics;
    const char *workload;
    uint64_t point;
};

/* Whether the expression holds: neither 0 nor NULL (a metric that is NaN is NULL). An expression
 * belongs to one thread at a time. STATUS_INVALID where SQLite stops (integer overflow). */
enum status expression_test(struct expression *expression, const struct expression_values *values,
                            bool *holds, struct diagnostics *diagnostics);

/* The expression as SQL text with every name spelled by `spell`, malloc'ed; NULL: no memory. */
typedef void (*spell_function)(void *argument, const struct expression_name *name, FILE *out);
char *expression_sql(const struct expression *expression, spell_function spell, void *argument);

/* Checks every condition of a study and reports all that is wrong with them: also a filter over a
 * metric that the study does not store, for it would never hold. */
enum status study_conditions_check(const struct study *study, struct diagnostics *diagnostics);

/* What `path` means in an expression; STATUS_NOT_FOUND with the nearest name. */
enum status expression_name_find(const char *path, enum expression_scope scope,
                                 struct expression_name *name, struct diagnostics *diagnostics);

/* Limits and the authorizer for SQL that contains an expression. Functions in `extra` (ended by
 * NULL, kept by reference) are allowed beside the expression's own. */
struct sqlite3;
void expression_guard(struct sqlite3 *database, const char *const *extra);
void expression_unguard(struct sqlite3 *database);
