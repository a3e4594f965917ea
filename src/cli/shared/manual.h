/* The commands `params` and `metrics` in common: a table with one row for each path, or only the
 * rows below one path. Each command supplies its rows as functions over an index. */
#pragma once

#include "cli/shared/options.h"

struct manual {
    const char *name;           /* "parameter" */
    const char *help;           /* of the command */
    const char *completes;      /* METRIC or PARAMETER (cli/shared/complete.c) */
    const char *const *headers; /* of the table, ended by NULL */
    size_t count;               /* number of rows */
    const char *(*path)(size_t index);
    void (*add_row)(struct table *table, size_t index);
    const char *(*kind)(size_t index); /* a word that asks for all rows of a kind; may be NULL */
    /* what follows a message about an unknown path */
    const char *(*suggestion)(const char *path, char text[SUGGESTION_TEXT]);
    void (*details)(size_t index); /* printed after a table with a single row; may be NULL */
    void (*appendix)(void);        /* printed after the whole table in Markdown; may be NULL */
};

/* Parses the options, prints the table, returns the exit status. */
int manual_run(const struct manual *manual, int argc, char **argv);
