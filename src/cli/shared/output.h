/* Files that --output names: never over what is there without --force, never half of one. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

/* Writes `text` to `path`; NULL and "-" are standard output. A regular file is only replaced with
 * `force`, and then at once, so that a full disk leaves what was there; a symbolic link stays one.
 * Devices and pipes are written into. STATUS_CONFLICT: there is a file already. STATUS_IO. */
enum status output_write(const char *path, const char *text, bool force,
                         struct diagnostics *diagnostics);
/* For files that others write: STATUS_CONFLICT where output_write would say so, STATUS_IO where
 * something stands there that is no regular file. */
enum status output_check(const char *path, bool force, struct diagnostics *diagnostics);
/* Before long work whose result goes to `path`: STATUS_IO where a file cannot be written
 * there, or made beside it. */
enum status output_check_place(const char *path, struct diagnostics *diagnostics);
/* Whether standard output has failed to take something. A command need say nothing about it: it
 * returns STATUS_IO or goes on, and the program's end says the sentence. */
bool output_lost(void);
/* The exit status of the program: where standard output could not take all that was printed, it
 * says so, and a success becomes 1. */
int output_finish(int exit_status);
