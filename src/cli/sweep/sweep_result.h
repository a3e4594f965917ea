/* The message at the end of a sweep. Reads the best points back from the store; the rest comes from
 * the progress of the run. */
#pragma once

#include "explore/sweep/sweep.h"
#include "report/drawing/table.h"

/* Prints the number of new points, the best point of each objective, the front, and which command
 * to run next; for programs the best point of each objective alone, as a table of `show`. `path` is
 * the store. */
enum status sweep_result_print(const struct sweep_progress *progress, const char *path,
                               enum table_format format, struct diagnostics *diagnostics);
