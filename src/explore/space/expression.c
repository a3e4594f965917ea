/* The tokenizer of conditions. It knows every token and rewrites it into SQL; whatever it does not
 * know it refuses by name. So nothing of the user's text reaches SQLite unchecked. */
#include "explore/space/expression.h"
#include "schema/moved_settings.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text_stream.h"

enum { EXPRESSION_LENGTH = 4096, NAME_LENGTH = 64 };

const char *const expression_functions[] = {
    "abs",   "min",   "max",   "coalesce", "ifnull", "nullif", "iif",  "round", "sign", "ceil",
    "floor", "trunc", "mod",   "pow",      "power",  "sqrt",   "exp",  "ln",    "log",  "log2",
    "log10", "lower", "upper", "length",   "instr",  "like",   "glob", NULL};

const char *const expression_aggregates[] = {"avg", "sum", "total", "count", "group_concat", NULL};

static const char *const keywords[] = {"and",     "or",   "not",  "is",     "null",   "in",
                                       "between", "like", "glob", "escape", "isnull", "notnull",
                                       "case",    "when", "then", "else",   "end",    NULL};

static const struct {
    const char *word, *sql;
} switches[] = {{"yes", "1"}, {"on", "1"},  {"true", "1"},
                {"no", "0"},  {"off", "0"}, {"false", "0"}};

/* Longest first, so that "<=" is not read as "<" and "=". */
static const char *const operators[] = {"<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "<", ">",
                                        "=",  "+",  "-",  "*",  "/",  "%",  "&",  "|",  "~"};

struct scanner {
    struct expression *expression;
    const char *text, *at;
    FILE *out;
    enum expression_scope scope;
    const struct expression_own *own; /* or NULL */
    int depth;                        /* of open parentheses */
    int aggregate;                    /* depth of the one of an aggregate; 0: outside of them */
    size_t errors;
    struct diagnostics *diagnostics;
    /* The enum parameter that the next literals are compared with, as in `policy = lru` or `policy
     * in ('lru', 'fifo')`. Without this check a misspelt choice would just never match. */
    const struct parameter *compared;
};

void expression_report(const struct expression *expression, size_t offset, size_t span,
                       struct diagnostics *diagnostics, const char *format, ...)
{
    char message[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct place place = expression->place;
    if (place.source) {
        place.column = span ? (unsigned)offset + 1 : 0;
        place.span = (unsigned)span;
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s", message);
    } else {
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s (in the condition \"%.160s\")",
                        message, expression->text);
    }
}

#define REPORT(scanner, start, length, ...)                                                        \
    ((scanner)->errors++,                                                                          \
     expression_report((scanner)->expression, (size_t)((start) - (scanner)->text), length,         \
                       (scanner)->diagnostics, __VA_ARGS__))

static bool in_list(const char *const *list, const char *word)
{
    for (size_t i = 0; list[i]; i++)
        if (!strcasecmp(list[i], word))
            return true;
    return false;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

static bool find_name(const char *word, struct expression_name *name)
{
    *name = (struct expression_name){.kind = NAME_PARAMETER, .parameter = parameter_find(word)};
    if (name->parameter)
        return true;
    *name = (struct expression_name){.kind = NAME_METRIC, .metric = metric_find(word)};
    if (name->metric)
        return true;
    name->kind = !strcmp(word, "workload") ? NAME_WORKLOAD : NAME_POINT;
    return name->kind == NAME_WORKLOAD || !strcmp(word, "id");
}

enum { NAMES_MAX = 512 };

static const char *find_nearest(const char *word, enum expression_scope scope)
{
    const char *names[NAMES_MAX];
    size_t count = 0, length = strlen(word);
    for (size_t i = 0; i < parameter_count && count < NAMES_MAX; i++)
        names[count++] = parameters[i].path;
    for (size_t i = 0; i < METRIC_COUNT && count < NAMES_MAX; i++)
        if (scope == SCOPE_POINT || metric_table[i].stage == STAGE_AREA)
            names[count++] = metric_table[i].path;
    for (size_t i = 0; i < count; i++) { /* "miss_rate" finds the first path that ends so */
        size_t before = strlen(names[i]) - length;
        if (strlen(names[i]) > length && names[i][before - 1] == '.' &&
            !strcmp(names[i] + before, word))
            return names[i];
    }
    return nearest_name(word, names, count);
}

static bool has_choice(const struct parameter *parameter, const char *word)
{
    for (size_t i = 0; i < parameter->choice_count; i++)
        if (!strcmp(parameter->choices[i].name, word))
            return true;
    return false;
}

static bool is_choice(const char *word)
{
    for (size_t i = 0; i < parameter_count; i++)
        if (has_choice(&parameters[i], word))
            return true;
    return false;
}

/* The index of `name` among the expression's names; adds it if it is new. SIZE_MAX: no memory. */
static size_t name_index(struct expression *expression, const struct expression_name *name)
{
    for (size_t i = 0; i < expression->name_count; i++) {
        struct expression_name *other = &expression->names[i];
        if (other->kind == name->kind && other->parameter == name->parameter &&
            other->metric == name->metric && other->own == name->own) {
            other->bare |= name->bare;
            return i;
        }
    }
    if (array_reserve(&expression->names, &expression->name_capacity, expression->name_count + 1))
        return SIZE_MAX;
    expression->names[expression->name_count] = *name;
    return expression->name_count++;
}

/* Whether a machine alone gives a name its value. */
static bool known_before(const struct expression_name *name)
{
    return name->kind == NAME_PARAMETER ||
           (name->kind == NAME_METRIC && name->metric->stage == STAGE_AREA);
}

static enum status scan_name(struct scanner *scanner, const struct expression_name *name,
                             const char *start, size_t length)
{
    if (scanner->scope == SCOPE_MACHINE && !known_before(name)) {
        REPORT(scanner, start, length,
               "'%.*s' is not known before a point is evaluated: 'where' may name parameters, bits "
               "and areas; write this condition under 'filters'",
               (int)length, start);
        return STATUS_OK;
    }
    if (scanner->scope == SCOPE_ROWS && name->kind != NAME_OWN) {
        REPORT(scanner, start, length, "'%.*s' of which variant? Write %.*s@VARIANT", (int)length,
               start, (int)length, start);
        return STATUS_OK;
    }
    if (name->kind == NAME_PARAMETER && name->parameter->type == PARAMETER_SIZES) {
        REPORT(scanner, start, length, "'%.*s' is a list and cannot be compared", (int)length,
               start);
        return STATUS_OK;
    }
    struct expression_name placed = *name;
    placed.bare = !scanner->aggregate;
    size_t index = name_index(scanner->expression, &placed);
    if (index == SIZE_MAX)
        return STATUS_MEMORY;
    fprintf(scanner->out, "%c%zu%c ", EXPRESSION_NAME, index, EXPRESSION_NAME);
    bool choices = name->kind == NAME_PARAMETER && name->parameter->type == PARAMETER_ENUM;
    scanner->compared = choices ? name->parameter : NULL;
    return STATUS_OK;
}

/* Whether a word is a unit, such as "mm2" in "0.05 mm2". */
static bool is_unit(const char *word)
{
    char quantity[NAME_LENGTH + 1];
    double value;
    snprintf(quantity, sizeof quantity, "1%s", word);
    for (enum unit unit = UNIT_BYTES; unit <= UNIT_CYCLES; unit++)
        if (!quantity_parse_real(quantity, unit, &value))
            return true;
    return false;
}

static void report_unknown(struct scanner *scanner, const char *word, const char *start)
{
    const struct expression_own *own = scanner->own;
    const char *nearest = own ? own->nearest(own->argument, word) : NULL;
    if (!nearest)
        nearest = find_nearest(word, scanner->scope);
    size_t length = strlen(word);
    char hint[SUGGESTION_TEXT];
    const char *before = start;
    while (before > scanner->text && before[-1] == ' ')
        before--;
    if (before > scanner->text && before < start && isdigit((unsigned char)before[-1]) &&
        is_unit(word))
        REPORT(scanner, start, length,
               "a unit follows its number without a blank: "
               "1%s",
               word);
    else if (*skip_blanks(start + length) == '(')
        REPORT(scanner, start, length, "there is no function '%s' in conditions", word);
    else if (moved_suggestion(word, NULL, hint))
        REPORT(scanner, start, length, "unknown name '%s'%s", word, hint);
    else if (is_choice(word))
        REPORT(scanner, start, length, "unknown name '%s'; a choice is written in quotes: '%s'",
               word, word);
    else if (nearest)
        REPORT(scanner, start, length, "unknown name '%s'; did you mean '%s'?", word, nearest);
    else
        REPORT(scanner, start, length, "unknown name '%s'; expected a parameter%s", word,
               scanner->scope == SCOPE_POINT ? " or metric" : "");
}

/* Keywords between an enum and a literal that do not end the comparison. */
static bool keeps_comparison(const char *word)
{
    return !strcasecmp(word, "in") || !strcasecmp(word, "not") || !strcasecmp(word, "is");
}

/* A name of the caller's hides those of the tables. */
static bool knows_name(const struct scanner *scanner, const char *word,
                       struct expression_name *name)
{
    const struct expression_own *own = scanner->own;
    *name = (struct expression_name){.kind = NAME_OWN};
    return (own && own->find(own->argument, word, &name->own)) || find_name(word, name);
}

/* Whether one argument follows in parentheses. */
static bool has_one_argument(const char *at)
{
    int depth = 0;
    bool quoted = false;
    for (; *at; at++) {
        quoted ^= *at == '\'';
        depth += !quoted && *at == '(';
        depth -= !quoted && *at == ')';
        if (!quoted && depth == 1 && *at == ',')
            return false;
        if (!depth && *at == ')')
            break;
    }
    return true;
}

/* min and max of several arguments take the least or most of these, of one that of all rows. */
static bool is_aggregate(const struct scanner *scanner, const char *word)
{
    return scanner->scope == SCOPE_ROWS &&
           (in_list(expression_aggregates, word) ||
            ((!strcasecmp(word, "min") || !strcasecmp(word, "max")) &&
             has_one_argument(scanner->at)));
}

static bool is_function(const struct scanner *scanner, const char *word)
{
    return in_list(expression_functions, word) ||
           (scanner->scope == SCOPE_ROWS && in_list(expression_aggregates, word));
}

/* A word may be a name, a choice, a function, a keyword or a switch, tried in this order: a choice
 * such as "none" only beside the parameter that has it, which keywords like "in" leave in force. */
static enum status scan_word(struct scanner *scanner)
{
    const char *start = scanner->at;
    size_t length = 0;
    while (isalnum((unsigned char)start[length]) || start[length] == '_' || start[length] == '.' ||
           (scanner->own && start[length] == '@'))
        length++;
    scanner->at += length;
    char word[NAME_LENGTH];
    snprintf(word, sizeof word, "%.*s", (int)(length < NAME_LENGTH ? length : NAME_LENGTH - 1),
             start);
    struct expression_name name;
    if (length < NAME_LENGTH && knows_name(scanner, word, &name))
        return scan_name(scanner, &name, start, length);
    const struct parameter *compared = scanner->compared;
    if (compared && has_choice(compared, word)) {
        fprintf(scanner->out, "'%s' ", word);
        return STATUS_OK;
    }
    scanner->compared = NULL;
    if (*skip_blanks(scanner->at) == '(' && is_function(scanner, word)) {
        fprintf(scanner->out, "%s", word);
        if (!scanner->aggregate && is_aggregate(scanner, word))
            scanner->aggregate = scanner->depth + 1;
        return STATUS_OK;
    }
    if (in_list(keywords, word)) {
        fprintf(scanner->out, "%s ", word);
        scanner->compared = keeps_comparison(word) ? compared : NULL;
        return STATUS_OK;
    }
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (!strcasecmp(switches[i].word, word)) {
            fprintf(scanner->out, "%s ", switches[i].sql);
            return STATUS_OK;
        }
    report_unknown(scanner, word, start);
    return STATUS_OK;
}

/* Whether '%' means percent. It does if no operand follows; otherwise it is the remainder. */
static bool is_percent(const char *after)
{
    after = skip_blanks(after);
    if (!*after || strchr(")<>=!,&|+-*/", *after))
        return true;
    char word[NAME_LENGTH];
    size_t length = 0;
    while (isalpha((unsigned char)after[length]) && length + 1 < NAME_LENGTH) {
        word[length] = after[length];
        length++;
    }
    word[length] = '\0';
    return length && in_list(keywords, word) && strcasecmp(word, "case") != 0;
}

static size_t number_length(const char *start)
{
    size_t length = 0;
    if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X'))
        return 2 + strspn(start + 2, "0123456789abcdefABCDEF");
    length = strspn(start, "0123456789.");
    if (start[length] == 'e' || start[length] == 'E') {
        size_t sign = start[length + 1] == '-' || start[length + 1] == '+';
        size_t digits = strspn(start + length + 1 + sign, "0123456789");
        if (digits)
            length += 1 + sign + digits;
    }
    return length;
}

static void scan_number(struct scanner *scanner)
{
    const char *start = scanner->at;
    size_t length = number_length(start);
    bool suffix = isalpha((unsigned char)start[length]);
    if (start[length] == '%' && is_percent(start + length + 1))
        length++;
    while (isalnum((unsigned char)start[length]) || start[length] == '_')
        length++;
    scanner->at += length;
    char literal[NAME_LENGTH] = "";
    if (length < sizeof literal)
        memcpy(literal, start, length);
    /* No two units have the same suffix, so the suffix tells which unit is meant. */
    enum unit last = suffix || strchr(literal, '%') ? UNIT_CYCLES : UNIT_NONE;
    for (enum unit unit = UNIT_NONE; unit <= last; unit++) {
        uint64_t whole;
        double real;
        if (!quantity_parse_uint(literal, unit, &whole) && whole <= INT64_MAX &&
            !strchr(literal, '.')) {
            fprintf(scanner->out, "%" PRIu64 " ", whole);
            return;
        }
        if (!quantity_parse_real(literal, unit, &real)) {
            fprintf(scanner->out, "%.17e ", real);
            return;
        }
    }
    REPORT(scanner, start, length,
           "'%.*s' is neither a number nor a quantity such as 32KiB, 40%%, "
           "1.5ns or 22nm",
           (int)(length < 40 ? length : 40), start);
}

static void check_choice(struct scanner *scanner, const char *start, size_t length)
{
    const struct parameter *parameter = scanner->compared;
    char word[NAME_LENGTH], expected[VALUE_TEXT];
    const char *names[32];
    size_t count = 0;
    snprintf(word, sizeof word, "%.*s", length < NAME_LENGTH + 2 ? (int)length - 2 : 0, start + 1);
    for (size_t i = 0; i < parameter->choice_count && count < 32; i++) {
        names[count++] = parameter->choices[i].name;
        if (!strcmp(parameter->choices[i].name, word))
            return;
    }
    char hint[SUGGESTION_TEXT];
    const char *nearest = nearest_name(word, names, count);
    if (moved_suggestion(parameter->path, word, hint))
        REPORT(scanner, start, length, "%s has no choice '%s'%s", parameter->path, word, hint);
    else if (nearest)
        REPORT(scanner, start, length, "%s has no choice '%s'; did you mean '%s'?", parameter->path,
               word, nearest);
    else
        REPORT(scanner, start, length, "%s has no choice '%s'; expected %s", parameter->path, word,
               parameter_expects(parameter, expected));
}

static void scan_string(struct scanner *scanner)
{
    const char *start = scanner->at, *end = start + 1;
    while (*end && (*end != '\'' || end[1] == '\'')) {
        if ((unsigned char)*end < ' ') {
            REPORT(scanner, start, 1, "a control character in a text");
            scanner->at = start + strlen(start);
            return;
        }
        end += *end == '\'' ? 2 : 1;
    }
    if (!*end) {
        REPORT(scanner, start, 1, "the quote is never closed");
        scanner->at = end;
        return;
    }
    end++;
    if (scanner->compared)
        check_choice(scanner, start, (size_t)(end - start));
    fprintf(scanner->out, "%.*s ", (int)(end - start), start);
    scanner->at = end;
}

static bool scan_operator(struct scanner *scanner)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t length = strlen(operators[i]);
        if (strncmp(scanner->at, operators[i], length) != 0)
            continue;
        if (!strchr("=!<", operators[i][0]) || !strcmp(operators[i], "<<"))
            scanner->compared = NULL;
        fprintf(scanner->out, "%s ", operators[i]);
        scanner->at += length;
        return true;
    }
    return false;
}

static bool scan_bracket(struct scanner *scanner)
{
    char c = *scanner->at;
    if (c != '(' && c != ')' && c != ',')
        return false;
    if (c == ')') {
        scanner->compared = NULL;
        if (--scanner->depth < 0) {
            REPORT(scanner, scanner->at, 1, "')' without '('");
            scanner->depth = 0;
        }
        if (scanner->depth < scanner->aggregate)
            scanner->aggregate = 0;
    }
    scanner->depth += c == '(';
    fprintf(scanner->out, "%c ", c);
    scanner->at++;
    return true;
}

static void refuse_character(struct scanner *scanner)
{
    unsigned char c = (unsigned char)*scanner->at;
    if (c == '"' || c == '`' || c == '[')
        REPORT(scanner, scanner->at, 1, "names are written without quotes, texts in '...'");
    else if (c < ' ' || c >= 0x7f)
        REPORT(scanner, scanner->at, 1, "a character that no condition has (byte 0x%02x)", c);
    else
        REPORT(scanner, scanner->at, 1, "unexpected '%c'", c);
    /* What follows such a character is rarely meaningful: report one error and stop. */
    scanner->at += strlen(scanner->at);
}

static enum status scan_tokens(struct scanner *scanner)
{
    enum status status = STATUS_OK;
    while (!status && *(scanner->at = skip_blanks(scanner->at))) {
        unsigned char c = (unsigned char)*scanner->at;
        if (isalpha(c) || c == '_')
            status = scan_word(scanner);
        else if (isdigit(c) || (c == '.' && isdigit((unsigned char)scanner->at[1])))
            scan_number(scanner);
        else if (c == '\'')
            scan_string(scanner);
        else if (!strncmp(scanner->at, "--", 2) || !strncmp(scanner->at, "/*", 2)) {
            REPORT(scanner, scanner->at, 2, "a condition cannot contain comments");
            scanner->at += strlen(scanner->at);
        } else if (!scan_bracket(scanner) && !scan_operator(scanner))
            refuse_character(scanner);
    }
    return status;
}

enum status expression_scan(struct expression *expression, const char *text,
                            const struct expression_own *own, struct diagnostics *diagnostics)
{
    struct scanner scanner = {.expression = expression,
                              .text = text,
                              .at = text,
                              .scope = expression->scope,
                              .own = own,
                              .diagnostics = diagnostics};
    expression->text = strndup(text, EXPRESSION_LENGTH + 1);
    if (!expression->text)
        return STATUS_MEMORY;
    if (strlen(expression->text) > EXPRESSION_LENGTH) {
        REPORT(&scanner, text, 0, "longer than %d characters", EXPRESSION_LENGTH);
        return STATUS_INVALID;
    }
    if (!*skip_blanks(text)) {
        REPORT(&scanner, text, 0, "the condition is empty");
        return STATUS_INVALID;
    }
    struct text_stream stream;
    scanner.out = text_stream_open(&stream);
    if (!scanner.out)
        return STATUS_MEMORY;
    const enum status status =
        text_stream_finish(&stream, scan_tokens(&scanner), &expression->code);
    if (!status && scanner.depth > 0)
        REPORT(&scanner, text + strlen(text), 0, "'(' without ')'");
    return status ? status : scanner.errors ? STATUS_INVALID : STATUS_OK;
}

enum status expression_name_find(const char *path, enum expression_scope scope,
                                 struct expression_name *name, struct diagnostics *diagnostics)
{
    if (find_name(path, name) && (scope == SCOPE_POINT || name->kind == NAME_PARAMETER))
        return STATUS_OK;
    const char *nearest = find_nearest(path, scope);
    char hint[SUGGESTION_TEXT];
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "unknown name '%.60s'%s", path,
                             suggestion(nearest, hint));
}
