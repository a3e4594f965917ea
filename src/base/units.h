/* The one parser and printer of quantities: "16KiB", "128B", "700MHz", "22nm", "1.5ns", "40%". */
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
    UNIT_BITS,    /* bit, Kibit, Mibit; also Kbit, Mbit, of 1024 */
    UNIT_PERCENT, /* %; the base value is the ratio, 40% = 0.4 */
    UNIT_CYCLES,  /* a count, printed with its word */
};

enum { QUANTITY_TEXT = 32 }; /* a buffer of this size holds every printed quantity */

/* Reads a whole unsigned quantity in base units. Decimal or 0x; fractions are accepted where the
 * result is whole ("1.5KiB"). STATUS_INVALID on anything left over, on overflow, on a sign. */
enum status quantity_parse_uint(const char *text, enum unit unit, uint64_t *value);

/* Reads a finite real quantity in base units. */
enum status quantity_parse_real(const char *text, enum unit unit, double *value);

/* Prints a quantity exactly and as short as a person would write it ("16KiB", "1536", "700MHz",
 * "128B"): reading it back gives the same value. Returns `text`. */
const char *quantity_print_uint(uint64_t value, enum unit unit, char text[QUANTITY_TEXT]);

/* Same for a real: the shortest text that reads back to the same double. */
const char *quantity_print_real(double value, enum unit unit, char text[QUANTITY_TEXT]);

/* For people, not for reading back: about `digits` significant digits and an adaptive prefix
 * ("0.0832mm2", "1.24M", "77.1%", "154ps"). NaN prints as "-". */
const char *quantity_print_short(double value, enum unit unit, int digits,
                                 char text[QUANTITY_TEXT]);

/* The suffix that quantity_print_short gives a number of this magnitude, and in *scale what it
 * stands for in base units: "KiB" and 1024, "%" and 0.01, "M" and 1e6, "" and 1. */
const char *quantity_suffix(double magnitude, enum unit unit, double *scale);

/* The base unit as a word for column headers and JSON: "B", "Hz", "s", "m", "mm2", "J", "W",
 * "bit", "ratio" (percent), "cycles", "" (none). */
const char *unit_name(enum unit unit);
