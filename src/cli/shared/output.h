/* Files that the user names with --output. Invariants: an existing file is never overwritten
 * without --force, and never left half written: a new file replaces it by rename, so a full disk
 * keeps the old one. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

/* Writes `text` to `path`; NULL and "-" are standard output. An existing regular file is replaced
 * only with `force`; its mode is kept, and a symbolic link still points to it. Devices and pipes
 * are written to directly. STATUS_CONFLICT: the file exists. STATUS_IO. */
enum status output_write(const char *path, const char *text, bool force,
                         struct diagnostics *diagnostics);
/* The check of output_write alone, for files that others write: STATUS_CONFLICT as there, STATUS_IO
 * if the path exists and is not a regular file. */
enum status output_check(const char *path, bool force, struct diagnostics *diagnostics);
/* Call this before long work whose result goes to `path`. STATUS_IO if the file, or a new one in
 * its folder, could not be written. */
enum status output_check_place(const char *path, struct diagnostics *diagnostics);
/* Whether writing to standard output has failed. A command need not report that: it may stop with
 * STATUS_IO or continue, and output_finish prints the message. */
bool output_lost(void);
/* The exit status of the program. If standard output lost anything, says so and turns success into
 * 1. */
int output_finish(int exit_status);
