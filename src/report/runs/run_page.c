#include "report/runs/run_page.h"

#include <stdio.h>

#include "report/runs/cycle_stack.h"
#include "report/runs/memory_chart.h"
#include "report/runs/reuse_chart.h"
#include "report/runs/timing_report.h"

enum { PCS_SHOWN = 40, TITLE = 300 };

/* Both levels of the stack in words: the pictures show the first one. */
static void print_stack(struct page *page, const struct metrics *metrics)
{
    static const char *const headers[] = {"cycles", ">share", NULL};
    struct table *table = table_create(headers);
    char text[QUANTITY_TEXT];
    for (unsigned l = 0; l < STACK_LEVELS && table; l++)
        for (size_t i = 0; i < cycle_stack_parts((enum stack_level)l); i++) {
            const double share = cycle_stack_share((enum stack_level)l, i, metrics);
            if (!(share > 0))
                continue;
            table_text(table, cycle_stack_path((enum stack_level)l, i));
            table_number(table, share, quantity_print_short(share, UNIT_PERCENT, 3, text));
        }
    page_table(page, table);
}

static void print_time(struct page *page, const struct run_page *run)
{
    const struct metrics_report *report = run->report;
    const struct timing_parts *times = &run->log->times, *launches = &run->log->launches;
    page_heading(page, 2, "What cycles were for");
    page_paragraph(page, "Each cycle of each scheduler that has warps, by what the warp nearest to "
                         "issue waited for.");
    timeline_page(page, times->items, times->count, report->workload);
    print_stack(page, report->metrics);
    if (launches->count > 1) {
        page_heading(page, 2, "Launches");
        page_table(page, launches_table(launches, run->source, report->depth, true));
    }
}

static void print_memory(struct page *page, const struct metrics *metrics)
{
    const struct memory_chart chart = {
        .metrics = metrics,
        .glyphs = page->format == PAGE_MARKDOWN_ASCII ? GLYPHS_ASCII : GLYPHS_BRAILLE,
        .selected = -1};
    memory_chart_page(&chart, page);
}

enum status run_page_print(const struct run_page *run, enum page_format format, FILE *out)
{
    const struct metrics_report *report = run->report;
    struct page page;
    char title[TITLE];
    snprintf(title, sizeof title, "Warpscape: %s on %s", report->workload, report->machine_name);
    page_begin(&page, format, title, out);
    if (report->workload_origin)
        page_paragraph(&page, "%s: %s.", report->workload, report->workload_origin);
    if (run->why) {
        page_heading(&page, 2, "Why, by experiments");
        explain_report_add(run->why, &page);
    } else {
        print_memory(&page, report->metrics);
    }
    if (run->log)
        print_time(&page, run);
    if (run->pcs && run->pcs->count) {
        page_heading(&page, 2, "Instructions");
        page_table(&page, pc_table_rows(run->pcs, PCS_SHOWN, report->depth, true));
    }
    page_heading(&page, 2, "Metrics");
    page_table(&page, metrics_report_table(report));
    for (size_t i = 0; i < report->note_count; i++)
        page_paragraph(&page, "Note: %s.", report->notes[i]);
    return page_end(&page);
}
