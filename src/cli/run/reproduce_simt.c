/* warpscape reproduce simt: the caches of the SIMT processor of Xu, Li, Sun and Xing, 2019
 * (docs/SIMT.md). Runs the study (explore/papers/simt_study.h) and prints its report. */
#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"
#include "report/experiments/simt_report.h"

static enum status reproduce_simt_run(const struct reproduce_arguments *arguments,
                                      struct diagnostics *diagnostics)
{
    static char name[] = "simt";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    struct simt_study study = {0};
    enum status status = simt_study_run(arguments->full, arguments->workload, arguments->threads,
                                        &how, &study, diagnostics);
    progress_end();
    if (!status) {
        const enum simt_table table = reproduce_table(&reproduction_simt, arguments);
        status = arguments->format == TABLE_TEXT && !arguments->table
                     ? simt_report_print(&study, stdout)
                     : simt_report_table(&study, table, arguments->format, stdout);
    }
    simt_study_free(&study);
    return status;
}

static const char *const tables[] = {[SIMT_NUMBERS] = "numbers",
                                     [SIMT_PROGRAMS] = "programs",
                                     [SIMT_SMALL] = "small",
                                     [SIMT_FPGA] = "fpga",
                                     NULL};

const struct reproduction reproduction_simt = {
    .name = "simt",
    .paper = "X. Xu et al., caches of a SIMT processor, Computer Applications and Software 36(7), "
             "2019",
    .tables = tables,
    .run = reproduce_simt_run,
};
