/* One run as a document (report/drawing/page.h): its metrics, at depth timing the cycle stack over
 * time, launches and instructions, and what explains it. */
#pragma once

#include "model/cache/pc_table.h"
#include "model/timing/base/timing_log.h"
#include "report/drawing/page.h"
#include "report/runs/explain_report.h"
#include "report/runs/metrics_report.h"
#include "trace/stream.h"

struct run_page {
    const struct metrics_report *report;
    const struct trace_source *source;
    const struct timing_log *log;     /* NULL: not known */
    const struct pc_table *pcs;       /* sorted; NULL: not known */
    const struct explain_report *why; /* NULL: not explained */
};

/* STATUS_MEMORY, STATUS_IO. */
enum status run_page_print(const struct run_page *run, enum page_format format, FILE *out);
