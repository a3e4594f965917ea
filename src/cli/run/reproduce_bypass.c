/* warpscape reproduce bypass: the bypassed L1D of Jia, Zhang, Qin, Sun and Tian, 2023
 * (docs/VALIDATION.md). Runs the study (explore/papers/bypass_study.h) and prints its report. */
#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"
#include "report/experiments/bypass_report.h"

static unsigned all_parts(void)
{
    unsigned parts = 0;
    for (int table = 0; table < BYPASS_TABLES; table++)
        parts |= bypass_table_parts((enum bypass_table)table);
    return parts;
}

static enum status reproduce_bypass_run(const struct reproduce_arguments *arguments,
                                        struct diagnostics *diagnostics)
{
    static char name[] = "bypass";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    const enum bypass_table table = reproduce_table(&reproduction_bypass, arguments);
    const bool whole = arguments->format == TABLE_TEXT && !arguments->table;
    struct bypass_study study = {0};
    enum status status =
        bypass_study_run(whole ? all_parts() : bypass_table_parts(table), arguments->full,
                         arguments->workload, arguments->threads, &how, &study, diagnostics);
    progress_end();
    if (!status)
        status = whole ? bypass_report_print(&study, stdout)
                       : bypass_report_table(&study, table, arguments->format, stdout);
    bypass_study_free(&study);
    return status;
}

static const char *const tables[] = {
    [BYPASS_NUMBERS] = "numbers",   [BYPASS_SIZE] = "size",         [BYPASS_PCS] = "pcs",
    [BYPASS_VERDICTS] = "verdicts", [BYPASS_READINGS] = "readings", [BYPASS_WARPS] = "orders",
    [BYPASS_STALLS] = "stalls",     [BYPASS_ALL] = "all",           NULL};

const struct reproduction reproduction_bypass = {
    .name = "bypass",
    .paper = "S. Jia et al., A cache bypass system of GPGPU for 2D and 3D convolution, Journal of "
             "Xidian University 50(2), 2023",
    .tables = tables,
    .run = reproduce_bypass_run,
};
