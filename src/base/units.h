/* The one parser and printer of quantities: "16KiB", "128B", "700MHz", "22nm", "1.5ns", "40%".
 *
 * Invariant: what quantity_print_uint and quantity_print_real write, the parser reads back to the
 * same value. So files, CSV and `--set` need no rounding rules. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum unit {
    UNIT_NONE,    /* a plain count or ratio */
    UNIT_BYTES,   /* B, KiB, MiB, GiB, TiB; also K, KB, M, MB, G, GB, all of 1024 */
    UNIT_HERTZ,   /* Hz, kHz, MHz, GHz */
    UNIT_SECONDS, /* s, ms, us, ns, ps */
    UNIT_METRES,  /* m, mm, um, nm */
    UNIT_AREA,    /* mm2, um2; the base unit is mm2 */
    UNIT_JOULES,  /* J, mJ, uJ, nJ, pJ, fJ */
    UNIT_WATTS,   /* W, mW, uW, nW */
    UNIT_EDP,     /* energy-delay products: Js, mJs, uJs, nJs, pJs, fJs */
    UNIT_BITS,    /* bit, Kibit, Mibit; also Kbit, Mbit, of 1024 */
    UNIT_PERCENT, /* %; the base value is the ratio, 40% = 0.4 */
    UNIT_CYCLES,  /* a count; only unit_name gives its word */
    UNIT_MASK,    /* bits of a number, printed as 0x... */
};

enum { QUANTITY_TEXT = 32 }; /* a buffer of this size holds every printed quantity */

/* Reads an unsigned integer in base units: decimal or 0x, or a fraction whose result is an integer
 * ("1.5KiB"). STATUS_INVALID on trailing text, overflow or a minus sign. */
enum status quantity_parse_uint(const char *text, enum unit unit, uint64_t *value);

/* Reads a finite real number in base units. STATUS_INVALID on trailing text or overflow. */
enum status quantity_parse_real(const char *text, enum unit unit, double *value);

/* Prints a quantity exactly, with the largest suffix that divides it ("16KiB", "1536B", "700MHz").
 * Returns `text`. */
const char *quantity_print_uint(uint64_t value, enum unit unit, char text[QUANTITY_TEXT]);

/* Prints a real as the shortest text that reads back to the same double. Returns `text`. */
const char *quantity_print_real(double value, enum unit unit, char text[QUANTITY_TEXT]);

/* For people, not for reading back: about `digits` significant digits and a prefix that fits the
 * magnitude ("0.0832mm2", "1.24M", "77.1%", "154ps"). NaN prints as "-". Returns `text`. */
const char *quantity_print_short(double value, enum unit unit, int digits,
                                 char text[QUANTITY_TEXT]);

/* The suffix that quantity_print_short gives a number of this magnitude; *scale is the value of the
 * suffix in base units: "KiB" and 1024, "%" and 0.01, "M" and 1e6, "" and 1. An axis uses it to
 * label all its ticks alike. */
const char *quantity_suffix(double magnitude, enum unit unit, double *scale);

/* The base unit as a word for column headers and JSON: "B", "Hz", "s", "m", "mm2", "J", "W", "bit",
 * "ratio" (UNIT_PERCENT), "cycles", "" (UNIT_NONE). */
const char *unit_name(enum unit unit);
