/* warpscape reproduce cpwc: the compressed page-walk cache of Jia, Zhang, Wang and Shen, 2020
 * (docs/MODELS.md). Runs the study (explore/papers/cpwc_study.h) and prints its report. */
#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"
#include "report/experiments/cpwc_report.h"

static enum status reproduce_cpwc_run(const struct reproduce_arguments *arguments,
                                      struct diagnostics *diagnostics)
{
    static char name[] = "cpwc";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    const enum cpwc_table table = reproduce_table(&reproduction_cpwc, arguments);
    const bool whole = arguments->format == TABLE_TEXT && !arguments->table;
    struct cpwc_study study = {0};
    struct cpwc_example_step example[CPWC_EXAMPLE_STEPS];
    struct machine machine;
    enum status status = paper_machine("cpwc-gtx480", "", &machine, diagnostics);
    if (!status)
        status = cpwc_example_run(example, diagnostics);
    if (!status && (whole || cpwc_table_needs_study(table)))
        status = cpwc_study_run(arguments->full, arguments->workload, arguments->threads, &how,
                                &study, diagnostics);
    progress_end();
    if (!status) {
        const struct cpwc_report report = {&study, example, &machine.pwc, options_glyphs()};
        status = whole ? cpwc_report_print(&report, stdout)
                       : cpwc_report_table(&report, table, arguments->format, stdout);
    }
    cpwc_study_free(&study);
    return status;
}

static const char *const tables[] = {[CPWC_NUMBERS] = "numbers",
                                     [CPWC_INDICES] = "indices",
                                     [CPWC_EXAMPLE] = "example",
                                     [CPWC_SIZES] = "bits",
                                     [CPWC_CAPACITIES] = "entries",
                                     [CPWC_REDUNDANCY] = "redundancy",
                                     [CPWC_HITS] = "hits",
                                     [CPWC_ACCESSES] = "accesses",
                                     [CPWC_ORGANIZATIONS] = "organizations",
                                     NULL};

const struct reproduction reproduction_cpwc = {
    .name = "cpwc",
    .paper = "C. Jia et al., A compressed page walk cache structure, Computer Engineering & "
             "Science 42(9), 2020",
    .tables = tables,
    .run = reproduce_cpwc_run,
};
