/* The user's files of the explorer. Those that outlive a session (stores of sweeps, the last
 * session) are in $XDG_STATE_HOME/warpscape, or ~/.local/state/warpscape; those that people write
 * (keys, settings) in $XDG_CONFIG_HOME/warpscape, or ~/.config/warpscape. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* Writes the path of a file in the folder, and creates the folder. False if it cannot be created;
 * `path` then says what was tried. */
bool state_file(const char *name, char *path, size_t size);
/* Whether the folder has a file that can be read. */
bool state_file_exists(const char *name);
/* The same of the files that people write; the folder is made if `make`. */
bool config_file(const char *name, bool make, char *path, size_t size);
/* Reads a file of the folder of the state into *text, malloc'ed and NUL-terminated.
 * STATUS_NOT_FOUND: there is none. STATUS_INVALID: it is too large, or no plain file; a pipe in its
 * place is not waited for.
 */
enum status state_file_read(const char *name, char **text, size_t *length,
                            struct diagnostics *diagnostics);
/* The same of the files that people write. */
enum status config_file_read(const char *name, char **text, size_t *length,
                             struct diagnostics *diagnostics);
