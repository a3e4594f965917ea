/* What `warpscape probe` inferred about the L1D from the latency of loads (explore/papers/probe.h),
 * next to what the machine is configured as. */
#pragma once

#include <stdio.h>

#include "explore/papers/probe.h"
#include "report/drawing/cells.h"
#include "report/drawing/table.h"
#include "schema/machine.h"

struct probe_report {
    const struct probe *probe;
    const struct machine *machine;
    const char *machine_name;
    enum glyphs glyphs;
};

enum probe_table { PROBE_ORGANIZATION, PROBE_INDEX, PROBE_STRIDE };

/* Prints all tables, the chart over strides and notes, for people. */
enum status probe_report_print(const struct probe_report *report, FILE *out);

/* Prints one table in any format. STATUS_MEMORY, STATUS_IO. */
enum status probe_report_table(const struct probe_report *report, enum probe_table which,
                               enum table_format format, FILE *out);
