/* The critical path of a timed run (model/timing/run_causes.h): what its cycles were for, by part
 * of the cycle stack and by instruction, its longest steps, and the cone of an event. */
#pragma once

#include "model/timing/run_causes.h"
#include "report/drawing/table.h"

struct causes_report {
    const char *name; /* machine and workload */
    const struct trace_source *source;
    const struct run_causes *run;
    bool of_event; /* the path and the cone of an event were wanted */
    /* Cycles of the whole run without the limit that each use names, and with all of them; NaN:
     * not run. NULL: nobody asked. */
    const double *without;
    double whole;
    uint64_t limit; /* at most this many rows of each table; 0: all */
};

/* For people, or JSON as in docs/FORMATS.md; CSV: a row a use. STATUS_MEMORY, STATUS_IO. */
enum status causes_report_print(const struct causes_report *report, enum table_format format,
                                FILE *out);
