/* Commands from a file, one a line; '#' begins a comment. */
#pragma once

#include "ui/state.h"

enum status script_load(struct explorer *explorer, const char *path,
                        struct diagnostics *diagnostics);
void script_free(struct script *script);
/* Runs commands until one waits, one fails, or none is left. */
void script_run(struct explorer *explorer);
bool script_pending(const struct explorer *explorer);
/* All values that the screen shows or waits for are there. */
bool script_is_exact(const struct explorer *explorer);
/* True while what a `wait` waits for is not there. */
bool script_waits(struct explorer *explorer);
