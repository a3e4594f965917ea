/* warpscape compare: lists what differs between two stores: study, machine, axes, workloads, points
 * and values. Prints nothing that is equal, so an empty list means that the results agree. Two
 * points of one store are compared in compare_points.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/results/compare_points.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "explore/store/difference.h"
#include "report/drawing/number.h"

/* How many points and values are listed for people by default. */
enum { LIMIT_USUAL = 40 };

struct compare_arguments {
    struct options_list stores;
    const char *points; /* of one store; NULL: two stores are compared */
    enum table_format format;
    uint64_t limit;
};

static void cmd_compare_parse(int argc, char **argv, struct compare_arguments *arguments)
{
    const struct option_row options[] = {
        OPTION_LIMIT("at most this many points and values", "40", &arguments->limit),
        {"points", 0, "ID,ID", "of one store: what makes two points of a workload differ",
         option_text, &arguments->points, NULL},
        OPTION_FORMAT(&arguments->format),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "A.db B.db\nA.db --points ID,ID",
        .help =
            "Compare two sweeps: studies, machines, points, values; or two points of one.\v"
            "A point of one store is the point of the other with the same workload and the "
            "same values of every axis of either, so sweeps over two machines can be compared.\n\n"
            "--points takes a difference apart: each axis in which the points differ gets the "
            "change that its value makes, averaged over all orders in which the axes can go "
            "from the first point to the second. The parts add up to the difference. The "
            "points between must be in the store.",
        .operand = {
            .name = "store", .value = "STORE", .read = option_list, .slot = &arguments->stores}};
    options_parse(&line, argc, argv);
    if (arguments->points && arguments->stores.count != 1)
        usage_error("--points compares two points of one store");
    if (arguments->points)
        return;
    if (arguments->stores.count > 2)
        usage_error("two stores are compared; '%s' is a third one", arguments->stores.items[2]);
    if (arguments->stores.count < 2)
        usage_error("expected two stores");
}

struct printer {
    const struct space *spaces[2];
    struct table *table;
    uint64_t limit, points, values;
};

static void add_point_id(struct table *table, uint64_t point)
{
    char text[24];
    snprintf(text, sizeof text, "#%" PRIu64, point);
    if (point == NO_POINT)
        table_number(table, NAN, "-");
    else
        table_number(table, (double)point, text);
}

/* A text, "-" if there is none. `path`: it is the value of this parameter, NULL: it is any text. */
static void add_word(struct table *table, const char *path, const char *word)
{
    const struct parameter *parameter = path ? parameter_find(path) : NULL;
    struct value value;
    if (word && parameter && !parameter_parse(parameter, word, &value, NULL))
        results_add_value(table, parameter, value);
    else
        table_text(table, word ? word : "-");
}

static void add_change(struct table *table, double a, double b)
{
    char text[NUMBER_TEXT];
    /* Programs get the change as a share of the first value. */
    table_number(table, a == b ? 0 : (b - a) / fabs(a), change_print(a, b, text));
}

static enum status print_difference(void *argument, const struct difference *difference)
{
    static const char *const kinds[] = {"study", "machine", "axis", "workload", "point", "value"};
    struct printer *printer = argument;
    enum difference_kind kind = difference->kind;
    if ((kind == DIFFERENCE_POINT && printer->limit && ++printer->points > printer->limit) ||
        (kind == DIFFERENCE_METRIC && printer->limit && ++printer->values > printer->limit))
        return STATUS_OK;
    table_text(printer->table, kinds[kind]);
    table_text(printer->table, difference->name);
    if (kind < DIFFERENCE_POINT) {
        const char *path = kind == DIFFERENCE_MACHINE ? difference->name : NULL;
        add_word(printer->table, path, difference->a);
        add_word(printer->table, path, difference->b);
        table_text(printer->table, NULL);
        table_text(printer->table, NULL);
        return STATUS_OK;
    }
    char text[QUANTITY_TEXT];
    if (kind == DIFFERENCE_POINT) {
        add_point_id(printer->table, difference->a_point);
        add_point_id(printer->table, difference->b_point);
        table_text(printer->table, NULL);
    } else {
        enum unit unit = difference->metric->unit;
        table_number(printer->table, difference->a_value,
                     quantity_print_short(difference->a_value, unit, 6, text));
        table_number(printer->table, difference->b_value,
                     quantity_print_short(difference->b_value, unit, 6, text));
        add_change(printer->table, difference->a_value, difference->b_value);
    }
    bool in_a = difference->a_point != NO_POINT;
    char where[POINT_TEXT];
    table_text(printer->table, results_point_text(printer->spaces[!in_a],
                                                  in_a ? difference->a_point : difference->b_point,
                                                  where, sizeof where));
    return STATUS_OK;
}

static enum status compare_stores(const struct compare_arguments *arguments,
                                  struct store *const stores[2], struct diagnostics *diagnostics)
{
    static const char *const headers[] = {"what", "name", "A|a", "B|b", ">change", "point", NULL};
    const bool for_people = arguments->format == TABLE_TEXT || arguments->format == TABLE_MARKDOWN;
    struct printer printer = {.spaces = {store_space(stores[0]), store_space(stores[1])},
                              .limit =
                                  limit_meant(arguments->limit, LIMIT_USUAL, arguments->format),
                              .table = table_create(headers)};
    struct difference_summary summary;
    if (!printer.table)
        return STATUS_MEMORY;
    enum status status =
        stores_compare(stores[0], stores[1], print_difference, &printer, &summary, diagnostics);
    bool any = table_rows(printer.table) > 0;
    if (!status && (any || !for_people))
        status = table_print(printer.table, arguments->format, stdout);
    table_free(printer.table);
    if (status || !for_people)
        return status;
    char counts[4][COUNT_TEXT];
    printf("%s%s in both, %s of them with other values; %s only in A, %s only in B\n",
           any ? "\n" : "", counted_print(summary.shared, "point", counts[0]),
           count_print(summary.differing, counts[1]), count_print(summary.only_a, counts[2]),
           count_print(summary.only_b, counts[3]));
    if (summary.rowless)
        printf("%s not compared: done in both, but the summary has no row of them\n",
               counted_print(summary.rowless, "point", counts[0]));
    const enum depth depths[2] = {printer.spaces[0]->study->depth, printer.spaces[1]->study->depth};
    if (depths[0] != depths[1])
        printf("A is of depth %s, B of depth %s: their values come from different models\n",
               depth_name(depths[0]), depth_name(depths[1]));
    if (printer.limit && (printer.points > printer.limit || printer.values > printer.limit))
        fprintf(stderr, "the first %s of each kind; --limit 0 shows all\n",
                counted_print(printer.limit, "line", counts[0]));
    return STATUS_OK;
}

static enum status use_points(void *argument, struct store *store, const struct study *study,
                              struct diagnostics *diagnostics)
{
    const struct compare_arguments *arguments = argument;
    (void)study;
    return compare_points(store, arguments->points, arguments->format, diagnostics);
}

int command_compare(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct compare_arguments arguments = {.limit = LIMIT_UNSAID};
    struct store *stores[2] = {NULL, NULL};
    const struct study *studies[2];
    cmd_compare_parse(argc, argv, &arguments);
    if (arguments.points) {
        const int code = results_command(arguments.stores.items[0], use_points, &arguments);
        options_list_free(&arguments.stores);
        return code;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 2; i++) {
        enum status opened =
            store_open(arguments.stores.items[i], &stores[i], &studies[i], &diagnostics);
        status = status ? status : opened;
    }
    if (!status)
        status = compare_stores(&arguments, stores, &diagnostics);
    store_close(stores[0]);
    store_close(stores[1]);
    options_list_free(&arguments.stores);
    return command_finish(status, &diagnostics);
}
