/* warpscape reproduce: repeats the experiments of a paper on our models and prints the results next
 * to what the paper says. The papers are the rows of cli/shared/reproduce.h. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"

#define REPRODUCTION_ADDRESS(name) &reproduction_##name,
static const struct reproduction *const reproductions[] = {REPRODUCTION_LIST(REPRODUCTION_ADDRESS)};
enum { REPRODUCTION_COUNT = sizeof reproductions / sizeof *reproductions };

static void parse(int argc, char **argv, struct reproduce_arguments *arguments)
{
    const struct option_row options[] = {
        {"table", 't', "TABLE", "one table instead of the report", option_text, &arguments->table,
         NULL},
        {"format", 'f', "FORMAT", "table (default: the report), csv, json or md", option_format,
         &arguments->format, table_format_names},
        {"workload", 'w', "NAME", "only this workload of the paper", option_text,
         &arguments->workload, NULL},
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
        .usage = "[NAME]",
        .help = "Run the experiments of a paper again and print what came out beside what the "
                "paper says. Without NAME: list the papers and their tables.\v"
                "Numbers of the paper have marks: a text number, a statement of its text, or "
                "unknown where it was in a figure that is lost. Ours are never fitted to them.",
        .operand = {
            .name = "paper", .value = "PAPER", .read = option_once, .slot = &arguments->name}};
    options_parse(&line, argc, argv);
}

static enum status list(enum table_format format)
{
    static const char *const headers[] = {"name", "paper", "tables", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < REPRODUCTION_COUNT; i++) {
        char names[200] = "";
        for (size_t k = 0; reproductions[i]->tables[k]; k++) {
            size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                     reproductions[i]->tables[k]);
        }
        table_text(table, reproductions[i]->name);
        table_text(table, reproductions[i]->paper);
        table_text(table, names);
    }
    return table_finish(table, format, stdout);
}

size_t reproduce_table(const struct reproduction *reproduction,
                       const struct reproduce_arguments *arguments)
{
    size_t table = 0;
    while (arguments->table && reproduction->tables[table] &&
           strcmp(reproduction->tables[table], arguments->table) != 0)
        table++;
    return table;
}

static enum status check_table(const struct reproduction *reproduction,
                               const struct reproduce_arguments *arguments,
                               struct diagnostics *diagnostics)
{
    size_t count = 0;
    while (reproduction->tables[count])
        count++;
    if (reproduce_table(reproduction, arguments) < count)
        return STATUS_OK;
    const char *near = nearest_name(arguments->table, reproduction->tables, count);
    char hint[SUGGESTION_TEXT];
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no table '%s'%s",
                             reproduction->name, arguments->table, suggestion(near, hint));
}

static enum status find(const char *name, const struct reproduction **found,
                        struct diagnostics *diagnostics)
{
    const char *names[REPRODUCTION_COUNT];
    *found = NULL;
    for (size_t i = 0; i < REPRODUCTION_COUNT; i++) {
        names[i] = reproductions[i]->name;
        if (!strcmp(name, names[i]))
            *found = reproductions[i];
    }
    if (*found)
        return STATUS_OK;
    const char *near = nearest_name(name, names, REPRODUCTION_COUNT);
    char hint[SUGGESTION_TEXT];
    diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no paper '%s'%s", name,
                      suggestion(near, hint));
    return STATUS_NOT_FOUND;
}

static enum status check_options(const struct reproduction *reproduction,
                                 const struct reproduce_arguments *arguments,
                                 struct diagnostics *diagnostics)
{
    const bool measured = arguments->only || arguments->runs || arguments->traces;
    const bool paper = arguments->workload || arguments->full;
    if (reproduction->measured ? paper : measured)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "%s does not take %s",
                                 reproduction->name,
                                 reproduction->measured ? "--workload and --full; see --only"
                                                        : "--only, --runs and --traces");
    return STATUS_OK;
}

int command_reproduce(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct reproduce_arguments arguments = {0};
    const struct reproduction *reproduction = NULL;
    parse(argc, argv, &arguments);
    enum status status = STATUS_OK;
    if (!arguments.name) {
        status = list(arguments.format);
    } else {
        status = find(arguments.name, &reproduction, &diagnostics);
        if (!status)
            status = check_table(reproduction, &arguments, &diagnostics);
        if (!status)
            status = check_options(reproduction, &arguments, &diagnostics);
        if (!status)
            status = reproduction->run(&arguments, &diagnostics);
    }
    return command_finish(status, &diagnostics);
}
