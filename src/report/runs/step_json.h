/* A timed run at a cycle (report/runs/step_report.h) as one JSON object, for programs. Looking
 * changes nothing. */
#pragma once

#include "report/runs/step_report.h"

/* STATUS_MEMORY, or STATUS_IO where `out` takes no more. */
enum status step_json_print(const struct step_report *report, const struct cursor_window *window,
                            FILE *out);
