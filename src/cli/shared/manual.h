/* What `params` and `metrics` share: a table of one row a path, or of those below one path. */
#pragma once

#include "cli/shared/options.h"

struct manual {
    const char *name;           /* "parameter" */
    const char *help;           /* argp's text */
    const char *const *headers; /* ended by NULL */
    size_t count;               /* of rows */
    const char *(*path)(size_t index);
    void (*add_row)(struct table *table, size_t index);
    const char *(*nearest)(const char *path);
    void (*details)(size_t index); /* printed below the table of a single path; may be NULL */
    void (*appendix)(void);        /* printed below the whole table in Markdown; may be NULL */
};

/* Parses the options, prints the table and returns the exit status. */
int manual_run(const struct manual *manual, int argc, char **argv);
