/* Running another program and reading what it prints. */
#pragma once

#include "base/diag.h"

/* Runs argv[0] (found in PATH, ended by NULL) without a shell. *output is what it printed to both
 * streams, malloc'ed, without the newlines at its end; of very much only the beginning.
 * STATUS_NOT_FOUND where there is no such program, STATUS_IO where it failed or took longer than
 * `seconds`; the diagnostics then say what it printed. */
enum status process_run(const char *const *argv, double seconds, char **output,
                        struct diagnostics *diagnostics);
