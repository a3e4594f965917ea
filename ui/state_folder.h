/* Where the explorer keeps what outlives it: $XDG_STATE_HOME/warpscape, or ~/.local/state. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The path of a file of this name there; its folders are made. False: there is no place, and `path`
 * says which was tried. */
bool state_file(const char *name, char *path, size_t size);
