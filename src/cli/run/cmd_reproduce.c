/* warpscape reproduce: the experiments of a paper on our models, beside what the paper says. */
#include <stdlib.h>
#include <string.h>

#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"

enum { OPTION_FULL = 256 };

static const struct argp_option options[] = {
    {"table", 't', "TABLE", 0, "one table instead of the report", 0},
    {"format", 'f', "FORMAT", 0, "table (default: the report), csv, json or md", 0},
    {"workload", 'w', "NAME", 0, "only this workload of the paper", 0},
    {"full", OPTION_FULL, NULL, 0, "the sizes of the benchmark suites: hours instead of seconds",
     0},
    {"threads", 'j', "COUNT", 0, "threads; 0: all (default)", 0},
    {0}};

#define REPRODUCTION_ADDRESS(name) &reproduction_##name,
static const struct reproduction *const reproductions[] = {REPRODUCTION_LIST(REPRODUCTION_ADDRESS)};
enum { REPRODUCTION_COUNT = sizeof reproductions / sizeof *reproductions };

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct reproduce_arguments *arguments = state->input;
    switch (key) {
    case 't':
        arguments->table = text;
        return 0;
    case 'f':
        arguments->format = options_format(state, text);
        return 0;
    case 'j':
        arguments->threads = options_threads(state, text);
        return 0;
    case 'w':
        arguments->workload = text;
        return 0;
    case OPTION_FULL:
        arguments->full = true;
        return 0;
    case ARGP_KEY_ARG:
        options_take(state, &arguments->name, text, "paper");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[NAME]",
    "Run the experiments of a paper again and print what came out beside what the paper says. "
    "Without NAME: list the papers and their tables.\v"
    "Numbers of the paper have marks: a text number, a statement of its text, or unknown where it "
    "was "
    "in a figure that is lost. Ours are never fitted to them.",
    NULL,
    NULL,
    NULL};

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
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no table '%s'%s%s%s",
                             reproduction->name, arguments->table, near ? "; did you mean '" : "",
                             near ? near : "", near ? "'?" : "");
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
    diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no paper '%s'%s%s%s", name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return STATUS_NOT_FOUND;
}

int command_reproduce(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct reproduce_arguments arguments = {0};
    const struct reproduction *reproduction = NULL;
    options_parse(&argp, argc, argv, &arguments);
    enum status status = STATUS_OK;
    if (!arguments.name) {
        status = list(arguments.format);
    } else {
        status = find(arguments.name, &reproduction, &diagnostics);
        if (!status)
            status = check_table(reproduction, &arguments, &diagnostics);
        if (!status)
            status = reproduction->run(&arguments, &diagnostics);
    }
    return command_finish(status, &diagnostics);
}
