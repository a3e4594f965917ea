/* What explains a number (explore/explain/explain.h), for people within 80 columns, as a page, as
 * CSV, or as the JSON of `warpscape explain` (docs/FORMATS.md). */
#pragma once

#include "explore/explain/explain.h"
#include "report/drawing/cells.h"
#include "report/drawing/page.h"

struct blaming;

struct explain_report {
    const char *machine_name;
    enum depth depth;
    const char *workload; /* its name */
    const char *command;  /* "warpscape run ...", whose numbers these are */
    const struct explanation *explanation;
    const struct blaming *blaming; /* NULL: nobody is blamed */
    uint64_t limit;                /* rows of each table for people; 0: all */
    enum glyphs glyphs;
};

/* STATUS_MEMORY, STATUS_IO. */
enum status explain_report_print(const struct explain_report *report, enum table_format format,
                                 FILE *out);
/* Adds it to a page, with the memory chart where that is no text. */
void explain_report_add(const struct explain_report *report, struct page *page);
/* As a document of its own. STATUS_MEMORY, STATUS_IO. */
enum status explain_report_page(const struct explain_report *report, enum page_format format,
                                FILE *out);
