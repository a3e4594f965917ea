/* What the values of the instruction table are made of, on 32-bit words as RISC-V defines them.
 * Floating point is that of the host, rounded to nearest; a result that is not a number is the
 * canonical one. Where other modes or flags matter, exact_float.h takes its place. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#define FLOAT_SIGN      UINT32_C(0x80000000)
#define FLOAT_CANONICAL UINT32_C(0x7fc00000)

static inline float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value == value ? bits : FLOAT_CANONICAL;
}

static inline uint32_t fused(uint32_t a, uint32_t b, uint32_t c)
{
    return float_bits(fmaf(float_of(a), float_of(b), float_of(c)));
}

static inline uint32_t divide(uint32_t a, uint32_t b)
{
    if (!b)
        return ~0u;
    return a == FLOAT_SIGN && b == ~0u ? a : (uint32_t)((int32_t)a / (int32_t)b);
}

static inline uint32_t remainder_of(uint32_t a, uint32_t b)
{
    if (!b)
        return a;
    return b == ~0u ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}

/* The other operand if one is not a number; -0 is less than +0. */
static inline uint32_t least(uint32_t a, uint32_t b)
{
    const float x = float_of(a), y = float_of(b);
    if (x != x)
        return y != y ? FLOAT_CANONICAL : b;
    if (y != y)
        return a;
    return x < y || (x == y && a & FLOAT_SIGN) ? a : b;
}

static inline uint32_t most(uint32_t a, uint32_t b)
{
    const float x = float_of(a), y = float_of(b);
    if (x != x)
        return y != y ? FLOAT_CANONICAL : b;
    if (y != y)
        return a;
    return x > y || (x == y && !(a & FLOAT_SIGN)) ? a : b;
}

/* Rounds by an instruction's mode; 7 stands for that of the control register, to nearest. */
static inline double rounded(float single, uint32_t mode)
{
    const double value = single;
    switch (mode) {
    case 1:
        return trunc(value);
    case 2:
        return floor(value);
    case 3:
        return ceil(value);
    case 4:
        return round(value);
    default:
        return nearbyint(value);
    }
}

static inline uint32_t to_signed(uint32_t bits, uint32_t mode)
{
    const float value = float_of(bits);
    const double whole = rounded(value, mode);
    if (value != value || whole >= 2147483647.0)
        return INT32_MAX;
    return whole <= -2147483648.0 ? FLOAT_SIGN : (uint32_t)(int32_t)whole;
}

static inline uint32_t to_unsigned(uint32_t bits, uint32_t mode)
{
    const float value = float_of(bits);
    const double whole = rounded(value, mode);
    if (value != value || whole >= 4294967295.0)
        return UINT32_MAX;
    return whole <= 0 ? 0 : (uint32_t)whole;
}

/* One bit of ten: -inf, normal, subnormal and zero of either sign, +inf, signalling, quiet NaN. */
static inline uint32_t class_of(uint32_t bits)
{
    const uint32_t exponent = bits >> 23 & 255, fraction = bits & 0x7fffff, sign = bits >> 31;
    if (exponent == 255 && fraction)
        return fraction >> 22 ? 1u << 9 : 1u << 8;
    const uint32_t size = exponent == 255 ? 3 : exponent ? 2 : fraction ? 1 : 0;
    return sign ? 1u << (3 - size) : 1u << (4 + size);
}
