/* What a search for a wish has found (explore/wishes/wish_search.h): for people within 80 columns,
 * as CSV (the machines that satisfy it), as Markdown, or as the JSON of `warpscape want`
 * (docs/FORMATS.md). */
#pragma once

#include "explore/wishes/wish_result.h"
#include "report/drawing/table.h"

struct wish_report {
    const char *machine_name; /* with its settings */
    const char *workload;     /* its name */
    const char *command;      /* "warpscape run ...", to which settings are added */
    const char *wish;         /* wish_print */
    const struct wish_result *result;
    bool complete;  /* false: stopped by the user or the limit of time */
    uint64_t limit; /* rows of the table for people; 0: all */
};

/* STATUS_MEMORY, STATUS_IO. */
enum status wish_report_print(const struct wish_report *report, enum table_format format,
                              FILE *out);

/* What of a space was looked at: "3 axes span 120 machines, 96 of them legal". Likewise. */
char *wish_space_print(const struct wish_result *result);
/* Where nothing satisfies the wish, how far its metrics reached: "core.ipc: 1.2 to 7.9". Likewise.
 */
char *wish_reach_print(const struct wish_result *result);
