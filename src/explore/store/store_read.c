/* Reads the study back from a store and compares it with another (explore/store/store_file.h).
 * Nothing in the file is trusted: every name, value and count is checked, and what does not fit is
 * STATUS_CORRUPT. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "explore/results/coverage.h"
#include "explore/store/store_file.h"
#include "schema/moved_settings.h"

/* Limits on a study in a file, so that a hostile file cannot make us allocate without bound. */
enum { AXES_MAX = 1024, VALUES_MAX = 1 << 20, LIST_MAX = 4096 };

static enum status damaged(struct store *store, struct diagnostics *diagnostics, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));

static enum status damaged(struct store *store, struct diagnostics *diagnostics, const char *format,
                           ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(diagnostics, SEVERITY_ERROR, NULL, store->path, format, arguments);
    va_end(arguments);
    return STATUS_CORRUPT;
}

/* Reads the current row of a query into the study. */
typedef enum status (*reader)(struct store *store, struct study *study, sqlite3_stmt *row,
                              struct diagnostics *diagnostics);

/* The text in a column of the current row; "" if it is NULL. */
static const char *text_at(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

static enum status read_rows(struct store *store, const char *sql, reader read, struct study *study,
                             struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL))
        return store_failed(store, "not a Warpscape store", diagnostics);
    enum status status = STATUS_OK;
    int code;
    while (!status && (code = sqlite3_step(statement)) == SQLITE_ROW)
        status = read(store, study, statement, diagnostics);
    if (!status && code != SQLITE_DONE)
        status = store_failed(store, "read the study", diagnostics);
    sqlite3_finalize(statement);
    return status;
}

static enum status read_value(struct store *store, const struct parameter *parameter,
                              const char *text, struct value *value,
                              struct diagnostics *diagnostics)
{
    char why[VALUE_TEXT];
    if (!parameter_parse(parameter, text, value, why))
        return STATUS_OK;
    return damaged(store, diagnostics, "%s: %s", parameter->path, why);
}

static enum status read_parameter(struct store *store, struct study *study, sqlite3_stmt *row,
                                  struct diagnostics *diagnostics)
{
    const struct moved_setting *moved = moved_setting_find(text_at(row, 0), text_at(row, 1));
    const struct parameter *parameter = parameter_find(moved ? moved->now : text_at(row, 0));
    struct value value;
    if (moved) {
        moved_setting_apply(moved, &study->machine);
        return STATUS_OK;
    }
    if (!parameter)
        return damaged(store, diagnostics, "unknown parameter '%.60s'", text_at(row, 0));
    enum status status = read_value(store, parameter, text_at(row, 1), &value, diagnostics);
    if (!status)
        parameter_set(parameter, &study->machine, value);
    return status;
}

/* Rows are ordered by axis and value; a row with a larger `pos` begins a new axis. */
static enum status read_axis_value(struct store *store, struct study *study, sqlite3_stmt *row,
                                   struct diagnostics *diagnostics)
{
    size_t position = (size_t)sqlite3_column_int64(row, 0);
    const struct moved_setting *moved = moved_setting_find(text_at(row, 1), text_at(row, 2));
    const bool renamed = moved && !moved->rest;
    if (moved && !renamed) /* one value of an axis cannot move to another axis */
        return damaged(store, diagnostics,
                       "its axis %s has the value %s, which is %s: %s now; sweep the study again",
                       moved->path, moved->value, moved->now, moved->now_value);
    const struct parameter *parameter = parameter_find(renamed ? moved->now : text_at(row, 1));
    if (!parameter)
        return damaged(store, diagnostics, "unknown parameter '%.60s'", text_at(row, 1));
    if (position == study->axis_count && study->axis_count < AXES_MAX) {
        struct axis *axes = realloc(study->axes, (position + 1) * sizeof *axes);
        if (!axes)
            return STATUS_MEMORY;
        study->axes = axes;
        axes[study->axis_count++] = (struct axis){.parameter = parameter};
    } else if (!study->axis_count || position != study->axis_count - 1) {
        return damaged(store, diagnostics, "the axes are not numbered from 0");
    }
    struct axis *axis = &study->axes[position];
    if (axis->count == VALUES_MAX)
        return damaged(store, diagnostics, "%s has too many values", parameter->path);
    if (!(axis->count & (axis->count - 1))) { /* double the array at powers of two */
        struct value *values =
            realloc(axis->values, (axis->count ? axis->count * 2 : 1) * sizeof *values);
        if (!values)
            return STATUS_MEMORY;
        axis->values = values;
    }
    enum status status = read_value(store, parameter, renamed ? moved->now_value : text_at(row, 2),
                                    &axis->values[axis->count], diagnostics);
    axis->count += !status;
    return status;
}

static enum status read_workload(struct store *store, struct study *study, sqlite3_stmt *row,
                                 struct diagnostics *diagnostics)
{
    if (study->workload_count == LIST_MAX)
        return damaged(store, diagnostics, "too many workloads");
    char **workloads = realloc(study->workloads, (study->workload_count + 1) * sizeof *workloads);
    if (!workloads)
        return STATUS_MEMORY;
    study->workloads = workloads;
    workloads[study->workload_count] = strdup(text_at(row, 0));
    return workloads[study->workload_count++] ? STATUS_OK : STATUS_MEMORY;
}

static enum status read_condition(struct store *store, struct study *study, sqlite3_stmt *row,
                                  struct diagnostics *diagnostics)
{
    bool where = !strcmp(text_at(row, 0), "where");
    struct condition **list = where ? &study->where : &study->filters;
    size_t *count = where ? &study->where_count : &study->filter_count;
    if (*count == LIST_MAX)
        return damaged(store, diagnostics, "too many conditions");
    struct condition *conditions = realloc(*list, (*count + 1) * sizeof *conditions);
    if (!conditions)
        return STATUS_MEMORY;
    *list = conditions;
    conditions[*count] = (struct condition){.text = strdup(text_at(row, 1)),
                                            .line = (unsigned)sqlite3_column_int(row, 2)};
    return conditions[(*count)++].text ? STATUS_OK : STATUS_MEMORY;
}

static enum status read_metric(struct store *store, struct study *study, sqlite3_stmt *row,
                               struct diagnostics *diagnostics)
{
    const struct metric *metric = metric_find(text_at(row, 0));
    const char *direction = text_at(row, 1);
    if (!metric)
        return damaged(store, diagnostics, "unknown metric '%.60s'", text_at(row, 0));
    if (study->column_count + study->objective_count >= LIST_MAX)
        return damaged(store, diagnostics, "too many columns");
    if (!*direction) {
        const struct metric **columns =
            realloc(study->columns, (study->column_count + 1) * sizeof *columns);
        if (!columns)
            return STATUS_MEMORY;
        study->columns = columns;
        columns[study->column_count++] = metric;
        return STATUS_OK;
    }
    struct objective *objectives =
        realloc(study->objectives, (study->objective_count + 1) * sizeof *objectives);
    if (!objectives)
        return STATUS_MEMORY;
    study->objectives = objectives;
    objectives[study->objective_count++] = (struct objective){
        metric, !strcmp(direction, "higher") ? HIGHER_IS_BETTER : LOWER_IS_BETTER};
    return STATUS_OK;
}

/* The text that a query of one row and column finds by a key, or by a number without one. */
static enum status store_read_text(struct store *store, const char *sql, const char *key,
                                   size_t number, char **text, struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement = NULL;
    *text = NULL;
    int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
    if (!code)
        code = key ? sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC)
                   : sqlite3_bind_int64(statement, 1, (sqlite3_int64)number);
    if (!code)
        code = sqlite3_step(statement);
    enum status status = STATUS_OK;
    if (code == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        const char *found = (const char *)sqlite3_column_text(statement, 0);
        *text = found ? strdup(found) : NULL;
        status = *text ? STATUS_OK : STATUS_MEMORY;
    } else if (code != SQLITE_ROW && code != SQLITE_DONE) {
        status = store_failed(store, "read the study", diagnostics);
    }
    sqlite3_finalize(statement);
    return status;
}

enum status store_provenance(struct store *store, const char *key, char **value,
                             struct diagnostics *diagnostics)
{
    return store_read_text(store, "SELECT value FROM study WHERE key=?", key, 0, value,
                           diagnostics);
}

enum status store_digest(struct store *store, size_t index, char **digest,
                         struct diagnostics *diagnostics)
{
    return store_read_text(store, "SELECT digest FROM trace WHERE id=?", NULL, index, digest,
                           diagnostics);
}

enum status store_events(struct store *store, event_function event, void *argument,
                         struct diagnostics *diagnostics)
{
    sqlite3_stmt *statement;
    if (sqlite3_table_column_metadata(store->database, NULL, "event", "text", NULL, NULL, NULL,
                                      NULL, NULL))
        return STATUS_OK; /* an older version of this program made the file */
    if (sqlite3_prepare_v2(store->database, "SELECT t, kind, text FROM event ORDER BY rowid", -1,
                           &statement, NULL))
        return store_failed(store, "read the events", diagnostics);
    enum status status = STATUS_OK;
    int code = SQLITE_DONE;
    while (!status && (code = sqlite3_step(statement)) == SQLITE_ROW)
        status = event(argument, sqlite3_column_double(statement, 0), text_at(statement, 1),
                       text_at(statement, 2));
    if (!status && code != SQLITE_DONE)
        status = store_failed(store, "read the events", diagnostics);
    sqlite3_finalize(statement);
    return status;
}

static enum status store_last_run(void *argument, double unix_time, const char *kind,
                                  const char *text)
{
    bool *ended = argument;
    (void)unix_time;
    (void)text;
    if (strcmp(kind, "merge") != 0) /* of points of others; it says nothing of this run */
        *ended = !strcmp(kind, "end");
    return STATUS_OK;
}

enum status store_ended(struct store *store, bool *ended, struct diagnostics *diagnostics)
{
    *ended = false;
    return store_events(store, store_last_run, ended, diagnostics);
}

enum status store_count_legal(struct store *store, uint64_t *count, uint64_t *legal,
                              struct diagnostics *diagnostics)
{
    struct coverage coverage = {0};
    enum status status = store_count(store, count, diagnostics);
    *legal = *count;
    if (status || *count == store->space.points)
        return status;
    status = coverage_of(&store->space, &coverage);
    *legal = coverage.legal;
    coverage_close(&coverage);
    return status;
}

/* Reads the depth. Stores of older versions do not name one; theirs is functional. */
static enum status read_depth(struct store *store, struct study *study,
                              struct diagnostics *diagnostics)
{
    char *depth;
    enum status status = store_provenance(store, "depth", &depth, diagnostics);
    study->depth = DEPTH_FUNCTIONAL;
    study->depth_said = true;
    if (depth && !depth_find(depth, &study->depth))
        status = damaged(store, diagnostics, "unknown depth '%.40s'", depth);
    free(depth);
    return status;
}

/* Reads what is assumed of instructions: nothing in stores of older versions. */
static enum status read_assumed(struct store *store, struct study *study,
                                struct diagnostics *diagnostics)
{
    const char *near;
    char *assumed;
    enum status status = store_provenance(store, "assume", &assumed, diagnostics);
    if (assumed && !assumed_find(assumed, &study->assumed, &near))
        status = damaged(store, diagnostics, "unknown assumption '%.40s'", assumed);
    free(assumed);
    return status;
}

/* Reads the lines "path: value" of the baseline; there are none in most stores. */
static enum status read_baseline(struct store *store, struct study *study,
                                 struct diagnostics *diagnostics)
{
    char *text, *rest = NULL;
    size_t capacity = 0;
    enum status status = store_provenance(store, "baseline", &text, diagnostics);
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line && !status;
         line = strtok_r(NULL, "\n", &rest)) {
        char *colon = strstr(line, ": ");
        struct baseline_value value = {0};
        if (colon) {
            *colon = '\0';
            value.parameter = parameter_find(line);
        }
        if (!value.parameter || parameter_parse(value.parameter, colon + 2, &value.value, NULL))
            status = damaged(store, diagnostics, "no such baseline: '%.60s'", line);
        else if (array_reserve(&study->baseline, &capacity, study->baseline_count + 1))
            status = STATUS_MEMORY;
        else
            study->baseline[study->baseline_count++] = value;
    }
    free(text);
    return status;
}

static enum status read_names(struct store *store, struct study *study,
                              struct diagnostics *diagnostics)
{
    enum status status = store_provenance(store, "name", &study->name, diagnostics);
    if (!status)
        status = store_provenance(store, "path", &study->path, diagnostics);
    if (!status)
        status = store_provenance(store, "machine_name", &study->machine_name, diagnostics);
    return status;
}

static enum status read_seed(struct store *store, struct study *study,
                             struct diagnostics *diagnostics)
{
    char *seed;
    enum status status = store_provenance(store, "seed", &seed, diagnostics);
    if (seed && quantity_parse_uint(seed, UNIT_NONE, &study->seed))
        status = damaged(store, diagnostics, "the seed '%.40s' is not a number", seed);
    free(seed);
    return status;
}

enum status store_read_study(struct store *store, struct study *study,
                             struct diagnostics *diagnostics)
{
    static const struct {
        const char *sql;
        reader read;
    } tables[] = {
        {"SELECT path, value FROM parameter", read_parameter},
        {"SELECT pos, name, j.value FROM space, json_each(values_json) j ORDER BY pos, j.key",
         read_axis_value},
        {"SELECT name FROM trace ORDER BY id", read_workload},
        {"SELECT kind, text, line FROM condition ORDER BY pos", read_condition},
        {"SELECT path, objective FROM metric ORDER BY pos", read_metric},
    };
    machine_defaults(&study->machine);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = read_rows(store, tables[i].sql, tables[i].read, study, diagnostics);
    if (status)
        return status;
    status = read_names(store, study, diagnostics);
    status = status ? status : read_depth(store, study, diagnostics);
    status = status ? status : read_assumed(store, study, diagnostics);
    status = status ? status : read_baseline(store, study, diagnostics);
    return status ? status : read_seed(store, study, diagnostics);
}

struct comparison {
    struct store *store;
    struct diagnostics *diagnostics;
    size_t differences;
    enum status status; /* of reading what the store says */
};

static void differ(struct comparison *comparison, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void differ(struct comparison *comparison, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    comparison->differences++;
    diagnostics_error(comparison->diagnostics, STATUS_CONFLICT, "%s was made by another study: %s",
                      comparison->store->path, message);
}

static bool is_axis(const struct study *study, const struct parameter *parameter)
{
    for (size_t a = 0; a < study->axis_count; a++)
        if (study->axes[a].parameter == parameter)
            return true;
    return false;
}

/* Axes are left out: their values are compared with the axes, and what the machine says is unused.
 */
static void compare_machines(struct comparison *comparison, const struct study *kept,
                             const struct study *study)
{
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        struct value old = parameter_get(parameter, &kept->machine);
        struct value new = parameter_get(parameter, &study->machine);
        char old_text[VALUE_TEXT], new_text[VALUE_TEXT];
        if (parameter_equal(parameter, old, new) || is_axis(study, parameter))
            continue;
        differ(comparison, "%s is %.120s there and %.120s here", parameter->path,
               parameter_print(parameter, old, old_text),
               parameter_print(parameter, new, new_text));
    }
}

static void compare_counts(struct comparison *comparison, const char *what, size_t there,
                           size_t here, const char *noun)
{
    char counted[COUNT_TEXT];
    if (there != here)
        differ(comparison, "%s has %s there and %zu here", what,
               counted_print(there, noun, counted), here);
}

static void compare_axes(struct comparison *comparison, const struct study *kept,
                         const struct study *study)
{
    compare_counts(comparison, "it", kept->axis_count, study->axis_count, "axis");
    for (size_t a = 0; a < kept->axis_count && a < study->axis_count; a++) {
        const struct axis *old = &kept->axes[a], *new = &study->axes[a];
        if (old->parameter != new->parameter) {
            differ(comparison, "axis %zu is %s there and %s here", a + 1, old->parameter->path,
                   new->parameter->path);
            continue;
        }
        compare_counts(comparison, old->parameter->path, old->count, new->count, "value");
        for (size_t i = 0; i < old->count && i < new->count; i++) {
            char old_text[VALUE_TEXT], new_text[VALUE_TEXT];
            if (parameter_equal(old->parameter, old->values[i], new->values[i]))
                continue;
            differ(comparison, "value %zu of %s is %s there and %s here", i + 1,
                   old->parameter->path, parameter_print(old->parameter, old->values[i], old_text),
                   parameter_print(old->parameter, new->values[i], new_text));
            break;
        }
    }
}

static void compare_workloads(struct comparison *comparison, const struct study *kept,
                              const struct study *study, const char *const *digests)
{
    compare_counts(comparison, "it", kept->workload_count, study->workload_count, "workload");
    for (size_t i = 0; i < kept->workload_count && i < study->workload_count; i++) {
        if (strcmp(kept->workloads[i], study->workloads[i]) != 0) {
            differ(comparison, "workload %zu is %s there and %s here", i + 1, kept->workloads[i],
                   study->workloads[i]);
            continue;
        }
        char *old;
        const enum status status =
            store_digest(comparison->store, i, &old, comparison->diagnostics);
        comparison->status = comparison->status ? comparison->status : status;
        /* Under another assumption they differ for a reason that is said already. */
        if (old && kept->assumed == study->assumed && strcmp(old, digests[i]) != 0)
            differ(comparison,
                   "workload %s has the digest %s there and %s here: its stream changed",
                   study->workloads[i], old, digests[i]);
        free(old);
    }
}

static void compare_conditions(struct comparison *comparison, const struct study *kept,
                               const struct study *study)
{
    if (kept->where_count != study->where_count)
        differ(comparison, "it has %zu 'where' conditions there and %zu here", kept->where_count,
               study->where_count);
    for (size_t i = 0; i < kept->where_count && i < study->where_count; i++)
        if (strcmp(kept->where[i].text, study->where[i].text) != 0)
            differ(comparison, "'where' has \"%.120s\" there and \"%.120s\" here",
                   kept->where[i].text, study->where[i].text);
}

static enum status compare_columns(struct comparison *comparison, const struct study *kept,
                                   const struct study *study)
{
    const struct metric **old = NULL, **new = NULL;
    size_t old_count, new_count;
    enum status status = study_result_columns(kept, &old, &old_count);
    if (!status)
        status = study_result_columns(study, &new, &new_count);
    if (!status)
        compare_counts(comparison, "it", old_count, new_count, "column");
    for (size_t i = 0; !status && i < old_count && i < new_count; i++)
        if (old[i] != new[i])
            differ(comparison, "column %zu is %s there and %s here", i + 1, old[i]->path,
                   new[i]->path);
    free(old);
    free(new);
    return status;
}

enum status store_compare(struct store *store, const struct study *kept, const struct study *study,
                          const char *const *digests, struct diagnostics *diagnostics)
{
    struct comparison comparison = {.store = store, .diagnostics = diagnostics};
    char version[16];
    snprintf(version, sizeof version, "%d", EVALUATOR_VERSION);
    char *old;
    comparison.status = store_provenance(store, "evaluator_version", &old, diagnostics);
    if (old && strcmp(old, version) != 0)
        differ(&comparison, "its numbers come from evaluator version %.20s, this program has %s",
               old, version);
    free(old);
    if (kept->assumed != study->assumed)
        differ(&comparison, "instructions are assumed to be %s there and %s here",
               assumed_table[kept->assumed].name, assumed_table[study->assumed].name);
    if (kept->depth != study->depth)
        differ(&comparison, "its points are of depth %s there and %s here", depth_name(kept->depth),
               depth_name(study->depth));
    compare_axes(&comparison, kept, study);
    compare_machines(&comparison, kept, study);
    compare_workloads(&comparison, kept, study, digests);
    compare_conditions(&comparison, kept, study);
    const enum status status = compare_columns(&comparison, kept, study);
    if (status || comparison.status)
        return status ? status : comparison.status;
    return comparison.differences ? STATUS_CONFLICT : STATUS_OK;
}
