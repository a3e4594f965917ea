#include "cli/run/silicon_run.h"

#include "report/bandwidth_report.h"
#include "report/latency_report.h"
#include "report/stride_report.h"

static enum status latencies_run(const struct silicon_arguments *arguments,
                                 const struct evaluate_options *how,
                                 struct diagnostics *diagnostics)
{
    struct latency_study study;
    enum status status = latency_study_init(&study, arguments->only, diagnostics);
    if (status)
        return status;
    status = latency_study_run(&study, arguments->threads, how);
    progress_end();
    if (!status)
        status = latency_report_table(&study, arguments->format, stdout);
    latency_study_free(&study);
    return status;
}

static enum status strides_run(const struct silicon_arguments *arguments,
                               const struct evaluate_options *how, struct diagnostics *diagnostics)
{
    struct stride_study study;
    enum status status = stride_study_init(&study, arguments->only, diagnostics);
    if (status)
        return status;
    status = stride_study_run(&study, arguments->threads, how);
    progress_end();
    if (!status)
        status = stride_report_table(&study, arguments->format, stdout);
    stride_study_free(&study);
    return status;
}

static enum status bandwidths_run(const struct silicon_arguments *arguments,
                                  const struct evaluate_options *how,
                                  struct diagnostics *diagnostics)
{
    struct bandwidth_study study;
    enum status status = bandwidth_study_init(&study, arguments->only, diagnostics);
    if (status)
        return status;
    status = bandwidth_study_run(&study, arguments->threads, how);
    progress_end();
    if (!status)
        status = bandwidth_report_table(&study, arguments->format, stdout);
    bandwidth_study_free(&study);
    return status;
}

enum status silicon_run(const struct silicon_arguments *arguments, struct diagnostics *diagnostics)
{
    static char name[] = "silicon";
    const struct evaluate_options how = {
        .progress = progress_show, .argument = name, .cancel = interrupt_flag()};
    if (!arguments->whole && arguments->table == SILICON_TABLE_LATENCIES)
        return latencies_run(arguments, &how, diagnostics);
    if (!arguments->whole && arguments->table == SILICON_TABLE_STRIDES)
        return strides_run(arguments, &how, diagnostics);
    if (!arguments->whole && arguments->table == SILICON_TABLE_BANDWIDTHS)
        return bandwidths_run(arguments, &how, diagnostics);
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
