/* The interactive explorer: one call that runs until the user quits. The rest of ui/ is private to
 * it, and nothing under src/ depends on curses.
 *
 * Evaluation runs on background threads (explore/live/engine.h). The thread of the screen only
 * draws and handles keys, so that it answers a key at once while a simulation runs. */
#pragma once

#include "base/diag.h"
#include "ui/terminal/explorer_options.h"

/* Runs until the user quits. The diagnostics hold what went wrong before the screen opened. */
enum status explorer_run(const struct explorer_options *options, struct diagnostics *diagnostics);
