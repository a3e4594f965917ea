/* Evaluates conditions with SQLite: prepares, guards, binds and steps (explore/space/conditions.h).
 * Each expression has an in-memory database of its own that holds nothing; names become bound
 * parameters, so a test costs one bind per name and one step. */
#include "explore/space/conditions.h"

#include <ctype.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"
#include "explore/space/expression.h"

enum { STEPS_MAX = 1000000, STEPS_BETWEEN_CHECKS = 1000 };

static bool listed(const char *const *names, const char *name)
{
    for (size_t i = 0; names && names[i]; i++)
        if (!sqlite3_stricmp(names[i], name))
            return true;
    return false;
}

/* SQLite calls this while it prepares a statement. Everything that is not a plain read or a listed
 * function is refused. */
static int authorize(void *extra, int action, const char *first, const char *second,
                     const char *schema, const char *trigger)
{
    (void)first, (void)schema, (void)trigger;
    if (action == SQLITE_SELECT || action == SQLITE_READ)
        return SQLITE_OK;
    if (action == SQLITE_FUNCTION &&
        (listed(expression_functions, second) || listed(extra, second)))
        return SQLITE_OK;
    return SQLITE_DENY;
}

void expression_guard(struct sqlite3 *database, const char *const *extra)
{
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
    sqlite3_set_authorizer(database, authorize, (void *)(uintptr_t)extra);
}

void expression_unguard(struct sqlite3 *database)
{
    sqlite3_set_authorizer(database, NULL, NULL);
}

/* SQLite's progress handler: ends an evaluation after STEPS_MAX steps of its virtual machine. */
static int count_steps(void *argument)
{
    struct expression *expression = argument;
    expression->steps += STEPS_BETWEEN_CHECKS;
    return expression->steps > STEPS_MAX;
}

static void spell_bound(void *argument, const struct expression_name *name, FILE *out)
{
    const struct expression *expression = argument;
    fprintf(out, "?%zu", (size_t)(name - expression->names) + 1);
}

/* "WITH rows(c0, c1) AS (VALUES (?1, ?2), ...) SELECT (body) FROM rows" */
static char *rows_sql(const struct expression *expression, const char *body, size_t count)
{
    const size_t names = expression->name_count ? expression->name_count : 1;
    size_t bound = 0;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    fputs("WITH rows(c0", out);
    for (size_t i = 1; i < names; i++)
        fprintf(out, ", c%zu", i);
    fputs(") AS (VALUES ", out);
    for (size_t row = 0; row < count; row++)
        for (size_t i = 0; i < names; i++)
            fprintf(out, "%s?%zu%s",
                    i     ? ", "
                    : row ? ", ("
                          : "(",
                    ++bound, i + 1 < names ? "" : ")");
    fprintf(out, ") SELECT (%s) FROM rows", body);
    return text_stream_take(&stream);
}

static void spell_column(void *argument, const struct expression_name *name, FILE *out)
{
    const struct expression *expression = argument;
    fprintf(out, "c%zu", (size_t)(name - expression->names));
}

/* What SQLite is to check; the caller frees it. NULL if out of memory. */
static char *checked_sql(struct expression *expression)
{
    const bool rows = expression->scope == SCOPE_ROWS;
    char *body = expression_sql(expression, rows ? spell_column : spell_bound, expression);
    char *sql = NULL;
    if (body && rows)
        sql = rows_sql(expression, body, 1);
    else if (body && asprintf(&sql, "SELECT 1 WHERE (%s)", body) < 0)
        sql = NULL;
    free(body);
    return sql;
}

enum status expression_create(const char *text, const struct place *place,
                              enum expression_scope scope, struct expression **expression,
                              struct diagnostics *diagnostics)
{
    return expression_create_own(text, place, scope, NULL, expression, diagnostics);
}

enum status expression_create_own(const char *text, const struct place *place,
                                  enum expression_scope scope, const struct expression_own *own,
                                  struct expression **result, struct diagnostics *diagnostics)
{
    *result = NULL;
    struct expression *expression = calloc(1, sizeof *expression);
    char *sql = NULL;
    enum status status = STATUS_MEMORY;
    if (!expression)
        return status;
    expression->scope = scope;
    if (place) {
        expression->place = *place;
        expression->file = place->file ? strdup(place->file) : NULL;
        expression->place.file = expression->file;
    }
    status = expression_scan(expression, text, own, diagnostics);
    if (status)
        goto cleanup;
    status = STATUS_MEMORY;
    sql = checked_sql(expression);
    if (!sql ||
        sqlite3_open_v2(":memory:", &expression->database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY, NULL))
        goto cleanup;
    expression_guard(expression->database, scope == SCOPE_ROWS ? expression_aggregates : NULL);
    sqlite3_progress_handler(expression->database, STEPS_BETWEEN_CHECKS, count_steps, expression);
    status = STATUS_OK;
    if (sqlite3_prepare_v3(expression->database, sql, -1, SQLITE_PREPARE_PERSISTENT,
                           &expression->statement, NULL)) {
        expression_explain(expression, sqlite3_errmsg(expression->database), diagnostics);
        status = STATUS_INVALID;
    }
cleanup:
    free(sql);
    if (status) {
        expression_free(expression);
        return status;
    }
    if (expression->place.source) /* the caller's text need not outlive the expression */
        expression->place.source = expression->text;
    *result = expression;
    return STATUS_OK;
}

void expression_free(struct expression *expression)
{
    if (!expression)
        return;
    sqlite3_finalize(expression->statement);
    sqlite3_finalize(expression->value);
    sqlite3_close(expression->database);
    free(expression->file);
    free(expression->text);
    free(expression->code);
    free(expression->names);
    free(expression);
}

size_t expression_names(const struct expression *expression, const struct expression_name **names)
{
    *names = expression->names;
    return expression->name_count;
}

bool expression_reads_metrics(const struct expression *expression)
{
    for (size_t i = 0; i < expression->name_count; i++)
        if (expression->names[i].kind == NAME_METRIC)
            return true;
    return false;
}

static void bind_parameter(sqlite3_stmt *statement, int position, const struct parameter *parameter,
                           const struct machine *machine)
{
    struct value value = parameter_get(parameter, machine);
    if (parameter->type == PARAMETER_ENUM)
        sqlite3_bind_text(statement, position, parameter->choices[value.uint].name, -1,
                          SQLITE_STATIC);
    else if (parameter->type == PARAMETER_REAL)
        sqlite3_bind_double(statement, position, value.real);
    else
        sqlite3_bind_int64(statement, position, (sqlite3_int64)value.uint);
}

static void bind_cell(sqlite3_stmt *statement, int position, const struct expression_cell *cell)
{
    if (cell->text)
        sqlite3_bind_text(statement, position, cell->text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_double(statement, position, cell->number);
}

static void bind_name(sqlite3_stmt *statement, int position, const struct expression_name *name,
                      const struct expression_values *values)
{
    switch (name->kind) {
    case NAME_PARAMETER:
        bind_parameter(statement, position, name->parameter, values->machine);
        break;
    case NAME_METRIC: /* SQLite turns NaN into NULL */
        sqlite3_bind_double(statement, position, metric_get(name->metric, values->metrics));
        break;
    case NAME_WORKLOAD:
        sqlite3_bind_text(statement, position, values->workload, -1, SQLITE_STATIC);
        break;
    case NAME_POINT:
        sqlite3_bind_int64(statement, position, (sqlite3_int64)values->point);
        break;
    case NAME_OWN:
        bind_cell(statement, position, &values->own[name->own]);
        break;
    }
}

/* Steps a statement whose names are bound; *code is what SQLite says. */
static enum status step_bound(struct expression *expression, sqlite3_stmt *statement, int *code,
                              struct diagnostics *diagnostics)
{
    expression->steps = 0;
    *code = sqlite3_step(statement);
    if (*code == SQLITE_ROW || *code == SQLITE_DONE)
        return STATUS_OK;
    expression_report(expression, 0, 0, diagnostics, "cannot be evaluated: %s",
                      sqlite3_errmsg(expression->database));
    return STATUS_INVALID;
}

static enum status step(struct expression *expression, sqlite3_stmt *statement,
                        const struct expression_values *values, int *code,
                        struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < expression->name_count; i++)
        bind_name(statement, (int)i + 1, &expression->names[i], values);
    return step_bound(expression, statement, code, diagnostics);
}

enum status expression_test(struct expression *expression, const struct expression_values *values,
                            bool *holds, struct diagnostics *diagnostics)
{
    int code;
    enum status status = step(expression, expression->statement, values, &code, diagnostics);
    *holds = code == SQLITE_ROW;
    sqlite3_reset(expression->statement);
    return status;
}

/* Prepares the statement that returns the value; expression_create has checked the text. */
static enum status prepare_value(struct expression *expression)
{
    char *body = expression_sql(expression, spell_bound, expression), *sql = NULL;
    enum status status = STATUS_MEMORY;
    if (body && asprintf(&sql, "SELECT (%s)", body) >= 0 &&
        !sqlite3_prepare_v3(expression->database, sql, -1, SQLITE_PREPARE_PERSISTENT,
                            &expression->value, NULL))
        status = STATUS_OK;
    free(body);
    free(sql);
    return status;
}

/* The first column of a statement that has a row. */
static void read_answer(sqlite3_stmt *statement, struct expression_answer *answer)
{
    const int type = sqlite3_column_type(statement, 0);
    answer->is_text = type == SQLITE_TEXT;
    if (answer->is_text)
        snprintf(answer->text, sizeof answer->text, "%s",
                 (const char *)sqlite3_column_text(statement, 0));
    else if (type != SQLITE_NULL)
        answer->number = sqlite3_column_double(statement, 0);
}

enum status expression_evaluate(struct expression *expression,
                                const struct expression_values *values,
                                struct expression_answer *answer, struct diagnostics *diagnostics)
{
    int code;
    *answer = (struct expression_answer){.number = NAN};
    enum status status = expression->value ? STATUS_OK : prepare_value(expression);
    if (!status)
        status = step(expression, expression->value, values, &code, diagnostics);
    if (!status && code == SQLITE_ROW)
        read_answer(expression->value, answer);
    sqlite3_reset(expression->value);
    return status;
}

enum status expression_value(struct expression *expression, const struct expression_values *values,
                             double *value, struct diagnostics *diagnostics)
{
    struct expression_answer answer;
    const enum status status = expression_evaluate(expression, values, &answer, diagnostics);
    *value = answer.is_text ? strtod(answer.text, NULL) : answer.number;
    return status;
}

enum { ROWS_NAMES_MAX = 32000 }; /* as many as SQLite binds */

static bool is_missing(const struct expression_cell *cell)
{
    return !cell->text && isnan(cell->number);
}

static bool same_cell(const struct expression_cell *a, const struct expression_cell *b)
{
    return a->text && b->text ? !strcmp(a->text, b->text)
                              : !a->text && !b->text && a->number == b->number;
}

/* SQLite takes a name outside of aggregates from any of the rows, so they must agree in it. */
static bool rows_agree(const struct expression *expression,
                       const struct expression_cell *const *rows, size_t count)
{
    for (size_t i = 0; i < expression->name_count; i++) {
        const struct expression_cell *first = NULL;
        for (size_t row = 0; row < count && expression->names[i].bare; row++) {
            const struct expression_cell *cell = &rows[row][expression->names[i].own];
            if (is_missing(cell))
                continue;
            if (first && !same_cell(first, cell))
                return false;
            first = cell;
        }
    }
    return true;
}

enum status expression_over(struct expression *expression,
                            const struct expression_cell *const *rows, size_t count,
                            struct expression_answer *answer, struct diagnostics *diagnostics)
{
    *answer = (struct expression_answer){.number = NAN};
    if (!count)
        return STATUS_OK;
    if (count * (expression->name_count + 1) > ROWS_NAMES_MAX) {
        expression_report(expression, 0, 0, diagnostics, "too many names and rows");
        return STATUS_INVALID;
    }
    if (!rows_agree(expression, rows, count)) {
        expression_report(expression, 0, 0, diagnostics,
                          "the rows do not agree in a name: take avg, sum, min or max of it, or "
                          "say with 'where' which row counts");
        return STATUS_INVALID;
    }
    int code;
    char *body = expression_sql(expression, spell_column, expression);
    char *sql = body ? rows_sql(expression, body, count) : NULL;
    sqlite3_stmt *statement = NULL;
    enum status status = STATUS_MEMORY;
    if (sql && !sqlite3_prepare_v2(expression->database, sql, -1, &statement, NULL)) {
        int position = 0;
        for (size_t row = 0; row < count; row++)
            for (size_t i = 0; i < expression->name_count; i++)
                bind_cell(statement, ++position, &rows[row][expression->names[i].own]);
        status = step_bound(expression, statement, &code, diagnostics);
        if (!status && code == SQLITE_ROW)
            read_answer(statement, answer);
    }
    sqlite3_finalize(statement);
    free(sql);
    free(body);
    return status;
}

char *expression_sql(const struct expression *expression, spell_function spell, void *argument)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    for (const char *at = expression->code; *at; at++) {
        if (*at != EXPRESSION_NAME) {
            fputc(*at, out);
            continue;
        }
        char *end;
        size_t index = strtoul(at + 1, &end, 10);
        spell(argument, &expression->names[index], out);
        at = end; /* the mark that ends the name */
    }
    return text_stream_take(&stream);
}

static bool is_stored(const struct study *study, const struct metric *metric)
{
    for (size_t i = 0; i < study->objective_count; i++)
        if (study->objectives[i].metric == metric)
            return true;
    for (size_t i = 0; i < study->column_count; i++)
        if (study->columns[i] == metric)
            return true;
    return false;
}

static enum status check_condition(const struct study *study, const struct condition *condition,
                                   enum expression_scope scope, struct diagnostics *diagnostics)
{
    const struct place place = {.file = study->path, .line = condition->line};
    struct expression *expression;
    enum status status =
        expression_create(condition->text, &place, scope, &expression, diagnostics);
    if (status)
        return status;
    for (size_t i = 0; i < expression->name_count; i++) {
        const struct metric *metric = expression->names[i].metric;
        if (!metric || scope == SCOPE_MACHINE || is_stored(study, metric))
            continue;
        expression_report(expression, 0, 0, diagnostics,
                          "the study does not store %s; add it to 'metrics'", metric->path);
        status = STATUS_INVALID;
    }
    expression_free(expression);
    return status;
}

/* The unit of the name in text[0..length); UNIT_NONE: of no such name. */
static enum unit name_unit(const char *text, size_t length)
{
    char path[128] = "";
    if (length < sizeof path)
        memcpy(path, text, length);
    const struct metric *metric = metric_find(path);
    const struct parameter *parameter = parameter_find(path);
    return metric ? metric->unit : parameter ? parameter->unit : UNIT_NONE;
}

/* The length of a comparison with a plain number, as " < 2"; 0: something else stands there. */
static size_t plain_comparison(const char *text)
{
    const size_t operator= strspn(text, " "), operators = strspn(text + operator, "<>=!");
    const size_t start = operator+ operators + strspn(text + operator+ operators, " ");
    char *end;
    if (!operators || !isdigit((unsigned char)text[start]))
        return 0;
    (void)strtod(text + start, &end);
    const char *next = end + strspn(end, " ");
    return isalnum((unsigned char)*end) || (*next && strchr("%_.+-*/", *next))
               ? 0
               : (size_t)(end - text);
}

/* Whether a plain number is one of this unit, so that the unit may stand behind it. */
static bool takes_unit(enum unit unit)
{
    char one[32];
    double value;
    snprintf(one, sizeof one, "1%s", unit_name(unit));
    return unit != UNIT_NONE && !quantity_parse_real(one, unit, &value) && value == 1;
}

const char *condition_print(const char *text, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    while (*text && used < size) {
        const char *const word = text;
        if (*text == '\'') /* a text: as it is */
            text += 1 + strcspn(text + 1, "'") + (text[1 + strcspn(text + 1, "'")] == '\'');
        else if (isalpha((unsigned char)*text))
            while (isalnum((unsigned char)*text) || *text == '_' || *text == '.')
                text++;
        else
            text++;
        const enum unit unit =
            isalpha((unsigned char)*word) ? name_unit(word, (size_t)(text - word)) : UNIT_NONE;
        const size_t number = takes_unit(unit) ? plain_comparison(text) : 0;
        text += number;
        used += (size_t)snprintf(out + used, size - used, "%.*s%s", (int)(text - word), word,
                                 number ? unit_name(unit) : "");
    }
    return out;
}

enum status study_conditions_check(const struct study *study, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < study->where_count; i++) {
        enum status found = check_condition(study, &study->where[i], SCOPE_MACHINE, diagnostics);
        status = status ? status : found;
    }
    for (size_t i = 0; i < study->filter_count; i++) {
        enum status found = check_condition(study, &study->filters[i], SCOPE_POINT, diagnostics);
        status = status ? status : found;
    }
    return status;
}
