#include "report/drawing/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define WHOLE_MAX 9007199254740992.0 /* 2^53: above it not every whole number is a double */

static int is_whole(double number)
{
    return fabs(number) < WHOLE_MAX && number == floor(number);
}

const char *number_print(double number, char text[NUMBER_TEXT])
{
    if (isnan(number)) {
        text[0] = '\0';
        return text;
    }
    if (is_whole(number)) {
        snprintf(text, NUMBER_TEXT, "%.0f", number == 0 ? 0.0 : number);
        return text;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

const char *change_print(double a, double b, char text[NUMBER_TEXT])
{
    double change = a == b ? 0 : (b - a) / fabs(a);
    if (!isfinite(change))
        text[0] = '\0';
    else if (fabs(change) >= 10 && a > 0 && b > 0)
        snprintf(text, NUMBER_TEXT, "x%.3g", b / a);
    else
        snprintf(text, NUMBER_TEXT, "%s%.3g%%", change > 0 ? "+" : "", change * 100);
    return text;
}

json_t *number_json(double number)
{
    if (!isfinite(number))
        return json_null();
    return is_whole(number) ? json_integer((json_int_t)number) : json_real(number);
}

static json_t *sizes_json(const struct sizes *sizes)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < sizes->count; i++)
        if (json_array_append_new(array, json_integer((json_int_t)sizes->item[i]))) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

json_t *parameter_json(const struct parameter *parameter, struct value value)
{
    char text[VALUE_TEXT];
    bool number = parameter->type == PARAMETER_UINT || parameter->type == PARAMETER_REAL;
    if (parameter->type == PARAMETER_BOOL)
        return json_boolean(value.uint != 0);
    if (parameter->type == PARAMETER_SIZES)
        return sizes_json(&value.sizes);
    if (number && !parameter_is_top(parameter, value))
        return number_json(parameter_number(parameter, value));
    return text_json(parameter_print(parameter, value, text));
}

json_t *text_json(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    /* In the worst case each byte becomes the three bytes of U+FFFD. */
    char *legal = malloc(3 * strlen(text) + 1);
    if (!legal)
        return NULL;
    size_t length = 0;
    for (uint32_t point; (point = utf8_next(&text));)
        length += utf8_write(point, legal + length);
    string = json_stringn(legal, length);
    free(legal);
    return string;
}

enum status json_print(json_t *document, FILE *out)
{
    if (!document)
        return STATUS_MEMORY;
    const bool lost = json_dumpf(document, out, JSON_INDENT(2) | JSON_ENSURE_ASCII) != 0 ||
                      putc('\n', out) == EOF;
    json_decref(document);
    return lost ? STATUS_IO : STATUS_OK;
}
