/* Files that the user names with --output, written as base/output_file.h says. An existing file is
 * overwritten only with --force. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

/* Writes `text` to `path`; NULL and "-" are standard output. STATUS_CONFLICT: the file exists, and
 * there is no `force`. STATUS_IO. */
enum status output_write(const char *path, const char *text, bool force,
                         struct diagnostics *diagnostics);
/* Call this before work whose result goes to `path`: the errors of output_write, as far as they can
 * be known. */
enum status output_check(const char *path, bool force, struct diagnostics *diagnostics);
/* The same for a store, which may exist. STATUS_IO. */
enum status output_check_store(const char *path, struct diagnostics *diagnostics);
/* The enum output_option of --force, for what others write after output_check. */
unsigned output_options(bool force);
/* Whether writing to standard output has failed. A command need not report that: it may stop with
 * STATUS_IO or continue, and output_finish prints the message. */
bool output_lost(void);
/* The exit status of the program. If standard output lost anything, says so and turns success into
 * 1. */
int output_finish(int exit_status);
