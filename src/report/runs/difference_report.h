/* Where two timed runs part (model/timing/run_difference.h), for people, as rows, and as the JSON
 * of `warpscape diff` (docs/FORMATS.md). */
#pragma once

#include "model/timing/run_difference.h"
#include "report/drawing/table.h"

struct difference_report {
    const char *names[RUNS_COMPARED]; /* machine and workload of each */
    const struct trace_source *sources[RUNS_COMPARED];
    const struct run_difference *difference;
    uint64_t limit; /* at most this many rows of each kind; 0: all */
};

/* STATUS_MEMORY, STATUS_IO. */
enum status difference_report_print(const struct difference_report *report,
                                    enum table_format format, FILE *out);
