/* warpscape run --report: one run as an HTML or Markdown file (report/runs/run_page.h). */
#include <stdlib.h>

#include "base/text_ends.h"
#include "base/text_stream.h"
#include "cli/run/run.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/output.h"
#include "explore/explain/explain.h"
#include "report/runs/run_page.h"

enum { INTERVALS = 200, WHY_ROWS = 10 };

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

/* Writes the document; `explanation` is NULL where none is asked for. */
static enum status write_page(const struct run_arguments *arguments, const struct run *run,
                              const struct metrics *metrics, struct timing_log *log,
                              struct pc_table *pcs, const struct explanation *explanation,
                              struct diagnostics *diagnostics)
{
    char *command = machine_argument_command(arguments->machine, &arguments->settings,
                                             arguments->workload, arguments->depth);
    if (!command)
        return STATUS_MEMORY;
    const struct explain_report why = {.machine_name = run->machine_name,
                                       .depth = arguments->depth,
                                       .workload = run->source->name,
                                       .command = command,
                                       .explanation = explanation,
                                       .limit = WHY_ROWS,
                                       .glyphs = options_glyphs()};
    struct run_notes notes;
    run_notes(arguments, run, metrics, &notes);
    const struct metrics_report report = run_metrics_report(arguments, run, metrics, &notes);
    const struct run_page page = {&report, run->source, log->intervals ? log : NULL, pcs,
                                  explanation ? &why : NULL};
    char *text = NULL;
    pc_table_sort(pcs);
    enum status status = print_page(&page, arguments->report, &text);
    if (!status)
        status = output_write(arguments->report, text, arguments->force, diagnostics);
    free(text);
    free(command);
    return status;
}

/* Explains the run, or as much of it as there was time for (STATUS_CANCELLED). */
static enum status explain_run(const struct run_arguments *arguments, const struct run *run,
                               struct explanation *explanation, struct diagnostics *diagnostics)
{
    const struct explain_options options = {.depth = arguments->depth,
                                            .parts = EXPLAIN_LADDER | EXPLAIN_LEVERS,
                                            .threads = threads_meant(arguments->threads),
                                            .cancel = interrupt_flag(),
                                            .progress = progress_show,
                                            .argument = run->source->name};
    return explain(&run->machine, run->source, &options, explanation, diagnostics);
}

enum status run_report(const struct run_arguments *arguments, const struct run *run,
                       struct diagnostics *diagnostics)
{
    const bool timed = depth_can(arguments->depth, DEPTH_TIMED);
    struct timing_log log = {.by_launch = timed, .intervals = timed ? INTERVALS : 0};
    struct pc_table pcs = {0};
    struct metrics metrics;
    struct explanation explanation = {0};
    struct evaluate_options how = run_evaluate_options(arguments, run);
    how.log = timed ? &log : NULL;
    how.pcs = &pcs;
    enum status status = output_check(arguments->report, arguments->force, diagnostics);
    if (!status)
        status = evaluate(&run->machine, run->source, &how, &metrics, diagnostics);
    enum status found = STATUS_OK;
    if (!status && arguments->why)
        found = explain_run(arguments, run, &explanation, diagnostics);
    progress_end();
    if (!status && found && found != STATUS_CANCELLED)
        status = found;
    if (!status)
        status = write_page(arguments, run, &metrics, &log, &pcs,
                            explanation.metric ? &explanation : NULL, diagnostics);
    status = status ? status : found;
    explanation_free(&explanation);
    pc_table_free(&pcs);
    timing_log_free(&log);
    return status;
}
