#include "workload/simt/exact_float.h"

#include <assert.h>
#include <stdbool.h>

#include "workload/simt/arithmetic.h"

#define FLOAT_INFINITE UINT32_C(0x7f800000)
#define FLOAT_ONE      UINT32_C(0x3f800000)
enum { FRACTION_BITS = 23, QUIET_BIT = 22, BIAS = 127, EXPONENT_MAX = 255 };

/* A finite value: significand * 2^exponent. Where bits below the lowest one have been cut off, the
 * lowest one is set if any of them was: that is enough to round correctly. */
struct parts {
    bool negative;
    int exponent;
    uint64_t significand;
};

static bool is_nan(uint32_t bits)
{
    return (bits & ~FLOAT_SIGN) > FLOAT_INFINITE;
}

static bool is_signalling(uint32_t bits)
{
    return is_nan(bits) && !(bits >> QUIET_BIT & 1);
}

static bool is_infinite(uint32_t bits)
{
    return (bits & ~FLOAT_SIGN) == FLOAT_INFINITE;
}

static bool is_zero(uint32_t bits)
{
    return !(bits & ~FLOAT_SIGN);
}

static uint32_t invalid(struct float_control *control)
{
    control->flags |= FLOAT_INVALID;
    return FLOAT_CANONICAL;
}

static struct parts take_apart(uint32_t bits)
{
    const uint32_t fraction = bits & ((1u << FRACTION_BITS) - 1);
    const int exponent = (int)(bits >> FRACTION_BITS & EXPONENT_MAX);
    return (struct parts){.negative = bits >> 31,
                          .exponent = (exponent ? exponent : 1) - BIAS - FRACTION_BITS,
                          .significand = exponent ? fraction | 1u << FRACTION_BITS : fraction};
}

/* The same value with a significand of 24 bits; it is not 0. */
static struct parts normal(struct parts parts)
{
    const int shift = __builtin_clzll(parts.significand) - (63 - FRACTION_BITS);
    return (struct parts){parts.negative, parts.exponent - shift, parts.significand << shift};
}

static uint64_t cut_off(uint64_t value, unsigned bits)
{
    if (!bits)
        return value;
    return bits > 63 ? value != 0 : value >> bits | (value << (64 - bits) != 0);
}

/* Rounds the lowest `bits` bits off, at least one and at most 62. */
static uint64_t round_off(uint64_t value, unsigned bits, bool negative, uint32_t rounding,
                          bool *inexact)
{
    const uint64_t kept = value >> bits, rest = value & ((UINT64_C(1) << bits) - 1);
    const uint64_t half = UINT64_C(1) << (bits - 1);
    *inexact = rest;
    switch (rounding) {
    case ROUND_ZERO:
        return kept;
    case ROUND_DOWN:
        return kept + (negative && rest);
    case ROUND_UP:
        return kept + (!negative && rest);
    case ROUND_AWAY:
        return kept + (rest >= half);
    default:
        return kept + (rest > half || (rest == half && kept & 1));
    }
}

/* What a value becomes that is too large: infinite, or the largest number if it rounds down. */
static uint32_t overflow(bool negative, struct float_control *control)
{
    const bool down =
        control->rounding == ROUND_ZERO || control->rounding == (negative ? ROUND_UP : ROUND_DOWN);
    control->flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
    return (negative ? FLOAT_SIGN : 0) | (FLOAT_INFINITE - down);
}

/* Rounds a value to the nearest float by the mode. */
static uint32_t pack(const struct parts *parts, struct float_control *control)
{
    enum { TOP = 62, DROPPED = TOP - FRACTION_BITS };
    const uint32_t sign = parts->negative ? FLOAT_SIGN : 0;
    uint64_t value = parts->significand;
    bool inexact, tiny = false;
    if (!value)
        return sign;
    const int shift = __builtin_clzll(value) - (63 - TOP);
    value = shift < 0 ? cut_off(value, 1) : value << shift;
    int exponent = parts->exponent - shift + TOP + BIAS;
    uint64_t kept = round_off(value, DROPPED, parts->negative, control->rounding, &inexact);
    if (exponent < 1) {
        /* Whether it is tiny is asked of what rounding makes of it with any exponent. */
        tiny = exponent < 0 || !(kept >> (FRACTION_BITS + 1));
        kept = round_off(cut_off(value, (unsigned)(1 - exponent)), DROPPED, parts->negative,
                         control->rounding, &inexact);
        exponent = 1;
    }
    if (inexact)
        control->flags |= FLOAT_INEXACT | (tiny ? FLOAT_UNDERFLOW : 0);
    /* The bit above the fraction counts as one of the exponent, also after a carry. */
    const uint64_t bits = ((uint64_t)(exponent - 1) << FRACTION_BITS) + kept;
    return bits >= FLOAT_INFINITE ? overflow(parts->negative, control) : sign | (uint32_t)bits;
}

/* Adds exactly, but for bits far below the others. */
static struct parts add_parts(struct parts x, struct parts y, uint32_t rounding)
{
    enum { ROOM = 64 };
    if (x.exponent < y.exponent) {
        const struct parts other = x;
        x = y;
        y = other;
    }
    if (!x.significand && y.significand)
        return y;
    const unsigned distance = (unsigned)(x.exponent - y.exponent);
    const unsigned raised = distance < ROOM ? distance : ROOM;
    const unsigned __int128 larger = (unsigned __int128)x.significand << raised;
    const unsigned __int128 smaller = cut_off(y.significand, distance - raised);
    unsigned __int128 sum = larger + smaller;
    struct parts result = {x.negative, x.exponent - (int)raised, 0};
    if (x.negative != y.negative) {
        sum = larger > smaller ? larger - smaller : smaller - larger;
        result.negative = larger > smaller ? x.negative : y.negative;
        if (!sum)
            result.negative = rounding == ROUND_DOWN;
    }
    const uint64_t high = (uint64_t)(sum >> 64);
    const unsigned over = high ? 64 - (unsigned)__builtin_clzll(high) : 0;
    result.significand = (uint64_t)(sum >> over);
    if ((unsigned __int128)result.significand << over != sum)
        result.significand |= 1;
    result.exponent += (int)over;
    return result;
}

/* a * b + c, rounded once. */
static uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c, struct float_control *control)
{
    const bool negative = (a ^ b) >> 31;
    const bool no_product = (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
    if (no_product || is_signalling(a) || is_signalling(b) || is_signalling(c))
        return invalid(control);
    if (is_nan(a) || is_nan(b) || is_nan(c))
        return FLOAT_CANONICAL;
    if (is_infinite(a) || is_infinite(b)) {
        if (is_infinite(c) && c >> 31 != negative)
            return invalid(control);
        return (negative ? FLOAT_SIGN : 0) | FLOAT_INFINITE;
    }
    if (is_infinite(c))
        return c;
    const struct parts x = take_apart(a), y = take_apart(b);
    const struct parts product = {negative, x.exponent + y.exponent, x.significand * y.significand};
    const struct parts sum = add_parts(product, take_apart(c), control->rounding);
    return pack(&sum, control);
}

static uint32_t multiply(uint32_t a, uint32_t b, struct float_control *control)
{
    return multiply_add(a, b, (a ^ b) & FLOAT_SIGN, control);
}

static uint32_t quotient(uint32_t a, uint32_t b, struct float_control *control)
{
    enum { MORE = 38 }; /* bits of the quotient beyond those of a */
    const uint32_t sign = (a ^ b) & FLOAT_SIGN;
    if (is_signalling(a) || is_signalling(b) || (is_infinite(a) && is_infinite(b)) ||
        (is_zero(a) && is_zero(b)))
        return invalid(control);
    if (is_nan(a) || is_nan(b))
        return FLOAT_CANONICAL;
    if (is_infinite(a))
        return sign | FLOAT_INFINITE;
    if (is_zero(a) || is_infinite(b))
        return sign;
    if (is_zero(b)) {
        control->flags |= FLOAT_DIVIDE;
        return sign | FLOAT_INFINITE;
    }
    const struct parts x = normal(take_apart(a)), y = normal(take_apart(b));
    const uint64_t whole = (x.significand << MORE) / y.significand;
    const uint64_t rest = (x.significand << MORE) % y.significand;
    const struct parts result = {sign, x.exponent - y.exponent - MORE, whole | (rest != 0)};
    return pack(&result, control);
}

static uint32_t root(uint32_t bits, struct float_control *control)
{
    enum { MORE = 38, ROOT_BITS = 32 };
    if (is_signalling(bits) || (bits >> 31 && !is_nan(bits) && !is_zero(bits)))
        return invalid(control);
    if (is_nan(bits))
        return FLOAT_CANONICAL;
    if (is_zero(bits) || is_infinite(bits))
        return bits;
    struct parts x = normal(take_apart(bits));
    const unsigned odd = (unsigned)x.exponent & 1;
    const uint64_t square = x.significand << (MORE + odd);
    uint64_t found = 0;
    for (int bit = ROOT_BITS - 1; bit >= 0; bit--) {
        const uint64_t tried = found | UINT64_C(1) << bit;
        found = tried * tried <= square ? tried : found;
    }
    const struct parts result = {false, (x.exponent - (int)odd - MORE) / 2 - 1,
                                 found << 1 | (found * found != square)};
    return pack(&result, control);
}

static uint32_t from_integer(bool negative, uint32_t size, struct float_control *control)
{
    const struct parts parts = {negative, 0, size};
    return pack(&parts, control);
}

/* To an integer from -`low` to `high`; what does not fit becomes the nearest, what is not a number
 * the highest. */
static uint32_t to_integer(uint32_t bits, uint64_t low, uint64_t high,
                           struct float_control *control)
{
    enum { FITS = 9, ROUNDED_MAX = 62 };
    const struct parts parts = take_apart(bits);
    uint64_t size = UINT64_MAX;
    bool inexact = false;
    if (parts.exponent >= 0 && parts.exponent <= FITS)
        size = parts.significand << parts.exponent;
    else if (parts.exponent < 0)
        size = round_off(parts.exponent < -ROUNDED_MAX ? parts.significand != 0 : parts.significand,
                         parts.exponent < -ROUNDED_MAX ? 2 : (unsigned)-parts.exponent,
                         parts.negative, control->rounding, &inexact);
    const bool negative = parts.negative && !is_nan(bits);
    if (is_nan(bits) || size > (negative ? low : high)) {
        control->flags |= FLOAT_INVALID;
        return negative ? (uint32_t)-low : (uint32_t)high;
    }
    control->flags |= inexact ? FLOAT_INEXACT : 0;
    return negative ? (uint32_t)-size : (uint32_t)size;
}

/* Values of the host are exact here; only operands that are not numbers raise a flag. */
static uint32_t float_compare(enum simt_op op, uint32_t a, uint32_t b,
                              struct float_control *control)
{
    const bool signals = is_signalling(a) || is_signalling(b);
    const float x = float_of(a), y = float_of(b);
    if (signals || ((op == SIMT_flt_s || op == SIMT_fle_s) && (is_nan(a) || is_nan(b))))
        control->flags |= FLOAT_INVALID;
    switch (op) {
    case SIMT_feq_s:
        return x == y;
    case SIMT_flt_s:
        return x < y;
    case SIMT_fle_s:
        return x <= y;
    case SIMT_fmin_s:
        return least(a, b);
    default:
        return most(a, b);
    }
}

uint32_t exact_float(enum simt_op op, uint32_t a, uint32_t b, uint32_t c,
                     struct float_control *control)
{
    assert(control->rounding <= ROUND_AWAY);
    switch (op) {
    case SIMT_fmadd_s:
        return multiply_add(a, b, c, control);
    case SIMT_fmsub_s:
        return multiply_add(a, b, c ^ FLOAT_SIGN, control);
    case SIMT_fnmsub_s:
        return multiply_add(a ^ FLOAT_SIGN, b, c, control);
    case SIMT_fnmadd_s:
        return multiply_add(a ^ FLOAT_SIGN, b, c ^ FLOAT_SIGN, control);
    case SIMT_fadd_s:
        return multiply_add(a, FLOAT_ONE, b, control);
    case SIMT_fsub_s:
        return multiply_add(a, FLOAT_ONE, b ^ FLOAT_SIGN, control);
    case SIMT_fmul_s:
        return multiply(a, b, control);
    case SIMT_fdiv_s:
        return quotient(a, b, control);
    case SIMT_fsqrt_s:
        return root(a, control);
    case SIMT_fcvt_w_s:
        return to_integer(a, UINT64_C(1) << 31, INT32_MAX, control);
    case SIMT_fcvt_wu_s:
        return to_integer(a, 0, UINT32_MAX, control);
    case SIMT_fcvt_s_w:
        return from_integer(a >> 31, a >> 31 ? -a : a, control);
    case SIMT_fcvt_s_wu:
        return from_integer(false, a, control);
    default:
        return float_compare(op, a, b, control);
    }
}
