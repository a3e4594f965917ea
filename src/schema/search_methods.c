#include "schema/search_methods.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

#define SEARCH_ROW(constant, name, help) [constant] = {name, help},
const struct choice search_table[SEARCH_COUNT] = {SEARCH_LIST(SEARCH_ROW)};

#define ON(method)   (1u << SEARCH_##method)
#define FIELD(field) offsetof(struct search, field)

const struct search_parameter search_parameter_table[] = {
    {"prune", PARAMETER_BOOL, UNIT_NONE, 0, 1, 0, ON(EXHAUSTIVE), FIELD(prune),
     "skip points that a proved bound keeps out of the front"},
    {"verify_bounds", PARAMETER_BOOL, UNIT_NONE, 0, 1, 0, ON(EXHAUSTIVE), FIELD(verify_bounds),
     "simulate one in a hundred of the skipped points and compare"},
    {"points", PARAMETER_UINT, UNIT_NONE, 1, 1e8, 1000,
     ON(RANDOM) | ON(LATIN_HYPERCUBE) | ON(HALVING) | ON(WALK), FIELD(points),
     "points to evaluate; of halving: in full, at most"},
    {"population", PARAMETER_UINT, UNIT_NONE, 4, 10000, 50, ON(NSGA2), FIELD(population),
     "population size, and children per generation, for each workload"},
    {"evaluations", PARAMETER_UINT, UNIT_NONE, 1, 1e8, 10000, ON(NSGA2), FIELD(evaluations),
     "stop after this many points, over all workloads"},
    {"patience", PARAMETER_UINT, UNIT_NONE, 0, 1e6, 20, ON(NSGA2) | ON(WALK), FIELD(patience),
     "stop after this many generations or rounds that improve no hypervolume; 0: never"},
    {"front", PARAMETER_UINT, UNIT_NONE, 0, 1e9, 0, ON(NSGA2), FIELD(front),
     "stop when every front has this many points; 0: never"},
    {"crossover", PARAMETER_REAL, UNIT_PERCENT, 0, 1, 0.9, ON(NSGA2), FIELD(crossover),
     "crossover rate: share of children that mix two parents"},
    {"mutation", PARAMETER_REAL, UNIT_PERCENT, 0, 1, 0, ON(NSGA2), FIELD(mutation),
     "mutation rate: share of digits that change; 0: one per child on average"},
    {"share", PARAMETER_REAL, UNIT_PERCENT, 1e-4, 1, 0.125, ON(HALVING), FIELD(share),
     "sampling rate: share of a workload in the windows; 1/8 may be written"},
    {"slack", PARAMETER_REAL, UNIT_PERCENT, 0, 1, 0.01, ON(HALVING), FIELD(slack),
     "distance from the front of the windows within which points go on"},
};

const size_t search_parameter_count =
    sizeof search_parameter_table / sizeof *search_parameter_table;

static void *field_of(struct search *search, const struct search_parameter *parameter)
{
    return (char *)search + parameter->offset;
}

static void set_number(struct search *search, const struct search_parameter *parameter, double real,
                       uint64_t whole)
{
    if (parameter->type == PARAMETER_REAL)
        *(double *)field_of(search, parameter) = real;
    else
        *(uint64_t *)field_of(search, parameter) = whole;
}

void search_defaults(struct search *search)
{
    *search = (struct search){.method = SEARCH_EXHAUSTIVE};
    for (size_t i = 0; i < search_parameter_count; i++)
        set_number(search, &search_parameter_table[i], search_parameter_table[i].fallback,
                   (uint64_t)search_parameter_table[i].fallback);
}

/* Finds a method by its name. On STATUS_NOT_FOUND *nearest is the likely meaning or NULL. */
static enum status search_find(const char *name, int *method, const char **nearest)
{
    const char *names[SEARCH_COUNT];
    for (int i = 0; i < SEARCH_COUNT; i++) {
        names[i] = search_table[i].name;
        if (!strcmp(name, names[i])) {
            *method = i;
            return STATUS_OK;
        }
    }
    *nearest = nearest_name(name, names, SEARCH_COUNT);
    return STATUS_NOT_FOUND;
}

/* Parses a quantity, or a fraction such as "1/8". */
static enum status parse_real(const char *text, enum unit unit, double *value)
{
    const char *slash = strchr(text, '/');
    char upper[32];
    double above, below;
    if (!slash)
        return quantity_parse_real(text, unit, value);
    if ((size_t)(slash - text) >= sizeof upper)
        return STATUS_INVALID;
    snprintf(upper, sizeof upper, "%.*s", (int)(slash - text), text);
    if (quantity_parse_real(upper, UNIT_NONE, &above) ||
        quantity_parse_real(slash + 1, UNIT_NONE, &below) || !(below > 0))
        return STATUS_INVALID;
    *value = above / below;
    return STATUS_OK;
}

static enum status parse_value(const struct search_parameter *parameter, const char *text,
                               double *real, uint64_t *whole)
{
    static const char *const words[] = {"no", "false", "off", "yes", "true", "on"};
    if (parameter->type == PARAMETER_REAL) {
        if (parse_real(text, parameter->unit, real))
            return STATUS_INVALID;
    } else if (parameter->type == PARAMETER_BOOL) {
        size_t i = 0;
        while (i < 6 && strcmp(text, words[i]) != 0)
            i++;
        if (i == 6)
            return STATUS_INVALID;
        *whole = i >= 3;
        return STATUS_OK;
    } else {
        if (quantity_parse_uint(text, parameter->unit, whole))
            return STATUS_INVALID;
        *real = (double)*whole;
    }
    return *real >= parameter->min && *real <= parameter->max ? STATUS_OK : STATUS_INVALID;
}

static enum status refuse_name(const struct search *search, const char *name, char why[VALUE_TEXT])
{
    const char *names[16], *near;
    char hint[SUGGESTION_TEXT];
    size_t count = 0;
    for (size_t i = 0; i < search_parameter_count && count < 16; i++)
        if (search_has(search->method, &search_parameter_table[i]))
            names[count++] = search_parameter_table[i].name;
    near = nearest_name(name, names, count);
    snprintf(why, VALUE_TEXT, "%s has no parameter '%.40s'%s", search_table[search->method].name,
             name, suggestion(near, hint));
    return STATUS_INVALID;
}

/* The row with that name, if the method has the parameter; else NULL. */
static const struct search_parameter *find_parameter(const struct search *search, const char *name)
{
    for (size_t i = 0; i < search_parameter_count; i++)
        if (search_has(search->method, &search_parameter_table[i]) &&
            !strcmp(search_parameter_table[i].name, name))
            return &search_parameter_table[i];
    return NULL;
}

enum status search_set(struct search *search, const char *name, const char *text,
                       char why[VALUE_TEXT])
{
    const struct search_parameter *parameter = find_parameter(search, name);
    if (!parameter)
        return refuse_name(search, name, why);
    double real = 0;
    uint64_t whole = 0;
    if (!parse_value(parameter, text, &real, &whole)) {
        set_number(search, parameter, real, whole);
        return STATUS_OK;
    }
    if (parameter->type == PARAMETER_BOOL) {
        snprintf(why, VALUE_TEXT, "%s: expected yes or no, got '%.40s'", name, text);
        return STATUS_INVALID;
    }
    char low[QUANTITY_TEXT], high[QUANTITY_TEXT];
    snprintf(why, VALUE_TEXT, "%s: expected a %snumber from %s to %s, got '%.40s'", name,
             parameter->type == PARAMETER_UINT ? "whole " : "",
             quantity_print_short(parameter->min, parameter->unit, 4, low),
             quantity_print_short(parameter->max, parameter->unit, 4, high), text);
    return STATUS_INVALID;
}

/* Parses "points=1000,front=20"; no name may occur twice. */
static enum status parse_settings(char *text, struct search *search, char why[VALUE_TEXT])
{
    unsigned said = 0; /* one bit a row of the table */
    for (char *word; (word = strsep(&text, ","));) {
        char *equal = strchr(word, '=');
        if (!equal) {
            snprintf(why, VALUE_TEXT, "expected name=value, got '%.40s'", word);
            return STATUS_INVALID;
        }
        *equal = 0;
        if (search_set(search, word, equal + 1, why))
            return STATUS_INVALID;
        unsigned bit = 1u << (find_parameter(search, word) - search_parameter_table);
        if (said & bit) {
            snprintf(why, VALUE_TEXT, "%s is given twice", word);
            return STATUS_INVALID;
        }
        said |= bit;
    }
    return STATUS_OK;
}

enum status search_parse(const char *text, struct search *search, char why[VALUE_TEXT])
{
    char copy[400], *rest = copy;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy) {
        snprintf(why, VALUE_TEXT, "longer than any search");
        return STATUS_INVALID;
    }
    const char *name = strsep(&rest, ":"), *near = NULL;
    char hint[SUGGESTION_TEXT];
    int method;
    if (search_find(name, &method, &near)) {
        snprintf(why, VALUE_TEXT, "there is no search '%.40s'%s", name, suggestion(near, hint));
        return STATUS_INVALID;
    }
    /* Naming the search that is already chosen keeps its parameters, so `--search` can refine what
     * a study says. */
    if (!search->chosen || search->method != method)
        search_defaults(search);
    search->method = method;
    search->chosen = true;
    return parse_settings(rest, search, why);
}

const char *search_print(const struct search *search, const struct search_parameter *parameter,
                         char text[VALUE_TEXT])
{
    const char *field = (const char *)search + parameter->offset;
    char number[QUANTITY_TEXT];
    if (parameter->type == PARAMETER_REAL)
        quantity_print_real(*(const double *)(const void *)field, parameter->unit, number);
    else
        quantity_print_uint(*(const uint64_t *)(const void *)field, parameter->unit, number);
    if (parameter->type == PARAMETER_BOOL)
        snprintf(number, sizeof number, "%s", *number == '1' ? "yes" : "no");
    snprintf(text, VALUE_TEXT, "%s", number);
    return text;
}
