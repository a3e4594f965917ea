#include "trace/profile_number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DIGITS_MAX = 64, GROUP = 3 };

/* Marks that group thousands in every locale that has them: spaces that do not break, apostrophes.
 */
static const char *const spaces[] = {"\xc2\xa0", "\xe2\x80\xaf", "'", "\xe2\x80\x99"};

static size_t space_length(const char *text)
{
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (!strncmp(text, spaces[i], strlen(spaces[i])))
            return strlen(spaces[i]);
    return 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of "e+06", or 0. */
static size_t exponent_length(const char *text)
{
    size_t sign = text[0] && (text[1] == '+' || text[1] == '-');
    size_t digits = (text[0] | 32) == 'e' ? strspn(text + 1 + sign, "0123456789") : 0;
    return digits ? 1 + sign + digits : 0;
}

size_t number_length(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    if (!is_digit(*at) && !(strchr(".,", *at) && *at && is_digit(at[1])))
        return 0;
    for (size_t step = 1; step; at += step)
        step = is_digit(*at) || ((*at == '.' || *at == ',') && is_digit(at[1])) ? 1
               : is_digit(at[space_length(at)])                                 ? space_length(at)
                                                                                : 0;
    return (size_t)(at - text) + exponent_length(at);
}

enum number_style number_style(const char *text, size_t length)
{
    size_t points = 0, commas = 0, last = length, end = length;
    for (size_t i = 0; i < length; i++) {
        points += text[i] == '.';
        commas += text[i] == ',';
        if (text[i] == '.' || text[i] == ',')
            last = i;
        if ((text[i] | 32) == 'e' && end == length)
            end = i;
    }
    if (last == length)
        return STYLE_UNKNOWN;
    const enum number_style decimal = text[last] == '.' ? STYLE_POINT : STYLE_COMMA;
    const enum number_style group = text[last] == '.' ? STYLE_COMMA : STYLE_POINT;
    if (points && commas)
        return decimal;
    if (points + commas > 1)
        return group;
    /* One mark: it can group only three digits after one to three, of which none is a mere 0. */
    const size_t first = text[0] == '-' || text[0] == '+';
    if (end - last - 1 != GROUP || last - first > GROUP || last == first || text[first] == '0' ||
        end != length)
        return decimal;
    return STYLE_UNKNOWN;
}

struct digits { /* of a number, as far as it was read */
    char plain[DIGITS_MAX + 1];
    size_t used, since; /* since: digits since the last mark that groups */
    bool grouped, fraction;
};

static bool ends_group(const struct digits *digits)
{
    return !digits->grouped || digits->since == GROUP;
}

static bool may_group(const struct digits *digits)
{
    const bool zero = digits->used == 1 && digits->plain[0] == '0';
    return !digits->fraction && !zero && digits->since && digits->since <= GROUP &&
           ends_group(digits);
}

/* Marks that group must group: one to three digits without a leading 0, then three each, and none
 * after the decimal mark. A number of the other style is refused rather than read as another one.
 */
bool number_read(const char *text, size_t length, enum number_style style, double *value)
{
    const char decimal = style == STYLE_COMMA ? ',' : '.';
    struct digits digits = {.used = 0};
    for (size_t i = 0; i < length; i++) {
        const size_t space = space_length(text + i);
        const bool groups = space || ((text[i] == '.' || text[i] == ',') && text[i] != decimal);
        const bool ends = text[i] == decimal || (text[i] | 32) == 'e';
        if (groups && !may_group(&digits))
            return false;
        if (ends && !digits.fraction && !ends_group(&digits))
            return false;
        if ((text[i] == decimal && digits.fraction) || digits.used == DIGITS_MAX)
            return false;
        digits.fraction |= ends;
        digits.grouped |= groups;
        digits.since = is_digit(text[i]) ? digits.since + 1 : 0;
        if (groups)
            i += space ? space - 1 : 0;
        else
            digits.plain[digits.used++] = text[i] == decimal ? '.' : text[i];
    }
    if (!digits.used || (!digits.fraction && !ends_group(&digits)))
        return false;
    char *end;
    *value = strtod(digits.plain, &end);
    return !*end && isfinite(*value);
}

/* ---- units ---- */

struct unit_word {
    const char *word, *base;
    double factor;
    bool prefixed; /* may have a prefix in front */
};

/* In the order in which they are tried: what is a whole word comes before what ends one. */
static const struct unit_word words[] = {
    {"%", "%", 0.01, false},         {"byte", "byte", 1, true},    {"B", "byte", 1, true},
    {"second", "second", 1, true},   {"sec", "second", 1, true},   {"s", "second", 1, true},
    {"hz", "cycle/second", 1, true}, {"cycle", "cycle", 1, false},
};

static const struct unit_prefix {
    const char *text;
    double factor;
} prefixes[] = {{"", 1},        {"n", 1e-9},    {"u", 1e-6},    {"\xc2\xb5", 1e-6}, {"m", 1e-3},
                {"K", 1e3},     {"k", 1e3},     {"M", 1e6},     {"G", 1e9},         {"T", 1e12},
                {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}};

/* One side of a '/'. */
static bool side_read(const char *text, size_t length, char unit[UNIT_WORD], double *factor)
{
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            const size_t front = strlen(prefixes[p].text), word = strlen(words[w].word);
            if ((p && !words[w].prefixed) || length != front + word ||
                strncmp(text, prefixes[p].text, front) != 0 ||
                (word > 1 ? strncasecmp : strncmp)(text + front, words[w].word, word) != 0)
                continue;
            snprintf(unit, UNIT_WORD, "%s", words[w].base);
            *factor = prefixes[p].factor * words[w].factor;
            return true;
        }
    snprintf(unit, UNIT_WORD, "%.*s", (int)(length < UNIT_WORD ? length : UNIT_WORD), text);
    *factor = 1;
    return !length;
}

bool unit_read(const char *text, char unit[UNIT_WORD], double *factor)
{
    char above[UNIT_WORD], below[UNIT_WORD];
    const size_t length = strcspn(text, "/");
    double divisor = 1;
    bool known = side_read(text, length, above, factor);
    if (!text[length]) {
        memcpy(unit, above, sizeof above);
        return known;
    }
    known &= side_read(text + length + 1, strlen(text + length + 1), below, &divisor);
    *factor /= divisor;
    snprintf(unit, UNIT_WORD, "%.18s/%.18s", above, below);
    return known;
}
