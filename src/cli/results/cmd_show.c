/* warpscape show: queries a sweep and prints its points as a table: filters, orders, groups,
 * fronts. Rows are printed in blocks of BLOCK_ROWS, so the table does not grow with the result. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "explore/results/knee.h"
#include "report/runs/point_export.h"

/* How many rows people get by default, and how many are in memory at once. */
enum { LIMIT_USUAL = 40, BLOCK_ROWS = 4096 };

struct show_arguments {
    const char *store, *columns, *pareto, *group_by;
    struct query query;
    struct grouping grouping;
    enum table_format format;
};

static void cmd_show_parse(int argc, char **argv, struct show_arguments *arguments)
{
    struct query *query = &arguments->query;
    const struct option_row options[] = {
        {"front", 0, NULL, "only the Pareto front of the study's objectives, for each workload",
         option_flag, &query->front, NULL},
        {"pareto", 0, "METRIC,...",
         "only the Pareto front of these metrics; METRIC:min and METRIC:max choose a direction",
         option_text, &arguments->pareto, NULL},
        {"group-by", 0, "PARAMETER,...",
         "one row per group of points with the same workload and the same values of these axes",
         option_text, &arguments->group_by, NULL},
        {"aggregate", 0, "HOW",
         "aggregate of each metric over a group: mean (default), geomean, min or max",
         option_aggregate, &arguments->grouping.aggregate, aggregate_names + AGGREGATE_MEAN},
        {"across", 0, "HOW",
         "one row per machine, over all workloads: mean, geomean, min or max of each metric",
         option_aggregate, &query->across, aggregate_names + AGGREGATE_MEAN},
        {"where", 0, "EXPRESSION", "only points that satisfy it", option_text, &query->where, NULL},
        {"sort", 0, "NAME", "sort by a parameter or metric; -NAME: largest first", option_text,
         &query->sort, NULL},
        OPTION_LIMIT("at most this many rows", "40", &query->limit),
        OPTION_FORMAT(&arguments->format),
        {"columns", 0, "NAME,...",
         "id, workload, workloads, points, parameters, metrics (default: the axes and all that the "
         "study stored)",
         option_text, &arguments->columns, NULL},
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "STORE.db",
        .help = "Print the points of a sweep, also while it is running.\v"
                "EXPRESSION is an SQL condition over parameters and metrics, for example "
                "\"l1d.size <= 32KiB and l1d.replacement = 'lru' and l1d.miss_rate < 40%\".\n\n"
                "--across compares machines: conditions, filters, fronts, orders and groups then "
                "see the numbers over all workloads. A machine counts where it has a row for every "
                "workload that has any; a metric that one of them lacks, and a geometric mean of "
                "values of which one is not above 0, has no value. The id is that of the machine's "
                "point on the first workload.",
        .operand = OPERAND_STORE(&arguments->store)};
    options_parse(&line, argc, argv);
    if (arguments->group_by && (query->front || arguments->pareto))
        usage_error("--group-by shows groups, --front and --pareto show points");
}

/* The objectives of the rows of fronts, of which the text names the knees. */
struct fronts {
    const struct objective *objectives;
    size_t objective_count, count;
    size_t columns[METRIC_COUNT]; /* of the objectives in a row */
    uint64_t *points;
    double *values; /* [count][objective_count] */
    size_t points_capacity, values_capacity;
};

struct printer {
    struct store *store;
    const struct result_columns *columns;
    enum table_format format;
    struct table *table;
    uint64_t rows, limit;
    struct fronts *fronts; /* or NULL */
};

static void fronts_init(struct fronts *fronts, const struct query *query, const struct store *store)
{
    const struct study *study = store_space(store)->study;
    const struct metric *const *columns;
    const size_t count = store_columns(store, &columns);
    const bool own = query->objective_count;
    *fronts =
        (struct fronts){.objectives = own ? query->objectives : study->objectives,
                        .objective_count = own ? query->objective_count : study->objective_count};
    for (size_t t = 0; t < fronts->objective_count; t++)
        while (fronts->columns[t] + 1 < count &&
               columns[fronts->columns[t]] != fronts->objectives[t].metric)
            fronts->columns[t]++;
}

static enum status fronts_add(struct fronts *fronts, const struct store_row *row)
{
    const size_t width = fronts->objective_count;
    if (array_reserve(&fronts->points, &fronts->points_capacity, fronts->count + 1) ||
        array_reserve(&fronts->values, &fronts->values_capacity, (fronts->count + 1) * width))
        return STATUS_MEMORY;
    for (size_t t = 0; t < width; t++)
        fronts->values[fronts->count * width + t] = row->values[fronts->columns[t]];
    fronts->points[fronts->count++] = row->point;
    return STATUS_OK;
}

/* The knee of the front of a workload, or of all together; UINT64_MAX: it has none. */
static uint64_t fronts_knee(const struct fronts *fronts, const struct space *space, size_t workload)
{
    const size_t width = fronts->objective_count;
    size_t identity[METRIC_COUNT], count = 0;
    double *values = calloc(fronts->count * width + 1, sizeof *values);
    uint64_t *points = calloc(fronts->count + 1, sizeof *points), knee = UINT64_MAX;
    for (size_t t = 0; t < width; t++)
        identity[t] = t;
    for (size_t i = 0; values && points && i < fronts->count; i++)
        if (workload == SIZE_MAX || fronts->points[i] / space->machines == workload) {
            memcpy(values + count * width, fronts->values + i * width, width * sizeof *values);
            points[count++] = fronts->points[i];
        }
    const size_t found =
        front_knee(&(struct front_view){fronts->objectives, identity, width, width, count, values});
    if (found < count)
        knee = points[found];
    free(values);
    free(points);
    return knee;
}

/* Below the table, what the report marks in it. */
static void fronts_print(const struct fronts *fronts, const struct store *store, bool across)
{
    const struct space *space = store_space(store);
    const size_t workloads = across ? 1 : space->study->workload_count;
    for (size_t w = 0; w < workloads; w++) {
        const uint64_t knee = fronts_knee(fronts, space, across ? SIZE_MAX : w);
        if (knee == UINT64_MAX)
            continue;
        printf("knee%s%s: id %" PRIu64 ", which gives up least of everything\n",
               space->study->workload_count > 1 ? " of " : "",
               space->study->workload_count == 1 ? ""
               : across                          ? "all"
                                                 : space->study->workloads[w],
               knee);
    }
}

static enum status show_add_row(void *argument, const struct store_row *row)
{
    struct printer *printer = argument;
    if (printer->limit && printer->rows++ == printer->limit)
        return STATUS_OK; /* the query asks for one row more than the limit */
    if (printer->fronts && fronts_add(printer->fronts, row))
        return STATUS_MEMORY;
    results_add(printer->store, printer->columns, row, printer->table);
    return table_rows(printer->table) < BLOCK_ROWS
               ? STATUS_OK
               : table_flush(printer->table, printer->format, stdout);
}

/* Asks for one row more than the limit, which tells whether any are left without counting all. */
static enum status print_rows(const struct show_arguments *arguments, struct store *store,
                              const struct result_columns *columns, struct diagnostics *diagnostics)
{
    struct query query = arguments->query;
    const bool limited = query.limit != LIMIT_UNSAID;
    query.limit = limit_meant(query.limit, LIMIT_USUAL, arguments->format);
    struct printer printer = {.store = store,
                              .columns = columns,
                              .format = arguments->format,
                              .table = results_table(store, columns),
                              .limit = query.limit};
    query.limit += query.limit != 0;
    struct fronts fronts;
    fronts_init(&fronts, &query, store);
    if (query.front && arguments->format == TABLE_TEXT && fronts.objective_count)
        printer.fronts = &fronts;
    char rows[COUNT_TEXT];
    enum status status = results_coverage(store, query.front, arguments->format, diagnostics);
    if (!status)
        status = printer.table ? store_query(store, &query, show_add_row, &printer, diagnostics)
                               : STATUS_MEMORY;
    if (!status)
        status = table_print(printer.table, printer.format, stdout);
    const bool cut = printer.limit && printer.rows > printer.limit;
    if (!status && printer.fronts && !cut)
        fronts_print(&fronts, store, query.across != 0);
    if (!status && cut && !limited)
        fprintf(stderr, "the first %s; --limit 0 shows all\n",
                counted_print(printer.limit, "row", rows));
    free(fronts.points);
    free(fronts.values);
    table_free(printer.table);
    return status;
}

/* Parses "metric,metric:max" into objectives; *objectives is malloc'ed. */
static enum status choose_objectives(const struct study *study, const char *list,
                                     struct objective **objectives, size_t *count,
                                     struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    size_t capacity = 0;
    char *copy = strdup(list), *rest = NULL;
    if (!copy)
        return STATUS_MEMORY;
    for (char *name = strtok_r(copy, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        char *colon = strchr(name, ':');
        enum direction direction = LOWER_IS_BETTER;
        if (colon) {
            *colon++ = '\0';
            direction = strcmp(colon, "max") ? LOWER_IS_BETTER : HIGHER_IS_BETTER;
        }
        enum status found = STATUS_OK;
        if (colon && strcmp(colon, "min") && strcmp(colon, "max"))
            found = diagnostics_error(diagnostics, STATUS_INVALID,
                                      "--pareto: expected %s:min or %s:max, got '%s'", name, name,
                                      colon);
        else if (!colon || !metric_find(name))
            found = metric_direction(study, "pareto", name, &direction, diagnostics);
        if (!found)
            found = array_reserve(objectives, &capacity, *count + 1);
        if (!found)
            (*objectives)[(*count)++] = (struct objective){metric_find(name), direction};
        status = status ? status : found;
    }
    free(copy);
    return status || *count ? status
                            : diagnostics_error(diagnostics, STATUS_INVALID,
                                                "--pareto: expected the names of metrics");
}

/* Parses "l1d.size,l1d.ways" into indices of axes; *axes is malloc'ed. */
static enum status choose_axes(const struct study *study, const char *list, size_t **axes,
                               size_t *count, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    size_t capacity = 0;
    char *copy = strdup(list), *rest = NULL;
    if (!copy)
        return STATUS_MEMORY;
    for (char *name = strtok_r(copy, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        size_t a = 0;
        while (a < study->axis_count && strcmp(study->axes[a].parameter->path, name))
            a++;
        if (a == study->axis_count)
            status = diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                       "--group-by: the study has no axis over '%.60s'", name);
        else if (array_reserve(axes, &capacity, *count + 1))
            status = STATUS_MEMORY;
        else
            (*axes)[(*count)++] = a;
    }
    free(copy);
    return status;
}

static enum status show_store(void *argument, struct store *store, const struct study *study,
                              struct diagnostics *diagnostics)
{
    struct show_arguments *arguments = argument;
    struct result_columns columns = {0};
    struct objective *objectives = NULL;
    size_t *axes = NULL;
    enum status status = STATUS_OK;
    if (arguments->pareto) {
        status = choose_objectives(study, arguments->pareto, &objectives,
                                   &arguments->query.objective_count, diagnostics);
        arguments->query.objectives = objectives;
        arguments->query.front = true;
    }
    if (!status && arguments->group_by) {
        status = choose_axes(study, arguments->group_by, &axes, &arguments->grouping.axis_count,
                             diagnostics);
        arguments->grouping.axes = axes;
        arguments->query.grouping = &arguments->grouping;
    }
    if (!status)
        status = result_columns_choose(store, arguments->columns, arguments->query.grouping,
                                       arguments->query.across != 0, &columns, diagnostics);
    if (!status)
        status = print_rows(arguments, store, &columns, diagnostics);
    if (!status && store_is_summary(store)) {
        char count[COUNT_TEXT];
        uint64_t points = 0;
        status = store_count(store, &points, diagnostics);
        fprintf(stderr, "%s is a summary of %s: it has rows of its front and of the best\n",
                arguments->store, counted_print(points, "point", count));
    }
    free(objectives);
    free(axes);
    free(columns.items);
    return status;
}

int command_show(int argc, char **argv)
{
    struct show_arguments arguments = {.query.limit = LIMIT_UNSAID,
                                       .grouping.aggregate = AGGREGATE_MEAN};
    cmd_show_parse(argc, argv, &arguments);
    return results_command(arguments.store, show_store, &arguments);
}
