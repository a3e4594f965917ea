/* Internal to explore/space/conditions.h: a tokenized expression. */
#pragma once

#include "explore/space/conditions.h"

/* In `code`, a name is written as EXPRESSION_NAME, its index in decimal, EXPRESSION_NAME. The
 * tokenizer lets no other control character through. */
enum { EXPRESSION_NAME = '\x01' };

struct sqlite3_stmt;

struct expression {
    struct place place;
    char *file; /* of place */
    char *text; /* as written */
    char *code; /* SQL with marked names */
    enum expression_scope scope;
    struct expression_name *names;
    size_t name_count, name_capacity;
    struct sqlite3 *database;
    struct sqlite3_stmt *statement; /* a row if it holds */
    struct sqlite3_stmt *value;     /* its value; NULL until it is asked for */
    unsigned long long steps;       /* taken by the current evaluation */
};

/* The functions that an expression may call, ended by NULL. All are pure. */
extern const char *const expression_functions[];
extern const char *const expression_aggregates[]; /* of SCOPE_ROWS alone, ended by NULL */

/* Fills in text, code and names, and reports every wrong token. */
enum status expression_scan(struct expression *expression, const char *text,
                            const struct expression_own *own, struct diagnostics *diagnostics);

/* Adds the error that explains why SQLite rejects the expression; `otherwise` is SQLite's message,
 * used if no better explanation is found. */
void expression_explain(const struct expression *expression, const char *otherwise,
                        struct diagnostics *diagnostics);

/* Adds an error about `span` characters at byte `offset` of the text; span 0 means all of it. */
void expression_report(const struct expression *expression, size_t offset, size_t span,
                       struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
