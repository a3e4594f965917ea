/* warpscape reproduce reuse: C. Nugteren et al., "A detailed GPU cache model based on reuse
 * distance theory", HPCA 2014. Runs the study (explore/papers/reuse_study.h) and the probes, and
 * prints the report. */
#include <stdlib.h>

#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"
#include "config/machine_file.h"
#include "report/experiments/reuse_report.h"

static enum status probe_named(const char *name, const struct evaluate_options *how,
                               struct probe *probe, struct diagnostics *diagnostics)
{
    struct machine machine;
    enum status status = machine_load(name, NULL, &machine, NULL, diagnostics);
    return status ? status : probe_machine(&machine, how, probe, diagnostics);
}

static enum status reproduce_reuse_run(const struct reproduce_arguments *arguments,
                                       struct diagnostics *diagnostics)
{
    static char name[] = "reuse";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    struct probe *probes = malloc(2 * sizeof *probes);
    struct reuse_study study = {0};
    enum status status = probes ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = probe_named("reuse-gtx470-16k", &how, &probes[0], diagnostics);
    if (!status)
        status = probe_named("reuse-gtx470-48k", &how, &probes[1], diagnostics);
    if (!status)
        status = reuse_study_run(arguments->full, arguments->workload, arguments->threads, &how,
                                 &study, diagnostics);
    progress_end();
    if (!status) {
        const struct reuse_report report = {&study, &probes[0], &probes[1], options_glyphs()};
        enum reuse_table table = reproduce_table(&reproduction_reuse, arguments);
        status = arguments->format == TABLE_TEXT && !arguments->table
                     ? reuse_report_print(&report, stdout)
                     : reuse_report_table(&report, table, arguments->format, stdout);
    }
    reuse_study_free(&study);
    free(probes);
    return status;
}

static const char *const tables[] = {
    [REUSE_NUMBERS] = "numbers", [REUSE_WORKLOADS] = "workloads", [REUSE_RUNS] = "runs", NULL};

const struct reproduction reproduction_reuse = {
    .name = "reuse",
    .paper = "C. Nugteren et al., A detailed GPU cache model based on reuse distance theory, "
             "HPCA 2014",
    .tables = tables,
    .run = reproduce_reuse_run,
};
