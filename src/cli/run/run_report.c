/* warpscape run --report: one run as an HTML or Markdown file (report/runs/run_page.h). */
#include <stdlib.h>

#include "base/text_ends.h"
#include "base/text_stream.h"
#include "cli/run/run.h"
#include "cli/shared/output.h"
#include "report/runs/run_page.h"

enum { INTERVALS = 200 };

/* Makes the document in memory, so that a full disk leaves the old file in place. */
static enum status print_page(const struct run_page *page, const char *path, char **text)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    const enum status status =
        run_page_print(page, text_ends(path, ".md") ? PAGE_MARKDOWN : PAGE_HTML, out);
    return text_stream_finish(&stream, status, text);
}

static enum status write_page(const struct run_arguments *arguments, const struct run *run,
                              const struct metrics *metrics, struct timing_log *log,
                              struct pc_table *pcs, struct diagnostics *diagnostics)
{
    struct run_notes notes;
    run_notes(arguments, run, metrics, &notes);
    const struct metrics_report report = run_metrics_report(arguments, run, metrics, &notes);
    const struct run_page page = {&report, run->source, log->intervals ? log : NULL, pcs};
    char *text = NULL;
    pc_table_sort(pcs);
    enum status status = print_page(&page, arguments->report, &text);
    if (!status)
        status = output_write(arguments->report, text, arguments->force, diagnostics);
    free(text);
    return status;
}

enum status run_report(const struct run_arguments *arguments, const struct run *run,
                       struct diagnostics *diagnostics)
{
    const bool timed = depth_can(arguments->depth, DEPTH_TIMED);
    struct timing_log log = {.by_launch = timed, .intervals = timed ? INTERVALS : 0};
    struct pc_table pcs = {0};
    struct metrics metrics;
    const struct evaluate_options how = {.depth = arguments->depth,
                                         .ideals = arguments->ideals,
                                         .start_delay = (uint32_t)arguments->start_delay,
                                         .needs = arguments->needs,
                                         .log = timed ? &log : NULL,
                                         .pcs = &pcs,
                                         .progress = progress_show,
                                         .argument = run->source->name,
                                         .threads = threads_meant(arguments->threads),
                                         .cancel = interrupt_flag()};
    enum status status = output_check(arguments->report, arguments->force, diagnostics);
    if (!status)
        status = evaluate(&run->machine, run->source, &how, &metrics, diagnostics);
    progress_end();
    if (!status)
        status = write_page(arguments, run, &metrics, &log, &pcs, diagnostics);
    pc_table_free(&pcs);
    timing_log_free(&log);
    return status;
}
