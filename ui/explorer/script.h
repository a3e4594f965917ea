/* Scripts: commands from a file, one on a line; '#' starts a comment. A script drives the explorer
 * in tests and for screenshots. `wait` makes it deterministic: it waits for exact values or for the
 * end of a sweep, without blocking the loop. The first command that is refused ends the script. */
#pragma once

#include "ui/panes/state.h"

struct script {
    char *text, *next; /* NULL: no script, or at its end */
    const char *name;
    unsigned line;
    enum { WAIT_NOTHING, WAIT_EXACT, WAIT_SWEEP } waiting;
    bool failed;
};

enum status script_load(struct explorer *explorer, const char *path,
                        struct diagnostics *diagnostics);
void script_free(struct script *script);
/* Runs no further command of it. What a command began may fail after the last one: without a
 * terminal that is the script's failure too. */
void script_fail(struct explorer *explorer);
/* No command is left, and the workload and the file that one began are open and written, or failed.
 */
bool script_over(const struct explorer *explorer);
/* Runs commands until one waits, one fails or none is left. */
void script_run(struct explorer *explorer);
/* All values that are on the screen, or that it waits for, are exact. */
bool script_is_exact(const struct explorer *explorer);
/* True while the condition of a `wait` does not hold; ends the wait when it does. */
bool script_waits(struct explorer *explorer);
