/* warpscape show: the points of a sweep as a table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/results.h"

enum { OPTION_FRONT = 256, OPTION_COLUMNS };

/* Rows of a table for people where nothing else is said, and of one block of CSV. */
enum { LIMIT_DEFAULT = 40, BLOCK_ROWS = 4096 };

struct show_arguments {
    const char *store, *columns;
    struct query query;
    enum table_format format;
    bool limited;
};

static const struct argp_option options[] = {
    {"front", OPTION_FRONT, NULL, 0,
     "only the Pareto front of the study's objectives, for each workload", 0},
    {"where", 'w', "EXPRESSION", 0, "only points for which it holds", 0},
    {"sort", 's', "NAME", 0, "by a parameter or metric; -NAME: the largest first", 0},
    {"limit", 'n', "COUNT", 0, "so many rows; 0: all (default: 40; csv and json: all)", 0},
    {"format", 'f', "FORMAT", 0, "table (default), csv, json or md", 0},
    {"columns", OPTION_COLUMNS, "NAME,...", 0,
     "id, workload, parameters, metrics (default: the axes and all that the study stored)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct show_arguments *arguments = state->input;
    switch (key) {
    case OPTION_FRONT:
        arguments->query.front = true;
        return 0;
    case 'w':
        arguments->query.where = text;
        return 0;
    case 's':
        arguments->query.sort = text;
        return 0;
    case 'n':
        arguments->limited = true;
        if (quantity_parse_uint(text, UNIT_NONE, &arguments->query.limit))
            argp_error(state, "--limit: expected a whole number, got '%s'", text);
        return 0;
    case 'f':
        arguments->format = options_format(state, text);
        return 0;
    case OPTION_COLUMNS:
        arguments->columns = text;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->store)
            argp_error(state, "one store is enough; '%s' is a second one", text);
        arguments->store = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected the store of a sweep, for example overnight.db");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "STORE.db",
    "Print the points of a sweep, also while it is running.\v"
    "EXPRESSION is an SQL condition over parameters and metrics, for example "
    "\"l1d.size <= 32KiB and l1d.replacement = 'lru' and l1d.miss_rate < 40%\".",
    NULL,
    NULL,
    NULL};

struct printer {
    struct store *store;
    const struct result_columns *columns;
    enum table_format format;
    struct table *table;
    uint64_t rows, limit;
    size_t block; /* rows in the table */
    bool started; /* a block of CSV has been printed, with the header */
};

/* Prints the table without its header line: CSV of any length goes out block by block. */
static enum status print_block(struct printer *printer)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return STATUS_MEMORY;
    enum status status = table_print(printer->table, printer->format, memory);
    if (fclose(memory) && !status)
        status = STATUS_MEMORY;
    const char *rows = text;
    if (!status && printer->started)
        rows = strchr(text, '\n') + 1;
    if (!status && fputs(rows, stdout) == EOF)
        status = STATUS_IO;
    printer->started = true;
    free(text);
    table_free(printer->table);
    printer->table = results_table(printer->store, printer->columns);
    printer->block = 0;
    return !status && !printer->table ? STATUS_MEMORY : status;
}

static enum status add_row(void *argument, const struct store_row *row)
{
    struct printer *printer = argument;
    if (printer->limit && printer->rows++ == printer->limit)
        return STATUS_OK; /* one more was asked for, to know whether there are more */
    results_add(printer->store, printer->columns, row, printer->table);
    printer->block++;
    if (printer->format == TABLE_CSV && printer->block == BLOCK_ROWS)
        return print_block(printer);
    return STATUS_OK;
}

static enum status print_rows(const struct show_arguments *arguments, struct store *store,
                              const struct result_columns *columns, struct diagnostics *diagnostics)
{
    struct query query = arguments->query;
    bool for_people = arguments->format == TABLE_TEXT || arguments->format == TABLE_MARKDOWN;
    if (for_people && !arguments->limited)
        query.limit = LIMIT_DEFAULT;
    struct printer printer = {.store = store,
                              .columns = columns,
                              .format = arguments->format,
                              .table = results_table(store, columns),
                              .limit = query.limit};
    query.limit += query.limit != 0;
    enum status status =
        printer.table ? store_query(store, &query, add_row, &printer, diagnostics) : STATUS_MEMORY;
    if (!status && printer.format == TABLE_CSV)
        status = printer.block || !printer.started ? print_block(&printer) : STATUS_OK;
    else if (!status)
        status = table_print(printer.table, printer.format, stdout);
    if (!status && fflush(stdout))
        status = STATUS_IO;
    if (status == STATUS_IO)
        diagnostics_error(diagnostics, status, "standard output cannot be written");
    if (!status && printer.limit && printer.rows > printer.limit && !arguments->limited)
        fprintf(stderr, "the first %" PRIu64 " rows; --limit 0 shows all\n", printer.limit);
    table_free(printer.table);
    return status;
}

int command_show(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct show_arguments arguments = {0};
    struct result_columns columns = {0};
    struct store *store;
    const struct study *study;
    options_parse(&argp, argc, argv, &arguments);
    enum status status = store_open(arguments.store, &store, &study, &diagnostics);
    if (!status) {
        status = result_columns_choose(store, arguments.columns, &columns, &diagnostics);
        if (!status)
            status = print_rows(&arguments, store, &columns, &diagnostics);
        store_close(store);
    }
    free(columns.items);
    return command_finish(status, &diagnostics);
}
