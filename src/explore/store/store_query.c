/* Queries over a store. Names of metrics become columns, names of parameters become functions of
 * the row id that decode it; SQLite does the rest (explore/store/store.h).  */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/geomean.h"
#include "base/text_stream.h"
#include "explore/results/pareto.h"
#include "explore/space/conditions.h"
#include "explore/store/store_file.h"

/* The functions that a query may call, beyond those of expressions. */
static const char *const decoders[] = {
    "axis_value", "workload_name", "axis_digit", "geomean", "avg", "min", "max", "count", NULL};

static bool point_argument(sqlite3_context *context, sqlite3_value *argument,
                           const struct store *store, uint64_t *point)
{
    *point = (uint64_t)sqlite3_value_int64(argument);
    if (*point < store->space.points)
        return true;
    sqlite3_result_error(context, "a point lies outside of the space", -1);
    return false;
}

/* SQL function axis_digit(id, axis): the index of the axis's value at a point. */
static void axis_digit(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const struct store *store = sqlite3_user_data(context);
    size_t index = (size_t)sqlite3_value_int64(arguments[1]);
    uint64_t point;
    if (index < store->space.study->axis_count &&
        point_argument(context, arguments[0], store, &point))
        sqlite3_result_int64(context, (sqlite3_int64)space_digit(
                                          &store->space, point % store->space.machines, index));
}

/* SQL function axis_value(id, axis): the axis's value at a point. */
static void axis_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const struct store *store = sqlite3_user_data(context);
    const struct study *study = store->space.study;
    size_t index = (size_t)sqlite3_value_int64(arguments[1]);
    uint64_t point;
    if (index >= study->axis_count || !point_argument(context, arguments[0], store, &point))
        return;
    const struct axis *axis = &study->axes[index];
    struct value value =
        axis->values[space_digit(&store->space, point % store->space.machines, index)];
    if (axis->parameter->type == PARAMETER_ENUM)
        sqlite3_result_text(context, axis->parameter->choices[value.uint].name, -1, SQLITE_STATIC);
    else if (axis->parameter->type == PARAMETER_REAL)
        sqlite3_result_double(context, value.real);
    else
        sqlite3_result_int64(context, (sqlite3_int64)value.uint);
}

/* SQL function workload_name(id). */
static void workload_name(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const struct store *store = sqlite3_user_data(context);
    uint64_t point;
    if (point_argument(context, arguments[0], store, &point))
        sqlite3_result_text(context, store->space.study->workloads[point / store->space.machines],
                            -1, SQLITE_STATIC);
}

/* SQL aggregate geomean(value) over the values that are not NULL; NULL if it is not a number.
 * SQLite aligns the state to 8 bytes only, too little for a long double, so the state is copied in
 * and out. */
static void geomean_step(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct geomean geomean;
    void *kept = sqlite3_aggregate_context(context, sizeof geomean);
    if (!kept) {
        sqlite3_result_error_nomem(context);
    } else if (sqlite3_value_type(arguments[0]) != SQLITE_NULL) {
        memcpy(&geomean, kept, sizeof geomean);
        geomean_add(&geomean, sqlite3_value_double(arguments[0]));
        memcpy(kept, &geomean, sizeof geomean);
    }
}

static void geomean_final(sqlite3_context *context)
{
    struct geomean geomean;
    const void *kept = sqlite3_aggregate_context(context, 0);
    if (!kept)
        return;
    memcpy(&geomean, kept, sizeof geomean);
    sqlite3_result_double(context, geomean_value(&geomean)); /* NaN becomes NULL */
}

static enum status register_decoders(struct store *store, struct diagnostics *diagnostics)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    if (sqlite3_create_function_v2(store->database, decoders[0], 2, flags, store, axis_value, NULL,
                                   NULL, NULL) ||
        sqlite3_create_function_v2(store->database, decoders[1], 1, flags, store, workload_name,
                                   NULL, NULL, NULL) ||
        sqlite3_create_function_v2(store->database, decoders[2], 2, flags, store, axis_digit, NULL,
                                   NULL, NULL) ||
        sqlite3_create_function_v2(store->database, decoders[3], 1, flags, store, NULL,
                                   geomean_step, geomean_final, NULL))
        return store_failed(store, "register a function", diagnostics);
    return STATUS_OK;
}

static void spell_fixed(const struct parameter *parameter, const struct machine *machine, FILE *out)
{
    struct value value = parameter_get(parameter, machine);
    if (parameter->type == PARAMETER_ENUM)
        fprintf(out, "'%s'", parameter->choices[value.uint].name);
    else if (parameter->type == PARAMETER_REAL)
        fprintf(out, "%.17e", value.real);
    else /* a sum, because ORDER BY reads a bare number as the position of a column */
        fprintf(out, "(0+%" PRIu64 ")", value.uint);
}

static void spell_stored(void *argument, const struct expression_name *name, FILE *out)
{
    const struct store *store = argument;
    const struct study *study = store->space.study;
    switch (name->kind) {
    case NAME_PARAMETER:
        for (size_t a = 0; a < study->axis_count; a++)
            if (study->axes[a].parameter == name->parameter) {
                fprintf(out, "axis_value(id, %zu)", a);
                return;
            }
        spell_fixed(name->parameter, &study->machine, out);
        break;
    case NAME_METRIC:
        fprintf(out, "\"%s\"", name->metric->path);
        break;
    case NAME_WORKLOAD:
        fprintf(out, "workload_name(id)");
        break;
    case NAME_POINT:
        fprintf(out, "id");
        break;
    case NAME_OWN: /* queries have none */
        break;
    }
}

/* Reports an error that lists the stored metrics if a metric is not among them. */
static enum status check_name(const struct store *store, const struct query *query,
                              const struct expression_name *name, struct diagnostics *diagnostics)
{
    if (name->kind == NAME_WORKLOAD && query->across)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s: rows over all workloads cannot be chosen by the workload",
                                 store->path);
    if (name->kind != NAME_METRIC)
        return STATUS_OK;
    char list[400] = "";
    size_t used = 0;
    for (size_t i = 0; i < store->column_count; i++) {
        if (store->columns[i] == name->metric)
            return STATUS_OK;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                     store->columns[i]->path);
    }
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "%s: the study did not store %s; it stored %s", store->path,
                             name->metric->path, list);
}

/* Appends " AND (condition)" to a WHERE clause. */
static enum status add_condition(struct store *store, const struct query *query, const char *text,
                                 const struct place *place, FILE *out,
                                 struct diagnostics *diagnostics)
{
    struct expression *expression;
    enum status status = expression_create(text, place, SCOPE_POINT, &expression, diagnostics);
    if (status)
        return status;
    const struct expression_name *names;
    size_t count = expression_names(expression, &names);
    for (size_t i = 0; i < count && !status; i++)
        status = check_name(store, query, &names[i], diagnostics);
    char *sql = status ? NULL : expression_sql(expression, spell_stored, store);
    if (!status && !sql)
        status = STATUS_MEMORY;
    if (!status)
        fprintf(out, " AND (%s)", sql);
    free(sql);
    expression_free(expression);
    return status;
}

static enum status write_conditions(struct store *store, const struct query *query, FILE *out,
                                    struct diagnostics *diagnostics)
{
    const struct study *study = store->space.study;
    enum status status = STATUS_OK;
    fprintf(out, " WHERE 1");
    for (size_t i = 0; (query->front || query->eligible) && i < study->filter_count; i++) {
        struct place place = {.file = study->path, .line = study->filters[i].line};
        enum status found =
            add_condition(store, query, study->filters[i].text, &place, out, diagnostics);
        status = status ? status : found;
    }
    if (query->where) {
        struct place place = {.file = "where", .line = 1, .source = query->where};
        enum status found = add_condition(store, query, query->where, &place, out, diagnostics);
        status = status ? status : found;
    }
    return status;
}

static enum status write_order(struct store *store, const struct query *query, FILE *out,
                               struct diagnostics *diagnostics)
{
    if (query->sort) {
        bool descending = query->sort[0] == '-';
        struct expression_name name;
        enum status status =
            expression_name_find(query->sort + descending, SCOPE_POINT, &name, diagnostics);
        if (!status)
            status = check_name(store, query, &name, diagnostics);
        if (status)
            return status;
        if (name.kind == NAME_PARAMETER && name.parameter->type == PARAMETER_SIZES)
            return diagnostics_error(diagnostics, STATUS_INVALID, "%s is a list and has no order",
                                     name.parameter->path);
        fprintf(out, " ORDER BY ");
        spell_stored(store, &name, out);
        fprintf(out, " IS NULL, ");
        spell_stored(store, &name, out);
        fprintf(out, "%s", descending ? " DESC" : "");
        const struct study *study = store->space.study;
        for (size_t i = 0; query->best_first && i < study->objective_count; i++)
            fprintf(out, ", \"%s\" IS NULL, \"%s\"%s", study->objectives[i].metric->path,
                    study->objectives[i].metric->path,
                    study->objectives[i].direction == HIGHER_IS_BETTER ? " DESC" : "");
        fprintf(out, ", id");
    } else {
        fprintf(out, " ORDER BY id");
    }
    if (query->limit)
        fprintf(out, " LIMIT %" PRIu64, query->limit < INT64_MAX ? query->limit : INT64_MAX);
    return STATUS_OK;
}

const char *const aggregate_names[] = {"", "mean", "geomean", "min", "max", NULL};
static const char *const aggregate_functions[] = {"", "avg", "geomean", "min", "max"};

/* The aggregate of a column. */
static void write_aggregate(const struct metric *column, enum aggregate how, FILE *out)
{
    if (how == AGGREGATE_GEOMEAN && column->traits & METRIC_REDUCTION)
        fprintf(out, "1 - geomean(1 - \"%s\")", column->path);
    else
        fprintf(out, "%s(\"%s\")", aggregate_functions[how], column->path);
}

/* Writes what the rows come from: the table of points, or a subquery with one row per machine whose
 * values are aggregated over the workloads. The workload is the most significant digit of the id,
 * so machines are ids modulo their number. */
static void write_table(const struct store *store, const struct query *query, FILE *out)
{
    uint64_t machines = store->space.machines;
    if (!query->across) {
        fprintf(out, "result");
        return;
    }
    fprintf(out, "(SELECT min(id) AS id, count(*) AS workloads");
    for (size_t i = 0; i < store->column_count; i++) {
        const char *path = store->columns[i]->path;
        fprintf(out, ", CASE WHEN count(\"%s\") = count(*) THEN ", path);
        write_aggregate(store->columns[i], query->across, out);
        fprintf(out, " END AS \"%s\"", path);
    }
    fprintf(out,
            " FROM result GROUP BY id %% %" PRIu64
            " HAVING count(*) = (SELECT count(DISTINCT id / %" PRIu64 ") FROM result))",
            machines, machines);
}

static void write_columns(const struct store *store, const struct query *query, FILE *out)
{
    fprintf(out, "SELECT id");
    for (size_t i = 0; i < store->column_count; i++)
        fprintf(out, ", \"%s\"", store->columns[i]->path);
    fprintf(out, ", 1 AS members, %s AS workloads FROM ", query->across ? "workloads" : "1");
    write_table(store, query, out);
}

/* Writes a subquery with one row per group, in place of the table of points. */
static enum status write_groups(struct store *store, const struct query *query, FILE *out,
                                struct diagnostics *diagnostics)
{
    const struct grouping *grouping = query->grouping;
    fprintf(out, "SELECT * FROM (SELECT min(id) AS id");
    for (size_t i = 0; i < store->column_count; i++) {
        fprintf(out, ", ");
        write_aggregate(store->columns[i], grouping->aggregate, out);
        fprintf(out, " AS \"%s\"", store->columns[i]->path);
    }
    fprintf(out, ", count(*) AS members, %s AS workloads FROM ",
            query->across ? "max(workloads)" : "1");
    write_table(store, query, out);
    enum status status = write_conditions(store, query, out, diagnostics);
    fprintf(out, " GROUP BY id / %" PRIu64, store->space.machines);
    for (size_t i = 0; i < grouping->axis_count; i++)
        fprintf(out, ", axis_digit(id, %zu)", grouping->axes[i]);
    fprintf(out, ")");
    return status;
}

/* Runs SQL whose columns are the id and the stored metrics. If `ids`, a JSON array, is not NULL,
 * binds it to ?1. */
static enum status run_rows(struct store *store, const char *sql, const char *ids, row_function row,
                            void *argument, struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (!ids) /* with ids the SQL has no user text, and needs json_each, which the guard forbids */
        expression_guard(store->database, decoders);
    int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
    expression_unguard(store->database);
    if (code)
        return store_failed(store, "query", diagnostics);
    if (ids)
        sqlite3_bind_text(statement, 1, ids, -1, SQLITE_STATIC);
    enum status status = STATUS_OK;
    while (!status && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct store_row result = {
            (uint64_t)sqlite3_column_int64(statement, 0), store->values,
            (uint64_t)sqlite3_column_int64(statement, (int)store->column_count + 1),
            (uint64_t)sqlite3_column_int64(statement, (int)store->column_count + 2)};
        for (size_t i = 0; i < store->column_count; i++) {
            bool missing = sqlite3_column_type(statement, (int)i + 1) == SQLITE_NULL;
            store->values[i] = missing ? NAN : sqlite3_column_double(statement, (int)i + 1);
        }
        if (result.point >= store->space.points ||
            result.workloads > store->space.study->workload_count)
            status = diagnostics_error(diagnostics, STATUS_CORRUPT,
                                       "%s: point %" PRIu64 " is outside of the space", store->path,
                                       result.point);
        else
            status = row(argument, &result);
    }
    if (!status && code == SQLITE_ERROR) /* the expression caused it: an integer overflow */
        status = diagnostics_error(diagnostics, STATUS_INVALID, "the condition fails: %s",
                                   sqlite3_errmsg(store->database));
    else if (!status && code != SQLITE_DONE)
        status = store_failed(store, "query", diagnostics);
    sqlite3_finalize(statement);
    return status;
}

struct front_search {
    const struct store *store;
    const struct objective *wanted;
    size_t count;
    struct pareto **fronts; /* by workload */
    double *objectives;     /* scratch: values of one row */
};

static enum status offer_row(void *argument, const struct store_row *row)
{
    struct front_search *search = argument;
    for (size_t i = 0; i < search->count; i++) {
        size_t column = 0;
        while (search->store->columns[column] != search->wanted[i].metric)
            column++;
        search->objectives[i] = row->values[column];
    }
    return pareto_offer(search->fronts[row->point / search->store->space.machines], row->point,
                        search->objectives, NULL);
}

/* Writes the ids of all fronts as a JSON array. */
static enum status print_fronts(const struct front_search *search, FILE *out)
{
    const char *join = "";
    fputc('[', out);
    for (size_t w = 0; w < search->store->space.study->workload_count; w++) {
        uint64_t *ids;
        enum status status = pareto_ids(search->fronts[w], &ids);
        if (status)
            return status;
        for (size_t i = 0; i < pareto_count(search->fronts[w]); i++, join = ",")
            fprintf(out, "%s%" PRIu64, join, ids[i]);
        free(ids);
    }
    fputc(']', out);
    return STATUS_OK;
}

/* Computes the front of each workload over the rows that `sql` selects. *ids is a JSON array. */
static enum status find_fronts(struct store *store, const struct query *query, const char *sql,
                               char **ids, struct diagnostics *diagnostics)
{
    const struct study *study = store->space.study;
    struct front_search search = {
        .store = store,
        .wanted = query->objectives ? query->objectives : study->objectives,
        .count = query->objectives ? query->objective_count : study->objective_count,
        .fronts = calloc(study->workload_count, sizeof *search.fronts),
    };
    search.objectives = calloc(search.count, sizeof *search.objectives);
    struct text_stream stream;
    enum status status = search.fronts && search.objectives ? STATUS_OK : STATUS_MEMORY;
    for (size_t w = 0; w < study->workload_count && !status; w++)
        status = pareto_create(search.wanted, search.count, &search.fronts[w]);
    if (!status)
        status = run_rows(store, sql, NULL, offer_row, &search, diagnostics);
    if (status)
        goto cleanup;
    status = text_stream_open(&stream) ? print_fronts(&search, stream.out) : STATUS_MEMORY;
    status = text_stream_finish(&stream, status, ids);
cleanup:
    for (size_t w = 0; search.fronts && w < study->workload_count; w++)
        pareto_free(search.fronts[w]);
    free(search.fronts);
    free(search.objectives);
    return status;
}

/* SELECT ... WHERE ... [ORDER BY ...]. The caller frees it. */
static enum status write_query(struct store *store, const struct query *query, bool ordered,
                               char **sql, struct diagnostics *diagnostics)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    enum status status;
    if (query->grouping) {
        status = write_groups(store, query, out, diagnostics);
    } else {
        write_columns(store, query, out);
        status = write_conditions(store, query, out, diagnostics);
    }
    if (!status && ordered)
        status = write_order(store, query, out, diagnostics);
    return text_stream_finish(&stream, status, sql);
}

/* Takes two queries. The first offers all eligible rows to the fronts; the second reads the rows of
 * the fronts in the order asked for. */
static enum status query_front(struct store *store, const struct query *query, row_function row,
                               void *argument, struct diagnostics *diagnostics)
{
    char *sql = NULL, *ids = NULL;
    struct text_stream stream;
    FILE *out;
    enum status status = write_query(store, query, false, &sql, diagnostics);
    if (!status)
        status = find_fronts(store, query, sql, &ids, diagnostics);
    free(sql);
    sql = NULL;
    if (status)
        goto cleanup;
    out = text_stream_open(&stream);
    if (!out) {
        status = STATUS_MEMORY;
        goto cleanup;
    }
    write_columns(store, query, out);
    fprintf(out, " WHERE id IN (SELECT value FROM json_each(?1))");
    status = write_order(store, query, out, diagnostics);
    status = text_stream_finish(&stream, status, &sql);
    if (!status)
        status = run_rows(store, sql, ids, row, argument, diagnostics);
cleanup:
    free(sql);
    free(ids);
    return status;
}

static enum status check_objectives(struct store *store, const struct query *query,
                                    struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < query->objective_count; i++) {
        struct expression_name name = {.kind = NAME_METRIC, .metric = query->objectives[i].metric};
        enum status found = check_name(store, query, &name, diagnostics);
        status = status ? status : found;
    }
    return status;
}

enum status store_query(struct store *store, const struct query *query, row_function row,
                        void *argument, struct diagnostics *diagnostics)
{
    enum status status = register_decoders(store, diagnostics);
    if (status)
        return status;
    if (query->across && store_is_summary(store))
        return diagnostics_error(
            diagnostics, STATUS_UNSUPPORTED,
            "%s is a summary: its rows are not the same machines for every workload", store->path);
    if (query->objectives)
        status = check_objectives(store, query, diagnostics);
    if (status)
        return status;
    if (query->front && !query->objectives && !store->space.study->objective_count)
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: the study has no objectives",
                                 store->path);
    if (query->front)
        return query_front(store, query, row, argument, diagnostics);
    char *sql = NULL;
    status = write_query(store, query, true, &sql, diagnostics);
    if (!status)
        status = run_rows(store, sql, NULL, row, argument, diagnostics);
    free(sql);
    return status;
}

const char *store_row_workload(const struct space *space, const struct store_row *row, char *text,
                               size_t size)
{
    size_t count = space->study->workload_count;
    if (row->workloads == 1)
        return space->study->workloads[row->point / space->machines];
    if (row->workloads == count)
        snprintf(text, size, "all %zu", count);
    else
        snprintf(text, size, "%" PRIu64 " of %zu", row->workloads, count);
    return text;
}
