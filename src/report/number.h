/* Numbers for programs: CSV and JSON. */
#pragma once

#include <jansson.h>

#include "schema/parameters.h"

enum { NUMBER_TEXT = 32 };

/* The shortest text that reads back to the same double; whole numbers below 2^53 without a point.
 * NaN prints as "". Returns `text`. */
const char *number_print(double number, char text[NUMBER_TEXT]);

/* How `b` differs from `a`, for people: "-23.3%", "0%", "x109" from ten times on, "" where it is
 * not known. Returns `text`. */
const char *change_print(double a, double b, char text[NUMBER_TEXT]);

/* A number as JSON; what is not finite becomes null. NULL: no memory. */
json_t *number_json(double number);

/* A value of a parameter: a number in its base unit, true or false, the name of a choice or of the
 * greatest value ("full"), an array of numbers. NULL: no memory. */
json_t *parameter_json(const struct parameter *parameter, struct value value);

/* A JSON string; what is no UTF-8 in it becomes U+FFFD. NULL: no memory. */
json_t *text_json(const char *text);
