#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIB 1024.0
#define MIB (KIB * KIB)
#define GIB (MIB * KIB)
#define TIB (GIB * KIB)

struct suffix {
    enum unit unit;
    const char *text;
    double scale;
    bool printed; /* we print this suffix; the others are only read */
};

/* For each unit, the printed suffixes are in descending order of scale. */
static const struct suffix suffixes[] = {
    {UNIT_BYTES, "TiB", TIB, true},   {UNIT_BYTES, "GiB", GIB, true},
    {UNIT_BYTES, "MiB", MIB, true},   {UNIT_BYTES, "KiB", KIB, true},
    {UNIT_BYTES, "B", 1, true},       {UNIT_BYTES, "TB", TIB, false},
    {UNIT_BYTES, "GB", GIB, false},   {UNIT_BYTES, "MB", MIB, false},
    {UNIT_BYTES, "KB", KIB, false},   {UNIT_BYTES, "kB", KIB, false},
    {UNIT_BYTES, "T", TIB, false},    {UNIT_BYTES, "G", GIB, false},
    {UNIT_BYTES, "M", MIB, false},    {UNIT_BYTES, "K", KIB, false},
    {UNIT_BYTES, "k", KIB, false},    {UNIT_HERTZ, "GHz", 1e9, true},
    {UNIT_HERTZ, "MHz", 1e6, true},   {UNIT_HERTZ, "kHz", 1e3, true},
    {UNIT_HERTZ, "Hz", 1, true},      {UNIT_SECONDS, "s", 1, true},
    {UNIT_SECONDS, "ms", 1e-3, true}, {UNIT_SECONDS, "us", 1e-6, true},
    {UNIT_SECONDS, "ns", 1e-9, true}, {UNIT_SECONDS, "ps", 1e-12, true},
    {UNIT_METRES, "m", 1, true},      {UNIT_METRES, "mm", 1e-3, true},
    {UNIT_METRES, "um", 1e-6, true},  {UNIT_METRES, "nm", 1e-9, true},
    {UNIT_AREA, "mm2", 1, true},      {UNIT_AREA, "um2", 1e-6, true},
    {UNIT_JOULES, "J", 1, true},      {UNIT_JOULES, "mJ", 1e-3, true},
    {UNIT_JOULES, "uJ", 1e-6, true},  {UNIT_JOULES, "nJ", 1e-9, true},
    {UNIT_JOULES, "pJ", 1e-12, true}, {UNIT_JOULES, "fJ", 1e-15, true},
    {UNIT_WATTS, "W", 1, true},       {UNIT_WATTS, "mW", 1e-3, true},
    {UNIT_WATTS, "uW", 1e-6, true},   {UNIT_WATTS, "nW", 1e-9, true},
    {UNIT_EDP, "Js", 1, true},        {UNIT_EDP, "mJs", 1e-3, true},
    {UNIT_EDP, "uJs", 1e-6, true},    {UNIT_EDP, "nJs", 1e-9, true},
    {UNIT_EDP, "pJs", 1e-12, true},   {UNIT_EDP, "fJs", 1e-15, true},
    {UNIT_BITS, "Mibit", MIB, true},  {UNIT_BITS, "Kibit", KIB, true},
    {UNIT_BITS, "bit", 1, true},      {UNIT_BITS, "Mbit", MIB, false},
    {UNIT_BITS, "Kbit", KIB, false},  {UNIT_BITS, "b", 1, false},
    {UNIT_PERCENT, "%", 0.01, true},  {UNIT_CYCLES, "cycles", 1, false},
};

enum { SUFFIX_COUNT = sizeof suffixes / sizeof *suffixes };

/* Splits "1.5KiB" into the text of the number and the scale of its suffix; no suffix means scale
 * 1. */
static enum status split(const char *text, enum unit unit, char number[48], double *scale)
{
    while (isspace((unsigned char)*text))
        text++;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t length = 0;
    if (hex) {
        length = 2 + strspn(text + 2, "0123456789abcdefABCDEF");
    } else {
        length = strspn(text, "+-0123456789.");
        /* An exponent belongs to the number only where digits follow it. */
        if (length && (text[length] == 'e' || text[length] == 'E')) {
            size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
            size_t digits = strspn(text + length + 1 + sign, "0123456789");
            if (digits)
                length += 1 + sign + digits;
        }
    }
    if (!length || length >= 48)
        return STATUS_INVALID;
    memcpy(number, text, length);
    number[length] = '\0';
    const char *rest = text + length;
    while (*rest == ' ')
        rest++;
    size_t rest_length = strlen(rest);
    while (rest_length && isspace((unsigned char)rest[rest_length - 1]))
        rest_length--;
    *scale = 1;
    if (!rest_length)
        return STATUS_OK;
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        const struct suffix *suffix = &suffixes[i];
        if (suffix->unit == unit && strlen(suffix->text) == rest_length &&
            !strncmp(suffix->text, rest, rest_length)) {
            *scale = suffix->scale;
            return STATUS_OK;
        }
    }
    return STATUS_INVALID;
}

enum status quantity_parse_uint(const char *text, enum unit unit, uint64_t *value)
{
    char number[48];
    double scale;
    if (split(text, unit, number, &scale) || strchr(number, '-'))
        return STATUS_INVALID;
    char *end;
    if (!strpbrk(number, ".") && (number[1] == 'x' || !strpbrk(number, "eE"))) {
        errno = 0;
        unsigned long long whole = strtoull(number, &end, number[1] == 'x' ? 16 : 10);
        if (errno || *end || end == number || scale < 1)
            return STATUS_INVALID;
        uint64_t factor = (uint64_t)scale;
        if (whole > UINT64_MAX / factor)
            return STATUS_INVALID;
        *value = whole * factor;
        return STATUS_OK;
    }
    double real = strtod(number, &end) * scale;
    /* 2^53 is the limit: above it a double no longer holds every integer. */
    if (*end || end == number || !(real >= 0) || real >= 9007199254740992.0 || real != floor(real))
        return STATUS_INVALID;
    *value = (uint64_t)real;
    return STATUS_OK;
}

enum status quantity_parse_real(const char *text, enum unit unit, double *value)
{
    char number[48];
    double scale;
    if (split(text, unit, number, &scale))
        return STATUS_INVALID;
    char *end;
    double real = strtod(number, &end);
    if (*end || end == number || !isfinite(real * scale))
        return STATUS_INVALID;
    /* Dividing by the inverse makes 22nm the double nearest to 22e-9; multiplying would round
     * twice. */
    *value = scale < 1 ? real / round(1 / scale) : real * scale;
    return STATUS_OK;
}

const char *quantity_print_uint(uint64_t value, enum unit unit, char text[QUANTITY_TEXT])
{
    if (unit == UNIT_MASK) {
        snprintf(text, QUANTITY_TEXT, "0x%llx", (unsigned long long)value);
        return text;
    }
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        const struct suffix *suffix = &suffixes[i];
        if (suffix->unit != unit || !suffix->printed || suffix->scale < 1)
            continue;
        uint64_t scale = (uint64_t)suffix->scale;
        if ((value && value % scale == 0) || scale == 1) {
            snprintf(text, QUANTITY_TEXT, "%llu%s", (unsigned long long)(value / scale),
                     suffix->text);
            return text;
        }
    }
    snprintf(text, QUANTITY_TEXT, "%llu", (unsigned long long)value);
    return text;
}

/* Rounds `value` to `digits` significant digits. An integer is printed without an exponent, where
 * %g would write 700 as 7e+02. */
static void print_rounded(double value, int digits, char *text, size_t size)
{
    snprintf(text, size, "%.*g", digits, value);
    double rounded = strtod(text, NULL);
    if (rounded == floor(rounded) && fabs(rounded) < 1e15)
        snprintf(text, size, "%.0f", rounded);
}

/* Finds the shortest text with this suffix that reads back to `value`, by trying 1 to 17 digits;
 * false if there is none. */
static bool print_with_suffix(double value, const struct suffix *suffix, char text[QUANTITY_TEXT])
{
    double scaled = suffix->scale < 1 ? value * round(1 / suffix->scale) : value / suffix->scale;
    for (int digits = 1; digits <= 17; digits++) {
        char number[26];
        double back;
        print_rounded(scaled, digits, number, sizeof number);
        snprintf(text, QUANTITY_TEXT, "%s%s", number, suffix->text);
        if (!quantity_parse_real(text, suffix->unit, &back) && back == value)
            return true;
    }
    return false;
}

const char *quantity_print_real(double value, enum unit unit, char text[QUANTITY_TEXT])
{
    static const struct suffix none = {UNIT_NONE, "", 1, true};
    char best[QUANTITY_TEXT] = "", candidate[QUANTITY_TEXT];
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        const struct suffix *suffix = &suffixes[i];
        if (suffix->unit == unit && suffix->printed &&
            print_with_suffix(value, suffix, candidate) &&
            (!best[0] || strlen(candidate) < strlen(best)))
            memcpy(best, candidate, sizeof best);
    }
    if (best[0] || print_with_suffix(value, &none, best))
        memcpy(text, best, sizeof best);
    else
        snprintf(text, QUANTITY_TEXT, "%.17g", value); /* not finite */
    return text;
}

static void print_digits(double value, int digits, const char *suffix, char text[QUANTITY_TEXT])
{
    double magnitude = fabs(value);
    int before = magnitude >= 1 ? (int)floor(log10(magnitude)) + 1 : 1;
    int after = digits > before ? digits - before : 0;
    if (magnitude > 0 && magnitude < 1)
        after = digits - 1 - (int)floor(log10(magnitude));
    if (after > 12)
        after = 12;
    snprintf(text, QUANTITY_TEXT, "%.*f%s", after, value, suffix);
}

static const struct suffix *adaptive_suffix(double magnitude, enum unit unit)
{
    static const struct suffix counts[] = {{UNIT_NONE, "G", 1e9, true},
                                           {UNIT_NONE, "M", 1e6, true},
                                           {UNIT_NONE, "k", 1e3, true},
                                           {UNIT_NONE, "", 1, true}};
    /* People read a count of up to five digits faster without a prefix. */
    const bool plain = magnitude < 1e5;
    if (unit == UNIT_NONE || unit == UNIT_CYCLES || unit == UNIT_MASK) {
        size_t i = plain ? 3 : 0;
        while (magnitude < counts[i].scale && i < 3)
            i++;
        return &counts[i];
    }
    const struct suffix *smallest = NULL;
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        const struct suffix *suffix = &suffixes[i];
        if (suffix->unit != unit || !suffix->printed)
            continue;
        smallest = suffix;
        /* A mm2 is a million um2, so areas switch to um2 late: 0.002mm2 reads better than 2000um2.
         * The factor below 1 keeps values that round up to a prefix from being printed as 1000 of
         * the one below. */
        double least = suffix->scale * (unit == UNIT_AREA ? 0.001 : 0.99999);
        if (unit == UNIT_BITS && plain && suffix->scale > 1)
            continue;
        if (magnitude >= least)
            break;
    }
    return smallest;
}

const char *quantity_suffix(double magnitude, enum unit unit, double *scale)
{
    const struct suffix *suffix = adaptive_suffix(fabs(magnitude), unit);
    *scale = suffix->scale;
    return suffix->text;
}

const char *quantity_print_short(double value, enum unit unit, int digits, char text[QUANTITY_TEXT])
{
    if (isnan(value)) {
        snprintf(text, QUANTITY_TEXT, "-");
        return text;
    }
    if (isinf(value)) {
        snprintf(text, QUANTITY_TEXT, value > 0 ? "inf" : "-inf");
        return text;
    }
    if (unit == UNIT_PERCENT) {
        snprintf(text, QUANTITY_TEXT, "%.*f%%", digits > 2 ? digits - 2 : 0, value * 100);
        return text;
    }
    bool count = unit == UNIT_NONE || unit == UNIT_CYCLES || unit == UNIT_MASK;
    if (value == 0) {
        snprintf(text, QUANTITY_TEXT, "0%s", count ? "" : unit_name(unit));
        return text;
    }
    const struct suffix *suffix = adaptive_suffix(fabs(value), unit);
    bool whole = count || unit == UNIT_BYTES || unit == UNIT_BITS;
    if (suffix->scale == 1 && whole && value == floor(value))
        snprintf(text, QUANTITY_TEXT, "%.0f%s", value, suffix->text);
    else
        print_digits(value / suffix->scale, digits, suffix->text, text);
    return text;
}

const char *unit_name(enum unit unit)
{
    static const char *const names[] = {
        [UNIT_NONE] = "",         [UNIT_BYTES] = "B",       [UNIT_HERTZ] = "Hz",
        [UNIT_SECONDS] = "s",     [UNIT_METRES] = "m",      [UNIT_AREA] = "mm2",
        [UNIT_JOULES] = "J",      [UNIT_WATTS] = "W",       [UNIT_BITS] = "bit",
        [UNIT_PERCENT] = "ratio", [UNIT_CYCLES] = "cycles", [UNIT_MASK] = "",
        [UNIT_EDP] = "Js"};
    return names[unit];
}
