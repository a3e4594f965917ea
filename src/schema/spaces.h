/* The memory spaces: the only list of them, and which structures a space goes to.
 *
 * A record of the stream says which space it accesses. Every first-level structure of a machine
 * takes the spaces that it claims below and never sees another, so a new cache in front of the L2
 * claims its spaces with one function beside these. A record that nothing claims is issued and
 * counted (stream.records.*), and goes no further: the L2 does not get it either, because what
 * would arrive there are the misses of a cache that the machine does not have (docs/MODELS.md). */
#pragma once

#include <stdbool.h>

struct machine;

/* ROW(X, constant, name, record, data, help). `name` is what traces, metrics and YAML call it,
 * `record` what reports call one warp instruction on it. `data`: the load/store and texture units
 * of an SM access it, so its addresses go through the SM's TLB; constants and instructions have
 * caches that are looked up with virtual addresses, and a front end that translates their misses
 * apart. X is handed through, for rows within another list. The order is that of .wtr files: new
 * ones go to the end, and there is room for eight. */
#define SPACE_LIST(ROW, X)                                                                         \
    ROW(X, SPACE_GLOBAL, global, "global access", true, "global memory")                           \
    ROW(X, SPACE_LOCAL, local, "local access", true, "local memory")                               \
    ROW(X, SPACE_TEXTURE, texture, "texture access", true, "textures")                             \
    ROW(X, SPACE_CONSTANT, constant, "constant access", false, "constant memory")                  \
    ROW(X, SPACE_INSTRUCTION, instruction, "instruction fetch", false, "the program itself")

#define SPACE_ENUMERATOR(X, constant, name, record, data, help) constant,
enum memory_space { SPACE_LIST(SPACE_ENUMERATOR, ) SPACE_COUNT };
#undef SPACE_ENUMERATOR

struct space_row {
    const char *name, *record;
    bool data;
};
extern const struct space_row space_table[SPACE_COUNT];

/* The space of a name in capitals or not; false: there is none. */
bool space_parse(const char *name, enum memory_space *space);

/* A set of spaces, a bit each. */
static inline unsigned space_bit(unsigned space)
{
    return 1u << space;
}

/* What each first-level structure claims of the stream. Machines whose rows of STAGE_STREAM agree
 * claim the same. */
unsigned l1d_spaces(const struct machine *machine); /* with no L1D: what goes to the L2 directly */
unsigned tlb_spaces(void);

/* What some structure of the machine claims, switched on or not. */
unsigned machine_spaces(const struct machine *machine);
/* What finds a cache: all of the above that claim it but the TLB. */
unsigned machine_cached_spaces(const struct machine *machine);
