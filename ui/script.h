/* Commands from a file, one a line; '#' begins a comment. */
#pragma once

#include "ui/state.h"

enum status script_load(struct explorer *explorer, const char *path,
                        struct diagnostics *diagnostics);
void script_free(struct script *script);
/* Runs commands until one waits, one fails, or none is left. */
void script_run(struct explorer *explorer);
bool script_pending(const struct explorer *explorer);
