/* Runs another program and captures what it prints, with a time limit: the commands of Slurm and
 * the generators of traces. No shell is involved, so arguments need no quoting. */
#pragma once

#include "base/diag.h"

/* Runs argv[0] (looked up in PATH; argv is ended by NULL) with standard input from /dev/null.
 * *output is what it printed to standard output and error, malloc'ed, without trailing newlines;
 * cut after about 4 MiB. It is also set on most errors: free it. STATUS_NOT_FOUND: there is no such
 * program. STATUS_IO: it failed, or ran longer than `seconds` and was killed; the diagnostics then
 * contain what it printed. */
enum status process_run(const char *const *argv, double seconds, char **output,
                        struct diagnostics *diagnostics);
