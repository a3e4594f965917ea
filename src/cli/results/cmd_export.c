/* warpscape export: writes one point of a sweep (the best one, or one chosen by its id) as a
 * machine in YAML, as a gpgpusim.config, or as numbers. A comment at the top of a configuration
 * says where the machine comes from and what it measured. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "config/gpgpusim.h"
#include "config/machine_file.h"

enum { SHARE_TEXT = 48 };

struct export_arguments {
    const char *store, *best, *where, *workload, *output, *to;
    uint64_t point; /* UINT64_MAX: not given */
    enum aggregate across;
    bool force;
};

static void parse(int argc, char **argv, struct export_arguments *arguments)
{
    static const char *const kinds[] = {"yaml", "gpgpusim", "csv", "json", NULL};
    const struct option_row options[] = {
        {"best", 0, "METRIC", "the best point by this metric (of the study's filters)", option_text,
         &arguments->best, NULL},
        {"across", 0, "HOW",
         "with --best: by its mean, geomean, min or max over all workloads; see 'show'",
         option_aggregate, &arguments->across, aggregate_names + AGGREGATE_MEAN},
        {"point", 0, "ID", "the point with this id", option_count, &arguments->point, NULL},
        {"where", 0, "EXPRESSION", "only points for which it holds", option_text, &arguments->where,
         NULL},
        {"workload", 'w', "NAME", "only points of this workload", option_text, &arguments->workload,
         NULL},
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
        .operand = OPERAND_STORE(&arguments->store)};
    options_parse(&line, argc, argv);
    if (!arguments->best == (arguments->point == UINT64_MAX))
        usage_error("expected either --best METRIC or --point ID");
    if (arguments->across && (arguments->workload || !arguments->best))
        usage_error("--across chooses the --best over all workloads");
}

/* The chosen point with a copy of its values. */
struct choice_row {
    bool found;
    struct store_row row;
    double *values;
    size_t column_count;
};

static enum status take_row(void *argument, const struct store_row *row)
{
    struct choice_row *choice = argument;
    choice->values = malloc(choice->column_count * sizeof *choice->values);
    if (!choice->values)
        return STATUS_MEMORY;
    memcpy(choice->values, row->values, choice->column_count * sizeof *choice->values);
    choice->row = *row;
    choice->row.values = choice->values;
    choice->found = true;
    return STATUS_OK;
}

/* The filter "workload = 'NAME' and (...)", malloc'ed; "" if nothing was asked for. */
static char *write_where(const struct export_arguments *arguments)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const char *join = "";
    if (arguments->point != UINT64_MAX) {
        fprintf(out, "id = %" PRIu64, arguments->point);
        join = " and ";
    }
    if (arguments->workload) {
        fprintf(out, "%sworkload = '", join);
        for (const char *c = arguments->workload; *c; c++)
            fprintf(out, "%s%c", *c == '\'' ? "'" : "", *c);
        fputc('\'', out);
        join = " and ";
    }
    if (arguments->where)
        fprintf(out, "%s(%s)", join, arguments->where);
    if (fclose(out)) {
        free(text);
        return NULL;
    }
    return text;
}

static enum status choose_point(const struct export_arguments *arguments, struct store *store,
                                const struct study *study, struct choice_row *choice,
                                struct diagnostics *diagnostics)
{
    const struct metric *const *columns;
    enum direction direction = LOWER_IS_BETTER;
    char sort[128];
    struct query query = {.limit = 1, .across = arguments->across};
    choice->column_count = store_columns(store, &columns);
    if (arguments->best) {
        enum status status =
            results_direction(study, "best", arguments->best, &direction, diagnostics);
        if (status)
            return status;
        snprintf(sort, sizeof sort, "%s%s", direction == HIGHER_IS_BETTER ? "-" : "",
                 arguments->best);
        query.sort = sort;
        query.best_first = true;
        query.eligible = true;
    }
    char *where = write_where(arguments);
    if (!where)
        return STATUS_MEMORY;
    query.where = *where ? where : NULL;
    enum status status = store_query(store, &query, take_row, choice, diagnostics);
    free(where);
    if (!status && !choice->found)
        status = diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s: no such point%s",
                                   arguments->store,
                                   arguments->best ? " passes the study's filters" : "");
    return status;
}

/* The first lines of the configuration: store and point it is from, and the measured values. */
static char *write_title(struct store *store, const struct study *study,
                         const struct choice_row *choice, const struct export_arguments *arguments)
{
    const struct metric *const *columns;
    const struct space *space = store_space(store);
    char *text = NULL, *hash = store_provenance(store, "space_hash");
    char *tool = store_provenance(store, "tool_version");
    size_t size = 0, count = store_columns(store, &columns);
    size_t workload = choice->row.point / space->machines;
    char *digest = store_digest(store, workload), share[SHARE_TEXT];
    FILE *out = open_memstream(&text, &size);
    if (out) {
        fprintf(out, "Point %" PRIu64 " of the study %s (%s, space %s, Warpscape %s)\n",
                choice->row.point, study->name ? study->name : "?", arguments->store,
                hash ? hash : "?", tool ? tool : "?");
        if (choice->row.workloads == 1)
            fprintf(out, "on %s (%s):", study->workloads[workload], digest ? digest : "?");
        else
            fprintf(out, "%s over %s workloads:", aggregate_names[arguments->across],
                    store_row_workload(space, &choice->row, share, sizeof share));
        for (size_t i = 0; i < count; i++) {
            char value[QUANTITY_TEXT];
            if (!isnan(choice->values[i]))
                fprintf(out, "\n  %s = %s", columns[i]->path,
                        quantity_print_real(choice->values[i], columns[i]->unit, value));
        }
        if (fclose(out)) {
            free(text);
            text = NULL;
        }
    }
    free(hash);
    free(tool);
    free(digest);
    return text;
}

/* Puts every line of `title` as a comment before `text`. Frees both; the result is malloc'ed. */
static char *put_comment(const char *title, const char *text)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    if (!out)
        return NULL;
    printable_comment(title, out);
    fputs(text, out);
    if (fclose(out)) {
        free(result);
        return NULL;
    }
    return result;
}

static enum status write_numbers(struct store *store, const struct choice_row *choice, bool across,
                                 enum table_format format, char **text)
{
    struct result_columns columns = {0};
    size_t size = 0;
    enum status status = result_columns_all(store, choice->row.point, across, &columns);
    struct table *table = status ? NULL : results_table(store, &columns);
    FILE *out = table ? open_memstream(text, &size) : NULL;
    if (!out) {
        status = STATUS_MEMORY;
    } else {
        results_add(store, &columns, &choice->row, table);
        status = table_print(table, format, out);
        if (fclose(out) && !status)
            status = STATUS_MEMORY;
    }
    table_free(table);
    free(columns.items);
    return status;
}

static enum status write_configuration(const struct export_arguments *arguments,
                                       struct store *store, const struct study *study,
                                       const struct choice_row *choice, char **text,
                                       struct diagnostics *diagnostics)
{
    struct machine machine;
    const struct space *space = store_space(store);
    char *title = write_title(store, study, choice, arguments), *bare = NULL;
    enum status status = title ? STATUS_OK : STATUS_MEMORY;
    space_machine(space, choice->row.point % space->machines, &machine);
    if (!status && !strcmp(arguments->to, "yaml")) {
        status = machine_to_yaml(&machine, title, text);
    } else if (!status) {
        status = gpgpusim_write(&machine, &bare, diagnostics);
        if (!status && !(*text = put_comment(title, bare)))
            status = STATUS_MEMORY;
    }
    free(title);
    free(bare);
    return status;
}

static void print_choice(const struct export_arguments *arguments, const struct space *space,
                         const struct store_row *row)
{
    char share[SHARE_TEXT];
    printf("%s: ", arguments->output);
    if (row->workloads > 1)
        printf("by %s over %s workloads the machine of ", aggregate_names[arguments->across],
               store_row_workload(space, row, share, sizeof share));
    printf("point %" PRIu64 ",", row->point);
    results_print_point(stdout, space, row->point);
}

static enum status export_point(void *argument, struct store *store, const struct study *study,
                                struct diagnostics *diagnostics)
{
    const struct export_arguments *arguments = argument;
    struct choice_row choice = {0};
    char *text = NULL;
    bool csv = !strcmp(arguments->to, "csv"), json = !strcmp(arguments->to, "json");
    enum status status = choose_point(arguments, store, study, &choice, diagnostics);
    if (!status && (csv || json))
        status = write_numbers(store, &choice, arguments->across != 0, csv ? TABLE_CSV : TABLE_JSON,
                               &text);
    else if (!status)
        status = write_configuration(arguments, store, study, &choice, &text, diagnostics);
    if (!status)
        status = output_write(arguments->output, text, arguments->force, diagnostics);
    if (!status && arguments->output)
        print_choice(arguments, store_space(store), &choice.row);
    free(text);
    free(choice.values);
    return status;
}

int command_export(int argc, char **argv)
{
    struct export_arguments arguments = {.to = "yaml", .point = UINT64_MAX};
    parse(argc, argv, &arguments);
    return results_command(arguments.store, export_point, &arguments);
}
