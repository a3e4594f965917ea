/* warpscape compare: what differs between two sweeps, and nothing else. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "explore/store/difference.h"
#include "report/number.h"

/* Points and values that are listed for people where nothing else is said. */
enum { LIMIT_DEFAULT = 40 };

struct compare_arguments {
    const char *stores[2];
    enum table_format format;
    uint64_t limit;
    bool limited;
};

static const struct argp_option options[] = {
    {"limit", 'n', "COUNT", 0,
     "so many points and so many values; 0: all (default: 40; csv and json: all)", 0},
    {"format", 'f', "FORMAT", 0, "table (default), csv, json or md", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct compare_arguments *arguments = state->input;
    switch (key) {
    case 'n':
        arguments->limited = true;
        if (quantity_parse_uint(text, UNIT_NONE, &arguments->limit))
            argp_error(state, "--limit: expected a whole number, got '%s'", text);
        return 0;
    case 'f':
        arguments->format = options_format(state, text);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "two stores are compared; '%s' is a third one", text);
        arguments->stores[state->arg_num] = text;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_error(state, "expected two stores");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "A.db B.db",
    "Say what differs between two sweeps: studies, machines, points, values.\v"
    "A point of one store is the point of the other with the same workload and the same values of "
    "every axis of either, so sweeps over two machines can be compared.",
    NULL,
    NULL,
    NULL};

struct printer {
    const struct space *spaces[2];
    struct table *table;
    uint64_t limit, points, values;
};

static void add_point_id(struct table *table, uint64_t point)
{
    if (point == NO_POINT)
        table_text(table, "-");
    else
        table_printf(table, "#%" PRIu64, point);
}

static void add_change(struct table *table, double a, double b)
{
    char text[NUMBER_TEXT];
    table_text(table, change_print(a, b, text));
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
        table_text(printer->table, difference->a ? difference->a : "-");
        table_text(printer->table, difference->b ? difference->b : "-");
        table_text(printer->table, "");
        table_text(printer->table, "");
        return STATUS_OK;
    }
    char text[QUANTITY_TEXT];
    if (kind == DIFFERENCE_POINT) {
        add_point_id(printer->table, difference->a_point);
        add_point_id(printer->table, difference->b_point);
        table_text(printer->table, "");
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
    static const char *const headers[] = {"what", "name", "A", "B", ">change", "point", NULL};
    bool for_people = arguments->format == TABLE_TEXT || arguments->format == TABLE_MARKDOWN;
    struct printer printer = {.spaces = {store_space(stores[0]), store_space(stores[1])},
                              .limit = arguments->limited ? arguments->limit
                                       : for_people       ? LIMIT_DEFAULT
                                                          : 0,
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
    if (printer.limit && (printer.points > printer.limit || printer.values > printer.limit))
        fprintf(stderr, "the first %s of each kind; --limit 0 shows all\n",
                counted_print(printer.limit, "line", counts[0]));
    return STATUS_OK;
}

int command_compare(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct compare_arguments arguments = {0};
    struct store *stores[2] = {NULL, NULL};
    const struct study *studies[2];
    options_parse(&argp, argc, argv, &arguments);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < 2; i++) {
        enum status opened = store_open(arguments.stores[i], &stores[i], &studies[i], &diagnostics);
        status = status ? status : opened;
    }
    if (!status)
        status = compare_stores(&arguments, stores, &diagnostics);
    store_close(stores[0]);
    store_close(stores[1]);
    return command_finish(status, &diagnostics);
}
