/* What the opcodes of SASS mean, from Kepler to Hopper: one row for each stem, which is what comes
 * before the first dot. Where an instruction executes follows Accel-Sim's maps of opcodes to units;
 * in particular loads of constants access no memory. */
#pragma once

#include "trace/stream.h"

enum opcode_space { AT_NOTHING, AT_SHARED, AT_GLOBAL, AT_LOCAL, AT_GENERIC, AT_UNKNOWN };

struct opcode {
    const char *stem;             /* its name, or another text if many share the row */
    uint8_t class, action, flags; /* as in struct instruction */
    uint8_t space, op;            /* of its access */
};

/* The row of an opcode. The stem is NULL if there is none; then it is integer arithmetic, whose
 * access, if it has any, is AT_UNKNOWN. */
struct opcode opcode_find(const char *opcode, size_t length);

/* Bytes per thread: the first part of the opcode between dots that is a number of bits, such as
 * "64", "U8" or "F32"; otherwise 4. The width that the tracer writes is not always right. */
uint16_t opcode_bytes(const char *opcode, size_t length);

/* Whether one of the parts after the stem is `part`. */
bool opcode_has(const char *opcode, size_t length, const char *part);

/* Whether an opcode's loads go past the L1D, as those that other SMs must see do. */
bool opcode_bypasses(const struct opcode *row, const char *opcode, size_t length);
