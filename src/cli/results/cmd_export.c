/* warpscape export: writes one point of a sweep (the best one, or one chosen by its id) as a
 * machine in YAML, as a gpgpusim.config, or as numbers. A comment at the top of a configuration
 * says where the machine comes from and what it measured. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "report/runs/point_export.h"

enum { SHARE_TEXT = 48 };

struct export_arguments {
    struct point_request wanted; /* point UINT64_MAX: not given */
    const char *output, *to;
    bool force;
};

static void cmd_export_parse(int argc, char **argv, struct export_arguments *arguments)
{
    static const char *const kinds[] = {"yaml", "gpgpusim", "csv", "json", NULL};
    const struct option_row options[] = {
        {"best", 0, "METRIC", "the best point by this metric, under the study's filters",
         option_text, &arguments->wanted.best, NULL},
        {"across", 0, "HOW",
         "with --best: by its mean, geomean, min or max over all workloads, see 'show' (default: "
         "geomean, unless --workload names one)",
         option_aggregate, &arguments->wanted.across, aggregate_names + AGGREGATE_MEAN},
        {"point", 0, "ID", "the point with this id", option_count, &arguments->wanted.point, NULL},
        {"where", 0, "EXPRESSION", "only points that satisfy it", option_text,
         &arguments->wanted.where, NULL},
        {"workload", 'w', "NAME", "only points of this workload", option_once,
         &arguments->wanted.workload, NULL},
        {"to", 0, "KIND", "yaml (default), gpgpusim, csv or json", option_word, &arguments->to,
         kinds},
        {"output", 'o', "FILE", "write this file (default: standard output)", option_file,
         &arguments->output, NULL},
        OPTION_FORCE("FILE", &arguments->force),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "STORE.db",
        .help = "Write one point of a sweep as a machine file, as the configuration of another "
                "simulator or as numbers.",
        .operand = OPERAND_STORE(&arguments->wanted.store)};
    options_parse(&line, argc, argv);
    if (!arguments->wanted.best == (arguments->wanted.point == UINT64_MAX))
        usage_error("expected either --best METRIC or --point ID");
    if (arguments->wanted.across && (arguments->wanted.workload || !arguments->wanted.best))
        usage_error("--across chooses the --best over all workloads");
}

static enum status write_numbers(struct store *store, const struct chosen_point *choice,
                                 bool across, enum table_format format, char **text)
{
    struct result_columns columns = {0};
    struct text_stream stream = {0};
    enum status status = result_columns_all(store, choice->row.point, across, &columns);
    struct table *table = status ? NULL : results_table(store, &columns);
    if (table && text_stream_open(&stream)) {
        results_add(store, &columns, &choice->row, table);
        status = table_print(table, format, stream.out);
    }
    status = text_stream_finish(&stream, status, text);
    table_free(table);
    free(columns.items);
    return status;
}

static void print_choice(const struct export_arguments *arguments, const struct space *space,
                         const struct store_row *row, enum aggregate across)
{
    char share[SHARE_TEXT];
    printf("%s: ", arguments->output);
    if (row->workloads > 1)
        printf("by %s over %s workloads the machine of ", aggregate_names[across],
               store_row_workload(space, row, share, sizeof share));
    printf("point %" PRIu64 ",", row->point);
    results_print_point(stdout, space, row->point);
}

static enum status export_point(void *argument, struct store *store, const struct study *study,
                                struct diagnostics *diagnostics)
{
    const struct export_arguments *arguments = argument;
    struct chosen_point choice;
    char *text = NULL;
    bool csv = !strcmp(arguments->to, "csv"), json = !strcmp(arguments->to, "json");
    enum status status = point_choose(&arguments->wanted, store, study, &choice, diagnostics);
    if (!status && (csv || json))
        status =
            write_numbers(store, &choice, choice.across != 0, csv ? TABLE_CSV : TABLE_JSON, &text);
    else if (!status)
        status = point_configuration(&arguments->wanted, store, study, &choice,
                                     strcmp(arguments->to, "yaml") != 0, &text, diagnostics);
    if (!status)
        status = output_write(arguments->output, text, arguments->force, diagnostics);
    if (!status && arguments->wanted.best)
        status = results_coverage(store, true, TABLE_TEXT, diagnostics);
    if (!status && arguments->output)
        print_choice(arguments, store_space(store), &choice.row, choice.across);
    free(text);
    chosen_point_free(&choice);
    return status;
}

int command_export(int argc, char **argv)
{
    struct export_arguments arguments = {.wanted.point = UINT64_MAX, .to = "yaml"};
    cmd_export_parse(argc, argv, &arguments);
    return results_command(arguments.wanted.store, export_point, &arguments);
}
