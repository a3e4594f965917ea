#include "cli/run/silicon_run.h"

static enum status read_rows(const struct silicon_arguments *arguments, struct row_file *rows,
                             struct diagnostics *diagnostics)
{
    return arguments->file ? row_file_read(arguments->file, NULL, rows, diagnostics)
                           : row_file_load(arguments->name, rows, diagnostics);
}

static enum status run_rows(const struct silicon_arguments *arguments, struct row_study *study)
{
    static char name[] = "silicon";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    const struct row_effort effort = {.depths = arguments->depths,
                                      .effort = (double)arguments->effort,
                                      .threads = arguments->threads};
    const enum status status = row_study_run(study, &effort, NULL, &how);
    progress_end();
    return status;
}

enum status silicon_run(const struct silicon_arguments *arguments, struct diagnostics *diagnostics)
{
    struct row_file rows = {0};
    struct row_study study = {0};
    enum status status = read_rows(arguments, &rows, diagnostics);
    if (!status)
        status = row_study_init(&study, &rows, arguments->only, diagnostics);
    if (!status)
        status = row_study_check(&study, diagnostics);
    if (!status && (arguments->whole || row_table_needs_run(arguments->table)))
        status = run_rows(arguments, &study);
    if (!status)
        status = arguments->whole
                     ? row_report_print(&study, arguments->file, stdout)
                     : row_report_table(&study, arguments->table, arguments->format, stdout);
    if (!status)
        row_report_notes(&study, diagnostics);
    row_study_free(&study);
    return status;
}
