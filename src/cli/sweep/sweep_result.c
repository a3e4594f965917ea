#include "cli/sweep/sweep_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text_stream.h"
#include "cli/results/results.h"
#include "report/drawing/number.h"

struct best_row {
    uint64_t point;
    double value;
    size_t column;
    enum aggregate across;
    uint64_t workloads; /* of the study */
    bool found;
};

static enum status take_best(void *argument, const struct store_row *row)
{
    struct best_row *best = argument;
    best->point = row->point;
    best->value = row->values[best->column];
    best->found = !isnan(best->value) &&
                  (row->workloads == best->workloads || best->across == AGGREGATE_NONE);
    return STATUS_OK;
}

static size_t column_of(const struct store *store, const struct metric *metric)
{
    const struct metric *const *columns;
    size_t count = store_columns(store, &columns), column = 0;
    while (column < count && columns[column] != metric)
        column++;
    return column;
}

/* Several workloads are compared by geometric means. A summary cannot, so its best names its own.
 */
static enum aggregate best_across(const struct store *store)
{
    return store_space(store)->study->workload_count > 1 && !store_is_summary(store)
               ? AGGREGATE_GEOMEAN
               : AGGREGATE_NONE;
}

/* Calls `use` with the best point of an objective, if there is one. */
static enum status find_best(struct store *store, const struct objective *objective,
                             enum status (*use)(void *argument, const struct store_row *row),
                             void *argument, struct diagnostics *diagnostics)
{
    char sort[128];
    snprintf(sort, sizeof sort, "%s%s", objective->direction == HIGHER_IS_BETTER ? "-" : "",
             objective->metric->path);
    const struct query query = {.across = best_across(store),
                                .sort = sort,
                                .best_first = true,
                                .eligible = true,
                                .limit = 1};
    return store_query(store, &query, use, argument, diagnostics);
}

/* The best point of each objective, with the values of its axes. */
static enum status print_best(struct store *store, const struct study *study,
                              struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->objective_count && !status; i++) {
        const struct objective *objective = &study->objectives[i];
        char value[QUANTITY_TEXT], text[POINT_TEXT];
        struct best_row best = {.column = column_of(store, objective->metric),
                                .across = best_across(store),
                                .workloads = study->workload_count};
        status = find_best(store, objective, take_best, &best, diagnostics);
        if (status || !best.found)
            continue;
        printf("best %s: %s at point %" PRIu64 ": ", objective->metric->path,
               quantity_print_short(best.value, objective->metric->unit, 4, value), best.point);
        puts(best.across ? results_best_text(store_space(store), best.point, text, sizeof text)
                         : results_point_text(store_space(store), best.point, text, sizeof text));
    }
    return status;
}

static void print_front(const struct sweep_progress *progress, const char *path)
{
    char front[COUNT_TEXT];
    printf("front: %s", counted_print(progress->front, "point", front));
    if (!isnan(progress->hypervolume))
        printf(", hypervolume %.4f", progress->hypervolume);
    putchar('\n');
    if (!progress->front)
        printf("no point passes the study's filters; warpscape show %s lists all\n", path);
}

struct best_table {
    struct store *store;
    struct result_columns columns;
    struct table *table;
};

static enum status add_best(void *argument, const struct store_row *row)
{
    struct best_table *best = argument;
    results_add(best->store, &best->columns, row, best->table);
    return STATUS_OK;
}

/* { points, simulated, proved, best }: best is the table of the others. */
static enum status print_json(const struct table *best, const struct sweep_progress *progress)
{
    struct text_stream stream;
    char *text;
    FILE *out = text_stream_open(&stream);
    enum status status =
        text_stream_finish(&stream, out ? table_print(best, TABLE_JSON, out) : STATUS_OK, &text);
    json_t *rows = status ? NULL : json_loads(text, 0, NULL);
    json_t *object =
        json_pack("{s:I, s:I, s:I, s:I, s:o}", "points", (json_int_t)progress->done, "simulated",
                  (json_int_t)progress->simulated, "proved", (json_int_t)progress->proved, "stuck",
                  (json_int_t)progress->stuck, "best", rows);
    free(text);
    return status ? status : json_print(object, stdout);
}

static enum status print_table(struct store *store, const struct study *study,
                               const struct sweep_progress *progress, enum table_format format,
                               struct diagnostics *diagnostics)
{
    struct best_table best = {.store = store};
    enum status status = result_columns_choose(store, NULL, NULL, best_across(store) != 0,
                                               &best.columns, diagnostics);
    if (!status)
        best.table = results_table(store, &best.columns);
    if (!status && !best.table)
        status = STATUS_MEMORY;
    for (size_t i = 0; i < study->objective_count && !status; i++)
        status = find_best(store, &study->objectives[i], add_best, &best, diagnostics);
    if (!status)
        status = format == TABLE_JSON ? print_json(best.table, progress)
                                      : table_print(best.table, format, stdout);
    table_free(best.table);
    free(best.columns.items);
    return status;
}

struct result {
    const struct sweep_progress *progress;
    const char *path;
    enum table_format format;
};

static enum status print_result(void *argument, struct store *store, const struct study *study,
                                struct diagnostics *diagnostics)
{
    const struct result *result = argument;
    const struct sweep_progress *progress = result->progress;
    if (result->format != TABLE_TEXT)
        return print_table(store, study, progress, result->format, diagnostics);
    char points[COUNT_TEXT], fresh[COUNT_TEXT], duration[DURATION_TEXT];
    printf("%s in %s, %s new in %s\n", counted_print(progress->done, "point", points), result->path,
           count_print(progress->done - progress->resumed, fresh),
           duration_print(progress->seconds, duration));
    if (progress->cells_covered < progress->cells)
        printf("only %s of %s have points (values of an axis on a workload)\n",
               count_print(progress->cells_covered, fresh),
               counted_print(progress->cells, "cell", points));
    if (progress->proved)
        printf("%s proved equal to another one's and not run; %s simulated\n",
               counted_print(progress->proved, "run", points),
               count_print(progress->simulated, fresh));
    if (progress->stuck)
        printf("%s never ended, so points have no values: run such a machine for the reason\n",
               counted_print(progress->stuck, "run", points));
    if (progress->pruned)
        printf("%s not evaluated: a bound keeps them out of the front\n",
               counted_print(progress->pruned, "point", points));
    enum status status = print_best(store, study, diagnostics);
    if (status || !study->objective_count || !progress->done)
        return status;
    print_front(progress, result->path);
    if (progress->front)
        printf("\nwarpscape show %s --front\n"
               "warpscape export %s --best %s --to yaml -o best.yaml\n",
               result->path, result->path, study->objectives[0].metric->path);
    return STATUS_OK;
}

enum status sweep_result_print(const struct sweep_progress *progress, const char *path,
                               enum table_format format, struct diagnostics *diagnostics)
{
    struct result result = {progress, path, format};
    return results_use(path, print_result, &result, diagnostics);
}
