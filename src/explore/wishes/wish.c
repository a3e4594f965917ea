#include "explore/wishes/wish.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_stream.h"
#include "explore/space/conditions.h"

/* ---- words ---- */

/* A walk over the words of a text that stand outside of quotes and parentheses. */
struct words {
    const char *at; /* where the next word is looked for */
    const char *word;
    size_t length;
};

static bool is_blank(const char *text)
{
    return !text[strspn(text, " \t\r\n")];
}

static size_t skip_quoted(const char *text)
{
    const char *end = strchr(text + 1, *text);
    return end ? (size_t)(end - text) + 1 : strlen(text);
}

static size_t skip_parentheses(const char *text)
{
    int depth = 0;
    size_t at = 0;
    do {
        depth += (text[at] == '(') - (text[at] == ')');
        at += text[at] == '\'' || text[at] == '"' ? skip_quoted(text + at) : 1;
    } while (depth > 0 && text[at]);
    return at;
}

static bool is_wordy(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The next word, or the next comma; false: there is none. */
static bool next_word(struct words *words)
{
    const char *at = words->at;
    while (*at && *at != ',' && !is_wordy(*at))
        at += *at == '(' ? skip_parentheses(at) : *at == '\'' || *at == '"' ? skip_quoted(at) : 1;
    words->word = at;
    words->length = *at == ',';
    while (is_wordy(at[words->length]) && *at != ',')
        words->length++;
    words->at = at + words->length;
    return *at;
}

static bool word_is(const struct words *words, const char *text)
{
    return words->length == strlen(text) && !strncasecmp(words->word, text, words->length);
}

static bool word_in(const struct words *words, const char *const *list)
{
    while (*list && !word_is(words, *list))
        list++;
    return *list;
}

/* ---- the goal ---- */

/* "min" and "max" are functions of conditions as well, but with an argument in parentheses. */
static bool is_goal(const struct words *words)
{
    const char *after = words->at + strspn(words->at, " \t\r\n");
    return (word_is(words, "min") || word_is(words, "max")) && *after != '(';
}

static enum status refuse_goal(const char *name, struct diagnostics *diagnostics)
{
    char hint[SUGGESTION_TEXT];
    if (!*name)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "expected a metric after min or max, such as total.area");
    if (parameter_find(name))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s is a parameter: expected a metric after min or max, such as "
                                 "total.area; a parameter may stand in a condition",
                                 name);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no metric '%.60s'%s", name,
                             suggestion(metric_nearest(name), hint));
}

static enum status check_metric(const struct metric *metric, enum depth depth,
                                struct diagnostics *diagnostics)
{
    char why[METRIC_UNANSWERED];
    if (metric_answered(metric, depth))
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_INVALID, "%s %s", metric->path,
                             metric_unanswered(metric, depth, why));
}

/* Reads the metric of the goal; words->at goes behind it. */
static enum status read_goal(struct words *words, enum depth depth, struct wish *wish,
                             struct diagnostics *diagnostics)
{
    char name[80] = "";
    wish->goal.direction = word_is(words, "min") ? LOWER_IS_BETTER : HIGHER_IS_BETTER;
    if (next_word(words) && *words->word != ',')
        snprintf(name, sizeof name, "%.*s", (int)words->length, words->word);
    wish->goal.metric = metric_find(name);
    if (!wish->goal.metric)
        return refuse_goal(name, diagnostics);
    return check_metric(wish->goal.metric, depth, diagnostics);
}

/* ---- conditions ---- */

static enum status add_metric(struct wish *wish, const struct metric *metric)
{
    for (size_t i = 0; i < wish->metric_count; i++)
        if (wish->metrics[i] == metric)
            return STATUS_OK;
    void *more = realloc(wish->metrics, (wish->metric_count + 1) * sizeof(const struct metric *));
    if (!more)
        return STATUS_MEMORY;
    wish->metrics = more;
    wish->metrics[wish->metric_count++] = metric;
    return STATUS_OK;
}

static enum status append(struct condition **list, size_t *count, const char *text)
{
    struct condition *more = realloc(*list, (*count + 1) * sizeof **list);
    if (!more)
        return STATUS_MEMORY;
    *list = more;
    more[*count] = (struct condition){.text = strdup(text)};
    return more[*count].text ? (++*count, STATUS_OK) : STATUS_MEMORY;
}

/* Adds one condition to those that need a run, or to the others. */
static enum status add_condition(struct wish *wish, const char *text, enum depth depth,
                                 struct diagnostics *diagnostics)
{
    struct expression *expression;
    const struct expression_name *names;
    const struct place nowhere = {0};
    bool runs = false;
    enum status status = expression_create(text, &nowhere, SCOPE_POINT, &expression, diagnostics);
    if (status)
        return status;
    const size_t count = expression_names(expression, &names);
    for (size_t i = 0; i < count && !status; i++) {
        if (names[i].kind == NAME_WORKLOAD || names[i].kind == NAME_POINT)
            status =
                diagnostics_error(diagnostics, STATUS_INVALID,
                                  "expected conditions over parameters and metrics: \"%.160s\" "
                                  "names what only the points of a sweep have",
                                  text);
        if (names[i].kind != NAME_METRIC)
            continue;
        runs = runs || names[i].metric->stage != STAGE_AREA;
        status = check_metric(names[i].metric, depth, diagnostics);
    }
    for (size_t i = 0; i < count && !status; i++)
        if (names[i].kind == NAME_METRIC)
            status = add_metric(wish, names[i].metric);
    if (!status)
        status = runs ? append(&wish->filters, &wish->filter_count, text)
                      : append(&wish->where, &wish->where_count, text);
    expression_free(expression);
    return status;
}

/* Where "and" binds otherwise than it looks, a text is left whole. */
static bool may_part(const char *text)
{
    static const char *const binding[] = {"or", "between", "case", NULL};
    struct words words = {.at = text};
    while (next_word(&words))
        if (word_in(&words, binding))
            return false;
    return true;
}

static enum status add_piece(struct wish *wish, const char *text, size_t length, enum depth depth,
                             struct diagnostics *diagnostics)
{
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    while (length && isspace((unsigned char)*text))
        text++, length--;
    if (!length)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "expected a condition on each side of a comma or 'and'");
    char *piece = strndup(text, length);
    if (!piece)
        return STATUS_MEMORY;
    const enum status status = add_condition(wish, piece, depth, diagnostics);
    free(piece);
    return status;
}

/* Adds the conditions of a text, which commas and "and" part. */
static enum status add_conditions(struct wish *wish, const char *text, enum depth depth,
                                  struct diagnostics *diagnostics)
{
    struct words words = {.at = text};
    enum status status = STATUS_OK;
    const bool parts = may_part(text);
    const char *from = text;
    while (next_word(&words)) {
        if (!word_is(&words, ",") && !(parts && word_is(&words, "and")))
            continue;
        const enum status added =
            add_piece(wish, from, (size_t)(words.word - from), depth, diagnostics);
        status = status ? status : added;
        from = words.at;
    }
    if (from > text && is_blank(from)) /* "core.ipc >= 1, min total.area" */
        return status;
    const enum status added = add_piece(wish, from, strlen(from), depth, diagnostics);
    return status ? status : added;
}

/* ---- the whole ---- */

/* Conditions before the goal, and after "with". */
static enum status read_conditions(struct wish *wish, const char *before, const char *after,
                                   enum depth depth, struct diagnostics *diagnostics)
{
    static const char *const joining[] = {"with", "and", "where", NULL};
    struct words words = {.at = after};
    enum status status = STATUS_OK;
    if (!is_blank(before))
        status = add_conditions(wish, before, depth, diagnostics);
    if (is_blank(after))
        return status;
    const char *rest = after + strspn(after, " \t\r\n");
    if (!next_word(&words) || words.word != rest || !word_in(&words, joining) || is_blank(words.at))
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "expected 'with' and a condition after the goal, found '%.60s'",
                                 rest);
    const enum status added = add_conditions(wish, words.at, depth, diagnostics);
    return status ? status : added;
}

enum status wish_parse(const char *text, enum depth depth, struct wish *wish,
                       struct diagnostics *diagnostics)
{
    struct words words = {.at = text}, more;
    *wish = (struct wish){0};
    bool found = false;
    while (!found && next_word(&words))
        found = is_goal(&words);
    if (!found)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "expected min or max and a metric, as in \"core.ipc >= 1 min "
                                 "total.area\" or \"max core.ipc with total.area <= 20\"");
    char *before = strndup(text, (size_t)(words.word - text));
    if (!before)
        return STATUS_MEMORY;
    enum status status = read_goal(&words, depth, wish, diagnostics);
    for (more = words; next_word(&more);)
        if (is_goal(&more))
            status = diagnostics_error(diagnostics, STATUS_INVALID,
                                       "expected one min or max: a second goal is a condition");
    if (!status || status == STATUS_NOT_FOUND) {
        const enum status read = read_conditions(wish, before, words.at, depth, diagnostics);
        status = status ? status : read;
    }
    free(before);
    return status;
}

static void free_conditions(struct condition *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(conditions[i].text);
    free(conditions);
}

void wish_free(struct wish *wish)
{
    free_conditions(wish->where, wish->where_count);
    free_conditions(wish->filters, wish->filter_count);
    free(wish->metrics);
    *wish = (struct wish){0};
}

/* "least" or "most". */
static const char *wish_extreme(const struct wish *wish)
{
    return wish->goal.direction == HIGHER_IS_BETTER ? "most" : "least";
}

char *wish_print(const struct wish *wish)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return NULL;
    fprintf(out, "%s %s", wish_extreme(wish), wish->goal.metric->path);
    const char *joint = " with ";
    for (size_t i = 0; i < wish->filter_count; i++, joint = ", ")
        fprintf(out, "%s%s", joint, wish->filters[i].text);
    for (size_t i = 0; i < wish->where_count; i++, joint = ", ")
        fprintf(out, "%s%s", joint, wish->where[i].text);
    return text_stream_take(&stream);
}
