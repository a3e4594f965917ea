/* The folder for files that outlive a session of the explorer (stores of sweeps, the last session):
 * $XDG_STATE_HOME/warpscape, or ~/.local/state/warpscape. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* Writes the path of a file in the folder, and creates the folder. False if it cannot be created;
 * `path` then says what was tried. */
bool state_file(const char *name, char *path, size_t size);
/* Whether the folder has a file that can be read. */
bool state_file_exists(const char *name);
/* Reads a file of the folder into *text, malloc'ed and NUL-terminated. STATUS_NOT_FOUND: there is
 * none. STATUS_INVALID: it is too large, or no plain file; a pipe in its place is not waited for.
 */
enum status state_file_read(const char *name, char **text, size_t *length,
                            struct diagnostics *diagnostics);
