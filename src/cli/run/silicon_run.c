#include "cli/run/silicon_run.h"

#include "report/experiments/row_study_report.h"

static enum status run_rows(const struct silicon_arguments *arguments,
                            const struct row_study_kind *kind, const struct evaluate_options *how,
                            struct diagnostics *diagnostics)
{
    struct row_study study;
    enum status status = row_study_init(&study, kind, arguments->only, diagnostics);
    if (status)
        return status;
    status = row_study_run(&study, arguments->threads, how);
    progress_end();
    if (!status)
        status = row_study_report_table(&study, arguments->format, stdout);
    row_study_free(&study);
    return status;
}

enum status silicon_run(const struct silicon_arguments *arguments, struct diagnostics *diagnostics)
{
    static char name[] = "silicon";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    if (!arguments->whole && arguments->table >= SILICON_TABLES)
        return run_rows(arguments, row_study_kinds[arguments->table - SILICON_TABLES], &how,
                        diagnostics);
    struct silicon_study study;
    enum status status = silicon_study_init(&study, arguments->only, diagnostics);
    if (status)
        return status;
    if (arguments->whole || arguments->table != SILICON_TABLE_SOURCES)
        status = silicon_study_run(&study, arguments->depths, (double)arguments->effort,
                                   arguments->threads, &how);
    progress_end();
    if (!status)
        status = arguments->whole
                     ? silicon_report_print(&study, stdout)
                     : silicon_report_table(&study, (enum silicon_table)arguments->table,
                                            arguments->format, stdout);
    silicon_study_free(&study);
    return status;
}
