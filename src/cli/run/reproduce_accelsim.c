/* warpscape reproduce accelsim: measured runs of Accel-Sim (docs/VALIDATION.md). Finds the rows and
 * their traces, runs the study (explore/papers/accelsim_study.h) and prints its report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/accelsim_traces.h"
#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"
#include "report/experiments/accelsim_report.h"

const char reproduce_accelsim_name[] = "accelsim";
const char reproduce_accelsim_paper[] =
    "Runs of Accel-Sim 73f9fac with GPGPU-Sim 4.2 (reference data, not part of the program)";
const char *const reproduce_accelsim_tables[] = {
    [ACCELSIM_SUMMARY] = "summary",   [ACCELSIM_COUNTERS] = "counters",
    [ACCELSIM_FAMILIES] = "families", [ACCELSIM_ROWS] = "rows",
    [ACCELSIM_PAIRS] = "pairs",       [ACCELSIM_DEPTHS] = "depths",
    [ACCELSIM_REUSE] = "reuse",       NULL};

/* The files of the reference data, in the order in which they were measured. Later ones are absent
 * from older data. */
static const char *const measured[] = {"runs.csv", "runs2.csv"};
enum { MEASURED = sizeof measured / sizeof *measured };

/* Reads the rows of --runs, or of the reference data. */
static enum status read_rows(const struct reproduce_arguments *arguments,
                             const struct accelsim_traces *traces, struct row_file *rows,
                             struct diagnostics *diagnostics)
{
    if (arguments->runs)
        return row_file_read(arguments->runs, &accelsim_dialect, rows, diagnostics);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < MEASURED && !status; i++) {
        char *path;
        if (asprintf(&path, "%s/reference/accelsim/%s", traces->shared, measured[i]) < 0) {
            row_file_free(rows);
            return STATUS_MEMORY;
        }
        if (!i || !access(path, R_OK))
            status = row_file_read(path, &accelsim_dialect, rows, diagnostics);
        free(path);
    }
    return status;
}

/* The table of --table, the first one without it, and what is wrong with the arguments. */
static enum status check_arguments(const struct reproduce_arguments *arguments,
                                   enum accelsim_table *table, struct diagnostics *diagnostics)
{
    char hint[SUGGESTION_TEXT];
    *table = ACCELSIM_SUMMARY;
    if (arguments->workload || arguments->full || arguments->report || arguments->time_limit != 0)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "%s does not take --workload, --full, --report and --time-limit; "
                                 "see --only",
                                 reproduce_accelsim_name);
    while (arguments->table && *table < ACCELSIM_TABLES &&
           strcmp(reproduce_accelsim_tables[*table], arguments->table) != 0)
        ++*table;
    if (*table < ACCELSIM_TABLES)
        return STATUS_OK;
    return diagnostics_error(
        diagnostics, STATUS_NOT_FOUND, "%s has no table '%s'%s", reproduce_accelsim_name,
        arguments->table,
        suggestion(nearest_name(arguments->table, reproduce_accelsim_tables, ACCELSIM_TABLES),
                   hint));
}

enum status reproduce_accelsim(const struct reproduce_arguments *arguments,
                               struct diagnostics *diagnostics)
{
    static char name[] = "accelsim";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    enum accelsim_table table;
    const bool whole = arguments->format == TABLE_TEXT && !arguments->table;
    struct accelsim_traces traces = {0};
    struct row_file rows = {0};
    struct row_study study = {0};
    enum status status = check_arguments(arguments, &table, diagnostics);
    if (!status)
        status = accelsim_traces_init(&traces, arguments->traces, diagnostics);
    if (!status)
        status = read_rows(arguments, &traces, &rows, diagnostics);
    if (!status)
        status = row_study_init(&study, &rows, arguments->only, diagnostics);
    if (!status)
        status = accelsim_traces_check(&traces, &study.rows, diagnostics);
    if (!status)
        status = accelsim_run(&study, whole || accelsim_table_needs_depths(table),
                              accelsim_traces_path, &traces, arguments->threads, &how);
    progress_end();
    if (!status)
        status = whole ? accelsim_report_print(&study, stdout)
                       : accelsim_report_table(&study, table, arguments->format, stdout);
    row_study_free(&study);
    accelsim_traces_free(&traces);
    return status;
}
