/* Compressed instructions (C of RV32, with those of F), each an abbreviation of one of 32 bits.
 *
 * Paper: The RISC-V Instruction Set Manual, volume I (2019), chapter 16. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool is_compressed(uint32_t word)
{
    return (word & 3) != 3;
}

/* The instruction that 16 bits abbreviate; 0, which is none, if they are reserved. */
uint32_t simt_expand(uint32_t half);
