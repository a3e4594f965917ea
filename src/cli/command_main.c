/* The entry point: guards the standard streams, picks the subcommand from argv[1], and turns lost
 * output into an error at the end. An option, a machine or an existing file in place of the
 * subcommand starts the explorer. Without arguments that is the explorer on a terminal, else `run`,
 * so that a pipe gets a report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "cli/shared/command.h"
#include "cli/shared/complete.h"
#include "cli/shared/man_page.h"
#include "cli/shared/output.h"
#include "cli/shared/standard_streams.h"
#include "schema/ideals.h"
#include "schema/metrics.h"
#include "schema/moved_settings.h"
#include "schema/parameters.h"
#include "workload/arguments.h"

#define COMMAND_ROW(name, help) {#name, help, command_##name},
const struct command subcommands[] = {COMMAND_LIST(COMMAND_ROW){0}};
enum { COMMAND_COUNT = sizeof subcommands / sizeof *subcommands - 1 };

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(subcommands[i].name, name))
            return &subcommands[i];
    return NULL;
}

static void print_help(FILE *out)
{
    fputs("warpscape " WARPSCAPE_VERSION " - explorer of GPU memory hierarchies\n\n"
          "Usage: warpscape [COMMAND] [OPTION...]\n\nCommands:\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", subcommands[i].name, subcommands[i].help);
    fputs(
        "\nwarpscape COMMAND --help says more, warpscape help NAME explains a parameter, metric\n"
        "or ideal. Without a command: the explorer on a terminal, a report of the default machine\n"
        "and workload elsewhere. A machine or a file in place of the command opens the explorer\n"
        "on it.\n",
        out);
}

/* A machine may stand in the place of a command. `what` the name should be of. */
static int unknown_command(const char *name, const char *what)
{
    enum { MACHINES_MAX = 64 };
    const char *names[COMMAND_COUNT + MACHINES_MAX];
    size_t count = 0;
    for (; count < COMMAND_COUNT; count++)
        names[count] = subcommands[count].name;
    for (size_t i = 0; embedded_machines[i].name && i < MACHINES_MAX; i++)
        names[count++] = embedded_machines[i].name;
    const char *nearest = nearest_name(name, names, count);
    char hint[SUGGESTION_TEXT];
    if (embedded_find(embedded_studies, name)) {
        fprintf(stderr, "warpscape: '%s' is a study: warpscape sweep %s runs it\n", name, name);
        return 2;
    }
    if (strchr(name, '/') || strchr(name, '.')) {
        fprintf(stderr, "warpscape: no file '%s'%s\n", name, suggestion(nearest, hint));
        return 2;
    }
    fprintf(stderr, "warpscape: unknown %s '%s'%s\nwarpscape --help lists the commands\n", what,
            name, suggestion(nearest, hint));
    return 2;
}

int command_finish(enum status status, struct diagnostics *diagnostics)
{
    diagnostics_print(diagnostics, stderr);
    bool said = diagnostics->errors || (status == STATUS_IO && output_lost());
    if (status && !said && status != STATUS_CANCELLED)
        fprintf(stderr, "warpscape: %s\n", status_text(status));
    bool failed = status || diagnostics->errors;
    diagnostics_free(diagnostics);
    if (status == STATUS_CANCELLED)
        return 75;
    return failed ? 1 : 0;
}

/* Whether parameters have paths that begin with this name. */
static bool is_group(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < parameter_count; i++)
        if (!strncmp(parameters[i].path, name, length) && parameters[i].path[length] == '.')
            return true;
    return false;
}

/* `warpscape help NAME`: of a command, or what its manual says of a parameter, a group of them, a
 * metric, an ideal or a workload, in the format that is asked for. argv[0] is `help`. */
static int help_of(int argc, char **argv)
{
    static char help[] = "--help";
    char *const name = argv[1], *words[] = {name, help, NULL};
    enum ideal ideal;
    char hint[SUGGESTION_TEXT];
    const struct command *command = find_command(name);
    argv[0] = name;
    if (parameter_find(name) || (is_group(name) && !command))
        return command_params(argc, argv);
    if (metric_find(name))
        return command_metrics(argc, argv);
    if (ideal_find(name, &ideal, NULL))
        return command_ideals(argc, argv);
    if (workload_find(name) && !command)
        return command_workloads(argc, argv);
    if (argc > 2 && (command || embedded_find(embedded_machines, name))) {
        fprintf(stderr, "warpscape: help of a %s takes no options\n",
                command ? "command" : "machine");
        return 2;
    }
    if (command)
        return command->run(2, words);
    if (embedded_find(embedded_machines, name)) {
        printf("%s is a machine: warpscape %s explores it, warpscape run %s prints what it does,\n"
               "warpscape machines says where its numbers come from.\n",
               name, name, name);
        return 0;
    }
    if (!strchr(name, '.'))
        return unknown_command(name, "command, parameter, workload or machine");
    fprintf(stderr, "warpscape: no parameter, metric or ideal '%s'%s\n", name,
            name_suggestion(name, NULL, 0, hint));
    return 2;
}

static int run_command(int argc, char **argv)
{
    static char run[] = "run", explore[] = "explore";
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    char *fallback[] = {terminal ? explore : run, NULL};
    if (argc < 2)
        return terminal ? command_explore(1, fallback) : command_run(1, fallback);
    if (argc > 2 && !strcmp(argv[1], "help"))
        return help_of(argc - 1, argv + 1);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help(stdout);
        return 0;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        puts("warpscape " WARPSCAPE_VERSION);
        return 0;
    }
    if (!strcmp(argv[1], COMPLETE_COMMAND))
        return complete_words(argc - 2, argv + 2);
    if (!strcmp(argv[1], MAN_COMMAND))
        return man_page();
    const struct command *command = find_command(argv[1]);
    if (command)
        return command->run(argc - 1, argv + 1);
    /* `warpscape machine.yaml`, `warpscape gtx480` and `warpscape --script x` start the explorer.
     */
    if (argv[1][0] == '-' || !access(argv[1], F_OK) || embedded_find(embedded_machines, argv[1])) {
        argv[0] = explore;
        return command_explore(argc, argv);
    }
    return unknown_command(argv[1], "command");
}

int command_main(int argc, char **argv)
{
    standard_streams_guard();
    return output_finish(run_command(argc, argv));
}
