/* warpscape area: what the structures of a machine take in silicon, memory by memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cli/shared/cacti_program.h"
#include "cli/shared/command.h"
#include "cli/shared/machine_argument.h"
#include "cli/shared/options.h"
#include "model/area/area.h"
#include "report/runs/area_report.h"
#include "report/runs/cacti_report.h"

struct area_arguments {
    const char *machine;
    struct options_list settings;
    const char *node, *cacti;
    struct options_list anchors;
    bool explain;
    enum table_format format;
};

static void cmd_area_parse(int argc, char **argv, struct area_arguments *arguments)
{
    const struct option_row options[] = {
        {"anchor", 0, "METRIC=VALUE",
         "calibrate by a measured value (pwc.access_time=147ps), which scales all estimates of its "
         "kind; may be repeated",
         option_list, &arguments->anchors, NULL},
        {"cacti", 0, "PATH", "run this CACTI 7 for every memory and print its results beside ours",
         option_once, &arguments->cacti, NULL},
        {"explain", 0, NULL, "as a tree: each memory, the basis of its estimate, its error band",
         option_flag, &arguments->explain, NULL},
        {"node", 0, "LENGTH", "process node, 3nm to 90nm: as --set tech.node=LENGTH", option_once,
         &arguments->node, NULL},
        OPTION_FORMAT(&arguments->format),
        OPTION_SET(&arguments->settings),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "[MACHINE]",
        .help = "List the storage bits (exact) and the area, access time, read energy and leakage "
                "(after CACTI 7) of a machine's caches, TLBs and tables, of one and of all copies "
                "(default: gtx480).\v"
                "An estimate rests on runs of CACTI around it (table), on the nearest runs and a "
                "closed form, or is extrapolated: --explain says more. --set tech.target=fpga "
                "lists the block "
                "RAMs, look-up tables and registers of an FPGA instead.",
        .operand = OPERAND_MACHINE(&arguments->machine)};
    options_parse(&line, argc, argv);
}

/* "METRIC=VALUE" as a factor on all estimates of this kind, which is printed for the YAML of the
 * machine. */
static enum status anchor(const char *text, struct machine *machine,
                          struct diagnostics *diagnostics)
{
    char path[64];
    double value;
    const char *equals = strchr(text, '=');
    snprintf(path, sizeof path, "%.*s", equals ? (int)(equals - text) : (int)strlen(text), text);
    const struct metric *metric = metric_find(path);
    if (!metric) {
        const char *near = metric_nearest(path);
        return diagnostics_error(diagnostics, STATUS_INVALID, "--anchor: unknown metric '%s'%s%s%s",
                                 path, near ? "; did you mean '" : "", near ? near : "",
                                 near ? "'?" : "");
    }
    if (!equals || quantity_parse_real(equals + 1, metric->unit, &value) || !(value > 0))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--anchor: expected %s=VALUE in %s, found '%s'", path,
                                 unit_name(metric->unit), text);
    const struct parameter *parameter = area_anchor(machine, metric, value);
    if (!parameter)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "--anchor: %s is no area, time, energy or leakage that this "
                                 "machine has within a factor of 1000",
                                 path);
    fprintf(stderr, "tech: {scale: {%s: %.6g}} # %s\n", strrchr(parameter->path, '.') + 1,
            parameter_get(parameter, machine).real, text);
    return STATUS_OK;
}

/* --node as one more setting. The text is malloc'ed. */
static enum status add_node(struct area_arguments *arguments, char **text)
{
    *text = NULL;
    if (!arguments->node)
        return STATUS_OK;
    if (asprintf(text, "tech.node=%s", arguments->node) < 0)
        return STATUS_MEMORY;
    const struct option_row row = {.name = "node", .slot = &arguments->settings};
    option_list(&row, *text);
    return STATUS_OK;
}

/* One row for each memory of a machine. What CACTI refuses is a row too; a CACTI that is not there
 * is an error. */
static enum status ask_cacti(const char *program, const struct machine *machine,
                             enum table_format format, struct diagnostics *diagnostics)
{
    struct cacti_row rows[STRUCTURE_COUNT * MEMORY_ARRAYS];
    size_t count = 0;
    enum status status = STATUS_OK;
    if (machine->tech.target == TARGET_FPGA)
        return diagnostics_error(diagnostics, STATUS_INVALID, "--cacti: CACTI knows no FPGA");
    for (int id = 0; id < STRUCTURE_COUNT && status != STATUS_NOT_FOUND; id++) {
        struct area_structure found;
        area_describe(machine, (enum structure_id)id, &found);
        for (size_t i = 0; i < found.count && status != STATUS_NOT_FOUND; i++) {
            struct diagnostics why = DIAGNOSTICS_INIT;
            struct cacti_row *row = &rows[count++];
            const struct memory_array *array = &found.memories[i].array;
            *row = (struct cacti_row){.structure = structure_table[id].path,
                                      .memory = array->name,
                                      .ours = found.memories[i].one};
            status = cacti_program_ask(program, array, machine->tech.node * 1e9, &row->cacti, &why);
            if (status)
                row->reason = strdup(why.count && why.items[0].message ? why.items[0].message
                                                                       : status_text(status));
            if (status == STATUS_NOT_FOUND)
                diagnostics_move(diagnostics, &why);
            diagnostics_free(&why);
        }
    }
    status = status == STATUS_NOT_FOUND ? status : cacti_report_print(rows, count, format, stdout);
    for (size_t i = 0; i < count; i++)
        free(rows[i].reason);
    return status;
}

int command_area(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct area_arguments arguments = {0};
    struct machine machine;
    cmd_area_parse(argc, argv, &arguments);
    if (!arguments.machine)
        arguments.machine = "gtx480";
    char *node;
    const enum status added = add_node(&arguments, &node);
    char *name = added ? NULL : machine_argument_text(arguments.machine, &arguments.settings);
    enum status status = name ? machine_argument_load(arguments.machine, &arguments.settings,
                                                      DEPTH_FUNCTIONAL, &machine, &diagnostics)
                              : STATUS_MEMORY;
    for (size_t i = 0; i < arguments.anchors.count && !status; i++)
        status = anchor(arguments.anchors.items[i], &machine, &diagnostics);
    if (!status && arguments.cacti) {
        status = ask_cacti(arguments.cacti, &machine, arguments.format, &diagnostics);
    } else if (!status) {
        const struct area_report report = {&machine, name, arguments.explain,
                                           options_columns(STDOUT_FILENO)};
        status = area_report_print(&report, arguments.format, stdout);
    }
    free(name);
    free(node);
    options_list_free(&arguments.anchors);
    options_list_free(&arguments.settings);
    return command_finish(status, &diagnostics);
}
