/* Parameters as text: reading, printing, stepping (schema/parameters.h). */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "schema/moved_settings.h"
#include "schema/parameters.h"

static const char *print_bound(const struct parameter *parameter, double bound, char *text)
{
    if (parameter->type == PARAMETER_REAL)
        return quantity_print_real(bound, parameter->unit, text);
    return quantity_print_uint((uint64_t)bound, parameter->unit, text);
}

/* Lists all choices: "lru, fifo, random or opt". */
static const char *list_choices(const struct parameter *parameter, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < parameter->choice_count && used < VALUE_TEXT; i++) {
        const char *join = !i ? "" : i + 1 == parameter->choice_count ? " or " : ", ";
        used += (size_t)snprintf(text + used, VALUE_TEXT - used, "%s%s", join,
                                 parameter->choices[i].name);
    }
    return text;
}

const char *parameter_expects(const struct parameter *parameter, char text[VALUE_TEXT])
{
    char low[QUANTITY_TEXT], high[QUANTITY_TEXT];
    switch (parameter->type) {
    case PARAMETER_BOOL:
        snprintf(text, VALUE_TEXT, "yes or no");
        return text;
    case PARAMETER_ENUM:
        return list_choices(parameter, text);
    case PARAMETER_SIZES:
        snprintf(text, VALUE_TEXT, "a list of up to %d ascending sizes up to %s", SIZES_MAX,
                 print_bound(parameter, parameter->max, high));
        return text;
    case PARAMETER_UINT:
    case PARAMETER_REAL:
        break;
    }
    const char *kind = parameter->stepping == STEP_POWER   ? "a power of two"
                       : parameter->type == PARAMETER_REAL ? "a number"
                       : parameter->unit == UNIT_BYTES     ? "a size"
                       : parameter->unit == UNIT_HERTZ     ? "a frequency"
                                                           : "a whole number";
    snprintf(text, VALUE_TEXT, "%s from %s to %s%s%s", kind,
             print_bound(parameter, parameter->min, low),
             print_bound(parameter, parameter->max - (parameter->top ? 1 : 0), high),
             parameter->top ? ", or " : "", parameter->top ? parameter->top : "");
    return text;
}

static bool in_range(const struct parameter *parameter, double number)
{
    return number >= parameter->min && number <= parameter->max;
}

static enum status parse_bool(const char *text, struct value *value)
{
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(text, words[i])) {
            value->uint = i & 1;
            return STATUS_OK;
        }
    return STATUS_INVALID;
}

static enum status parse_choice(const struct parameter *parameter, const char *text,
                                struct value *value)
{
    for (size_t i = 0; i < parameter->choice_count; i++)
        if (!strcmp(text, parameter->choices[i].name)) {
            value->uint = i;
            return STATUS_OK;
        }
    return STATUS_INVALID;
}

/* Parses "[0, 8KiB, 16KiB]"; the brackets are optional, and "" and "[]" are the empty list. */
static enum status parse_sizes(const struct parameter *parameter, const char *text,
                               struct value *value)
{
    size_t length = strlen(text);
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
        text++;
        length -= 2;
    }
    if (length >= VALUE_TEXT)
        return STATUS_INVALID;
    char copy[VALUE_TEXT];
    memcpy(copy, text, length);
    copy[length] = '\0';
    struct sizes sizes = {{0}, 0};
    char *rest = copy;
    for (char *item; (item = strsep(&rest, ",")) != NULL;) {
        if (!*(item + strspn(item, " ")) && !sizes.count && !rest)
            break;
        uint64_t size;
        if (sizes.count == SIZES_MAX || quantity_parse_uint(item, parameter->unit, &size) ||
            !in_range(parameter, (double)size) ||
            (sizes.count && size <= sizes.item[sizes.count - 1]))
            return STATUS_INVALID;
        sizes.item[sizes.count++] = size;
    }
    value->sizes = sizes;
    return STATUS_OK;
}

static enum status parse_number(const struct parameter *parameter, const char *text,
                                struct value *value)
{
    if (parameter->type == PARAMETER_REAL) {
        double real;
        if (quantity_parse_real(text, parameter->unit, &real) || !in_range(parameter, real))
            return STATUS_INVALID;
        value->real = real;
        return STATUS_OK;
    }
    uint64_t whole;
    if (parameter->top && !strcmp(text, parameter->top)) {
        value->uint = (uint64_t)parameter->max;
        return STATUS_OK;
    }
    if (quantity_parse_uint(text, parameter->unit, &whole) || !in_range(parameter, (double)whole))
        return STATUS_INVALID;
    if (parameter->stepping == STEP_POWER && !is_power_of_two(whole))
        return STATUS_INVALID;
    value->uint = whole;
    return STATUS_OK;
}

static void parameter_text_explain(const struct parameter *parameter, const char *text, char *why)
{
    char expected[VALUE_TEXT];
    const char *nearest = NULL;
    char hint[SUGGESTION_TEXT];
    if (parameter->type == PARAMETER_ENUM) {
        const char *names[64];
        size_t count = parameter->choice_count < 64 ? parameter->choice_count : 64;
        for (size_t i = 0; i < count; i++)
            names[i] = parameter->choices[i].name;
        nearest = nearest_name(text, names, count);
    }
    snprintf(why, VALUE_TEXT, "expected %.320s, got '%.24s'",
             parameter_expects(parameter, expected), text);
    if (moved_suggestion(parameter->path, text, hint))
        snprintf(why + strlen(why), VALUE_TEXT - strlen(why), "%s", hint);
    else if (nearest)
        snprintf(why + strlen(why), VALUE_TEXT - strlen(why), "; did you mean '%.16s'?", nearest);
}

enum status parameter_parse(const struct parameter *parameter, const char *text,
                            struct value *value, char why[VALUE_TEXT])
{
    struct value parsed = {0};
    enum status status = STATUS_INVALID;
    switch (parameter->type) {
    case PARAMETER_BOOL:
        status = parse_bool(text, &parsed);
        break;
    case PARAMETER_ENUM:
        status = parse_choice(parameter, text, &parsed);
        break;
    case PARAMETER_UINT:
    case PARAMETER_REAL:
        status = parse_number(parameter, text, &parsed);
        break;
    case PARAMETER_SIZES:
        status = parse_sizes(parameter, text, &parsed);
        break;
    }
    if (!status)
        *value = parsed;
    else if (why)
        parameter_text_explain(parameter, text, why);
    return status;
}

const char *parameter_print(const struct parameter *parameter, struct value value,
                            char text[VALUE_TEXT])
{
    char quantity[QUANTITY_TEXT];
    switch (parameter->type) {
    case PARAMETER_BOOL:
        snprintf(text, VALUE_TEXT, "%s", value.uint ? "yes" : "no");
        break;
    case PARAMETER_ENUM:
        snprintf(text, VALUE_TEXT, "%s", parameter->choices[value.uint].name);
        break;
    case PARAMETER_UINT:
        snprintf(text, VALUE_TEXT, "%s",
                 parameter_is_top(parameter, value)
                     ? parameter->top
                     : quantity_print_uint(value.uint, parameter->unit, quantity));
        break;
    case PARAMETER_REAL:
        snprintf(text, VALUE_TEXT, "%s",
                 quantity_print_real(value.real, parameter->unit, quantity));
        break;
    case PARAMETER_SIZES: {
        size_t used = (size_t)snprintf(text, VALUE_TEXT, "[");
        for (uint32_t i = 0; i < value.sizes.count; i++)
            used += (size_t)snprintf(
                text + used, VALUE_TEXT - used, "%s%s", i ? ", " : "",
                quantity_print_uint(value.sizes.item[i], parameter->unit, quantity));
        snprintf(text + used, VALUE_TEXT - used, "]");
        break;
    }
    }
    return text;
}

bool parameter_is_top(const struct parameter *parameter, struct value value)
{
    return parameter->top && value.uint == (uint64_t)parameter->max;
}

/* The tolerances below keep a value that is a power or a multiple up to rounding from stepping onto
 * itself. */
static double next_power(double number, int direction)
{
    double exponent = log2(number < 1 ? 0.5 : number);
    return direction > 0 ? exp2(floor(exponent + 1e-9) + 1) : exp2(ceil(exponent - 1e-9) - 1);
}

static double next_multiple(double number, double step, int direction)
{
    double steps = number / step;
    return direction > 0 ? (floor(steps + 1e-6) + 1) * step : (ceil(steps - 1e-6) - 1) * step;
}

bool parameter_next(const struct parameter *parameter, struct value value, int direction,
                    struct value *next)
{
    if (parameter->stepping == STEP_NONE)
        return false;
    double number = parameter_number(parameter, value);
    double moved = parameter->stepping == STEP_ADD
                       ? next_multiple(number, parameter->step, direction)
                       : next_power(number, direction);
    /* A doubling parameter whose range starts at 0 ("off") steps from 1 to 0. */
    if (parameter->stepping == STEP_DOUBLE && moved < 1)
        moved = 0;
    if (moved < parameter->min && number > parameter->min)
        moved = parameter->min;
    if (moved > parameter->max && number < parameter->max)
        moved = parameter->max;
    if (!in_range(parameter, moved) || moved == number)
        return false;
    *next = value;
    if (parameter->type == PARAMETER_REAL) {
        /* Nine digits remove the rounding error of the steps, so that 41 steps of 1nm read
         * "41nm". */
        char text[QUANTITY_TEXT];
        snprintf(text, sizeof text, "%.9g", moved);
        (void)quantity_parse_real(text, UNIT_NONE, &next->real); /* a number is one */
    } else {
        next->uint = (uint64_t)moved;
    }
    return true;
}

double parameter_number(const struct parameter *parameter, struct value value)
{
    return parameter->type == PARAMETER_REAL ? value.real : (double)value.uint;
}
