/* Inside of explore/space/conditions.h: the tokenizer and what it leaves behind. */
#pragma once

#include "explore/space/conditions.h"

/* In `code` a name stands as EXPRESSION_NAME, its index in decimal, EXPRESSION_NAME. No other
 * control character gets in. */
enum { EXPRESSION_NAME = '\x01' };

struct sqlite3_stmt;

struct expression {
    struct place place;
    char *file; /* of place */
    char *text; /* as written */
    char *code; /* SQL with marked names */
    struct expression_name *names;
    size_t name_count, name_capacity;
    struct sqlite3 *database;
    struct sqlite3_stmt *statement;
    unsigned long long steps; /* of the current evaluation */
};

/* Functions that an expression may call, ended by NULL. All are pure. */
extern const char *const expression_functions[];

/* Fills text, code and names; reports every wrong token. */
enum status expression_scan(struct expression *expression, const char *text,
                            enum expression_scope scope, struct diagnostics *diagnostics);

/* Adds an error about `span` characters at byte `offset` of the text (span 0: about all of it). */
void expression_report(const struct expression *expression, size_t offset, size_t span,
                       struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
