/* IEEE 754 single precision as RISC-V has it, with its five rounding modes and the flags of
 * exceptions, computed in integers: the host knows neither all of the modes nor, everywhere, when
 * RISC-V finds a result tiny (after rounding). A result that is not a number is the canonical one.
 *
 * arithmetic.h computes the same values rounded to nearest, without flags, by the host and several
 * lanes at a time; test_exact_float holds both equal, and the flags and other modes to the host's.
 *
 * Paper: The RISC-V Instruction Set Manual, volume I (2019), chapter 11. */
#pragma once

#include <stdint.h>

#include "workload/simt/isa.h"

enum {
    FLOAT_INEXACT = 1,
    FLOAT_UNDERFLOW = 2,
    FLOAT_OVERFLOW = 4,
    FLOAT_DIVIDE = 8,
    FLOAT_INVALID = 16
};

struct float_control {
    uint32_t rounding; /* ROUND_NEAREST to ROUND_AWAY */
    uint32_t flags;    /* raised ones are added */
};

/* The value of an instruction of KIND_FLOAT or KIND_ROUNDED with its operands. */
uint32_t exact_float(enum simt_op op, uint32_t a, uint32_t b, uint32_t c,
                     struct float_control *control);
