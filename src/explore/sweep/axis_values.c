/* Typed values become the YAML of an axis and are parsed by the reader of study files, so all
 * accept the same. */
#include "explore/sweep/axis_values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/study_axis.h"
#include "explore/sweep/curve.h"
#include "schema/moved_settings.h"

enum { YAML_MAX = 8192 };

struct values {
    struct value *items;
    size_t count, capacity;
};

static enum status add_value(const struct parameter *parameter, struct values *values,
                             struct value value)
{
    for (size_t i = 0; i < values->count; i++)
        if (parameter_equal(parameter, values->items[i], value))
            return STATUS_OK;
    enum status status = array_reserve(&values->items, &values->capacity, values->count + 1);
    if (!status)
        values->items[values->count++] = value;
    return status;
}

/* Three doublings to each side of a count: its immediate neighbours would make a dull axis. */
static enum status around_count(const struct parameter *parameter, struct value now,
                                struct values *values)
{
    static const double factors[] = {0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 4};
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < sizeof factors / sizeof *factors; i++) {
        double step = parameter->step;
        double number = parameter_number(parameter, now) * factors[i];
        if (factors[i] != 1)
            number = floor(number / step + 0.5) * step;
        if (number < parameter->min || number > parameter->max || number <= 0)
            continue;
        struct value value = now;
        if (parameter->type == PARAMETER_REAL)
            value.real = number;
        else
            value.uint = (uint64_t)number;
        status = add_value(parameter, values, value);
    }
    return status;
}

/* Three values to each side that are legal together with the follower. */
static enum status around_followed(const struct parameter *parameter, const struct machine *machine,
                                   struct values *values)
{
    enum { SIDE = 3, MOST = 256 };
    const struct parameter *follower = curve_follower(machine, parameter);
    struct value legal[MOST];
    size_t count =
        curve_values(machine, parameter, follower, parameter->min, parameter->max, legal, MOST);
    size_t own = 0;
    while (own < count &&
           !parameter_equal(parameter, legal[own], parameter_get(parameter, machine)))
        own++;
    enum status status = STATUS_OK;
    for (size_t i = own > SIDE ? own - SIDE : 0; !status && i < count && i <= own + SIDE; i++)
        status = add_value(parameter, values, legal[i]);
    return status;
}

static enum status around_power(const struct parameter *parameter, const struct machine *machine,
                                struct values *values)
{
    enum { SIDE = 3 };
    const struct value now = parameter_get(parameter, machine);
    struct value below[SIDE], at = now;
    int count = 0;
    while (count < SIDE && curve_step_below(parameter, machine, &at))
        below[count++] = at;
    enum status status = STATUS_OK;
    while (!status && count > 0)
        status = add_value(parameter, values, below[--count]);
    if (!status)
        status = add_value(parameter, values, now);
    at = now;
    for (int i = 0; !status && i < SIDE && parameter_next(parameter, at, 1, &at); i++)
        status = add_value(parameter, values, at);
    return status;
}

static enum status fill_around(const struct parameter *parameter, const struct machine *machine,
                               struct values *values)
{
    const struct value now = parameter_get(parameter, machine);
    enum status status = STATUS_OK;
    if (parameter->type == PARAMETER_BOOL || parameter->type == PARAMETER_ENUM) {
        /* Skip ideal values that are limits rather than designs: they would win every sweep. A user
         * who wants one names it. */
        for (uint64_t i = 0; !status && (double)i <= parameter->max; i++) {
            struct value value = {.uint = i};
            if (!parameter_is_limit(parameter, value) || parameter_equal(parameter, value, now))
                status = add_value(parameter, values, value);
        }
        return status;
    }
    if (parameter->stepping != STEP_ADD && curve_follower(machine, parameter))
        return around_followed(parameter, machine, values);
    return parameter->stepping == STEP_ADD ? around_count(parameter, now, values)
                                           : around_power(parameter, machine, values);
}

/* Turns typed text into the YAML of an axis: "a..b" is a range in steps of the parameter, "a..b*2"
 * one with a factor, "a..b+4" one with a step; words are a list; text in brackets or braces is YAML
 * already. */
static void values_to_yaml(const char *text, char *yaml, size_t size)
{
    const char *dots = strstr(text, "..");
    if (strchr("[{", text[0]) || !strcmp(text, "all")) {
        snprintf(yaml, size, "axis: %s\n", text);
        return;
    }
    if (dots) {
        size_t to = strcspn(dots + 2, "*+");
        const char *stride = dots + 2 + to;
        snprintf(yaml, size, "axis: {from: %.*s, to: %.*s%s%s}\n", (int)(dots - text), text,
                 (int)to, dots + 2,
                 *stride == '*'   ? ", factor: "
                 : *stride == '+' ? ", step: "
                                  : "",
                 *stride ? stride + 1 : "");
        return;
    }
    size_t used = (size_t)snprintf(yaml, size, "axis: [");
    for (const char *at = text; *at && used < size;) {
        size_t length = strcspn(at, " ,");
        if (length)
            used += (size_t)snprintf(yaml + used, size - used, "%.*s, ", (int)length, at);
        at += length + (at[length] != '\0');
    }
    if (used < size)
        snprintf(yaml + used, size - used, "]\n");
}

enum status axis_values_around(const struct parameter *parameter, const struct machine *machine,
                               struct axis *axis)
{
    struct values values = {0};
    const enum status status = fill_around(parameter, machine, &values);
    if (status)
        free(values.items);
    else
        *axis = (struct axis){parameter, values.items, values.count, 0};
    return status;
}

enum status axis_values_parse(const struct parameter *parameter, const char *text,
                              struct axis *axis, struct diagnostics *diagnostics)
{
    char yaml[YAML_MAX];
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct document *document = NULL;
    *axis = (struct axis){.parameter = parameter};
    values_to_yaml(text, yaml, sizeof yaml);
    enum status status = document_parse(yaml, strlen(yaml), "axis", &document, &found);
    if (!status)
        status = study_axis_read(document, node_at(document_root(document), 0), axis, &found);
    if (!status && found.errors)
        status = STATUS_INVALID;
    if (status) {
        free(axis->values);
        *axis = (struct axis){.parameter = parameter};
    }
    document_free(document);
    diagnostics_move(diagnostics, &found);
    diagnostics_free(&found);
    return status;
}

/* Adds the axis whose name and values are `text`. */
static enum status parse_axis(char *text, const char *what, struct study *study,
                              struct diagnostics *diagnostics)
{
    char *values = strchr(text, '='), hint[SUGGESTION_TEXT];
    if (values)
        *values++ = '\0';
    const struct parameter *parameter = parameter_find(text);
    if (!parameter)
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: unknown parameter '%s'%s", what,
                                 text, parameter_suggestion(text, hint));
    for (size_t i = 0; i < study->axis_count; i++)
        if (study->axes[i].parameter == parameter)
            return diagnostics_error(diagnostics, STATUS_INVALID, "%s: %s is named twice", what,
                                     text);
    if (parameter->type == PARAMETER_SIZES)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s: %s is a list and cannot be an axis", what, text);
    struct axis axis = {0};
    size_t capacity = study->axis_count;
    enum status status = values ? axis_values_parse(parameter, values, &axis, diagnostics)
                                : axis_values_around(parameter, &study->machine, &axis);
    if (!status)
        status = array_reserve(&study->axes, &capacity, study->axis_count + 1);
    if (status)
        free(axis.values);
    else
        study->axes[study->axis_count++] = axis;
    return status;
}

/* Whether an axis begins here, rather than another value of the one before: words with a dot that
 * are no numbers. */
static bool begins_axis(const char *text)
{
    return strcspn(text, ".") < strcspn(text, "=,") && isalpha((unsigned char)*text);
}

enum status axes_parse(const char *text, const char *what, struct study *study,
                       struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    while (*text && !status) {
        size_t length = strcspn(text, ",");
        while (text[length] && !begins_axis(text + length + 1))
            length += 1 + strcspn(text + length + 1, ",");
        char *copy = strndup(text, length);
        status = copy ? parse_axis(copy, what, study, diagnostics) : STATUS_MEMORY;
        free(copy);
        text += length + (text[length] != '\0');
    }
    return status;
}
