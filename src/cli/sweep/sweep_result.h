/* The message at the end of a sweep. Reads the best points back from the store; the rest comes from
 * the progress of the run. */
#pragma once

#include "explore/sweep/sweep.h"

/* Prints the number of new points, the best point of each objective, the front, and which command
 * to run next. `path` is the store. */
enum status sweep_result_print(const struct sweep_progress *progress, const char *path,
                               struct diagnostics *diagnostics);
