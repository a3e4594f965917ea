/* warpscape reproduce: repeats the experiments of a paper on our models and prints the results next
 * to what the paper says. Papers are experiments as data (config/experiment_file.h), but for the
 * one of cli/shared/reproduce.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text_ends.h"
#include "base/text_stream.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "cli/shared/reproduce.h"
#include "explore/plan/stage_cache.h"
#include "report/experiments/experiment_report.h"

static void cmd_reproduce_parse(int argc, char **argv, struct reproduce_arguments *arguments)
{
    const struct option_row options[] = {
        {"table", 't', "TABLE", "one table instead of the report", option_text, &arguments->table,
         NULL},
        {"format", 'f', "FORMAT", "table (default: the report), csv, json or md", option_format,
         &arguments->format, table_format_names},
        {"workload", 'w', "NAME", "only this workload of the paper", option_once,
         &arguments->workload, NULL},
        {"report", 0, "FILE", "write the report, with its figures, to FILE.html or FILE.md",
         option_text, &arguments->report, NULL},
        OPTION_FORCE("the report", &arguments->force),
        {"time-limit", 0, "TIME",
         "stop after this time, for example 8h or 1h30m; the same command goes on", option_duration,
         &arguments->time_limit, NULL},
        {"full", 0, NULL, "the sizes of the benchmark suites: hours instead of seconds",
         option_flag, &arguments->full, NULL},
        OPTION_THREADS(&arguments->threads),
        {.help = "Options of accelsim:"},
        {"only", 0, "WORDS", "runs whose kernel, GPU, trace and options have all these words",
         option_text, &arguments->only, NULL},
        {"runs", 0, "FILE", "the measured runs (default: those of the reference data)", option_text,
         &arguments->runs, NULL},
        {"traces", 0, "FOLDER", "keep generated traces here (default: in the user's cache)",
         option_text, &arguments->traces, NULL},
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[NAME | FILE.yaml]",
        .help = "Run the experiments of a paper again and print what came out beside what the "
                "paper says. FILE.yaml is an experiment of your own (docs/FORMATS.md). Without "
                "NAME: list the papers and their tables.\v"
                "The report begins with the count of verdicts. Numbers of the paper have marks: a "
                "text number, a statement of its text, or unknown where it was in a figure that is "
                "lost. "
                "Where ours rests on something that was chosen to fit the paper (a recipe, a "
                "reading, a factor), its verdict is 'chosen to fit', "
                "never 'agrees'; nothing else is tuned to it.",
        .operand = {
            .name = "paper", .value = "PAPER", .read = option_once, .slot = &arguments->name}};
    options_parse(&line, argc, argv);
}

static void put_paper(struct table *table, const char *name, const char *paper,
                      const char *const *tables, size_t count)
{
    char names[200] = "";
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", tables[i]);
    }
    table_text(table, name);
    table_text(table, paper);
    table_text(table, names);
}

static enum status put_experiment(struct table *table, const char *name,
                                  struct diagnostics *diagnostics)
{
    struct experiment experiment;
    const enum status status = experiment_load(name, &experiment, diagnostics);
    const char *names[16];
    size_t count = 0;
    if (status)
        return status;
    while (count < 16 && (names[count] = experiment_table_name(&experiment, count)))
        count++;
    put_paper(table, name, node_text(experiment.paper), names, count);
    experiment_free(&experiment);
    return STATUS_OK;
}

static enum status list(enum table_format format, struct diagnostics *diagnostics)
{
    static const char *const headers[] = {"name", "paper", "tables", NULL};
    struct table *table = table_create(headers);
    enum status status = table ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; embedded_experiments[i].name && !status; i++)
        status = put_experiment(table, embedded_experiments[i].name, diagnostics);
    size_t count = 0;
    while (reproduce_accelsim_tables[count])
        count++;
    if (status) {
        table_free(table);
        return status;
    }
    put_paper(table, reproduce_accelsim_name, reproduce_accelsim_paper, reproduce_accelsim_tables,
              count);
    table_fit(table, options_columns(STDOUT_FILENO));
    return table_finish(table, format, stdout);
}

/* ---- experiments as data ---- */

/* Makes the document in memory, so that a full disk leaves the old file in place. */
static enum status write_experiment(const struct reproduce_arguments *arguments,
                                    struct experiment_report *report,
                                    struct diagnostics *diagnostics)
{
    struct text_stream stream;
    char *text;
    FILE *out = text_stream_open(&stream);
    enum status status =
        out ? experiment_report_page(
                  report, text_ends(arguments->report, ".md") ? PAGE_MARKDOWN : PAGE_HTML, out,
                  diagnostics)
            : STATUS_MEMORY;
    status = text_stream_finish(&stream, status, &text);
    if (!status)
        status = output_write(arguments->report, text, arguments->force, diagnostics);
    free(text);
    return status;
}

static enum status print_experiment(const struct reproduce_arguments *arguments,
                                    struct experiment_report *report,
                                    struct diagnostics *diagnostics)
{
    if (arguments->report)
        return write_experiment(arguments, report, diagnostics);
    return arguments->format == TABLE_TEXT && !arguments->table
               ? experiment_report_print(report, options_glyphs(), stdout, diagnostics)
               : experiment_report_table(report, arguments->format, stdout, diagnostics);
}

static enum status run_experiment(const struct reproduce_arguments *arguments,
                                  const struct experiment *experiment,
                                  struct diagnostics *diagnostics)
{
    char *cache = stage_cache_path();
    const struct experiment_options options = {.full = arguments->full,
                                               .only = arguments->workload,
                                               .threads = arguments->threads,
                                               .cache = cache,
                                               .time_limit = arguments->time_limit,
                                               .cancel = interrupt_flag(),
                                               .progress = progress_show,
                                               .argument = (void *)(uintptr_t)arguments->name};
    const bool whole = arguments->report || (arguments->format == TABLE_TEXT && !arguments->table);
    const char *table = whole ? NULL : arguments->table ? arguments->table : "numbers";
    struct experiment_runs runs = {0};
    struct experiment_terms *terms = NULL;
    struct experiment_report *report = NULL;
    enum status status = experiment_runs_open(experiment, &options, &runs, diagnostics);
    if (!status)
        status = experiment_terms_create(&runs, &terms, diagnostics);
    if (!status)
        status = experiment_report_create(experiment, &runs, terms, table, &report, diagnostics);
    if (!status)
        status = experiment_runs_make(&runs, experiment_asked(terms), &options, diagnostics);
    progress_end();
    if (!status)
        status = experiment_values(terms, diagnostics);
    if (!status)
        status = print_experiment(arguments, report, diagnostics);
    experiment_report_free(report);
    experiment_terms_free(terms);
    experiment_runs_free(&runs);
    free(cache);
    return status;
}

static enum status reproduce_experiment(const struct reproduce_arguments *arguments,
                                        struct diagnostics *diagnostics)
{
    struct experiment experiment;
    if (arguments->only || arguments->runs || arguments->traces)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "%s does not take --only, --runs and --traces", arguments->name);
    if (arguments->report && arguments->table)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "--report is of all tables; leave out --table");
    enum status status = arguments->report
                             ? output_check(arguments->report, arguments->force, diagnostics)
                             : STATUS_OK;
    if (!status)
        status = experiment_load(arguments->name, &experiment, diagnostics);
    if (status)
        return status;
    status = run_experiment(arguments, &experiment, diagnostics);
    experiment_free(&experiment);
    return status;
}

static enum status reproduce(const struct reproduce_arguments *arguments,
                             struct diagnostics *diagnostics)
{
    const char *name = arguments->name, *const other[] = {reproduce_accelsim_name};
    char hint[SUGGESTION_TEXT];
    if (!strcmp(name, reproduce_accelsim_name))
        return reproduce_accelsim(arguments, diagnostics);
    if (access(name, F_OK) && !embedded_find(embedded_experiments, name) &&
        nearest_name(name, other, 1)) /* the one that is no experiment as data */
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no experiment and no file '%s'%s",
                                 name, suggestion(reproduce_accelsim_name, hint));
    return reproduce_experiment(arguments, diagnostics);
}

int command_reproduce(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct reproduce_arguments arguments = {0};
    cmd_reproduce_parse(argc, argv, &arguments);
    const enum status status =
        arguments.name ? reproduce(&arguments, &diagnostics) : list(arguments.format, &diagnostics);
    return command_finish(status, &diagnostics);
}
