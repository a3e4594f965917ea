/* The folder for files that outlive a session of the explorer (stores of sweeps, the last session):
 * $XDG_STATE_HOME/warpscape, or ~/.local/state/warpscape. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of a file in the folder, and creates the folder. False if it cannot be created;
 * `path` then says what was tried. */
bool state_file(const char *name, char *path, size_t size);
