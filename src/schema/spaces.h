/* The memory spaces: the only list of them, and which structures a space goes to.
 *
 * Every record of the stream names the space that it accesses. Each first-level structure of a
 * machine takes the spaces that it claims below and never sees another. So a new cache in front of
 * the L2 claims its spaces with one more function here. A record that nothing claims is issued and
 * counted (stream.records.*) but goes no further. Not even the L2 gets it, because the L2 would see
 * only the misses of a cache that the machine does not have (docs/MODELS.md). */
#pragma once

#include <stdbool.h>

struct machine;

/* ROW(X, constant, name, record, data, help). `name` is what traces, metrics and YAML call the
 * space; `record` is what reports call one warp instruction that accesses it. `data` says that the
 * load/store or texture units of an SM access it, so its addresses go through the SM's TLB.
 * Constants and instructions have caches that are looked up with virtual addresses, and the front
 * end translates their misses separately; the back end of a graphics pipeline accesses surfaces at
 * physical addresses. X is passed through, for use inside another list. The order is that of .wtr
 * files, which have room for eight: add new spaces at the end. */
#define SPACE_LIST(ROW, X)                                                                         \
    ROW(X, SPACE_GLOBAL, global, "global access", true, "global memory")                           \
    ROW(X, SPACE_LOCAL, local, "local access", true, "local memory")                               \
    ROW(X, SPACE_TEXTURE, texture, "texture access", true, "textures")                             \
    ROW(X, SPACE_CONSTANT, constant, "constant access", false, "constant memory")                  \
    ROW(X, SPACE_INSTRUCTION, instruction, "instruction fetch", false, "the code")                 \
    ROW(X, SPACE_COLOUR_TILE, colour_tile, "colour tile access", false,                            \
        "colour buffers, one tile per record")                                                     \
    ROW(X, SPACE_DEPTH_TILE, depth_tile, "depth tile access", false,                               \
        "depth buffers, one tile per record")

#define SPACE_ENUMERATOR(X, constant, name, record, data, help) constant,
enum memory_space { SPACE_LIST(SPACE_ENUMERATOR, ) SPACE_COUNT };
#undef SPACE_ENUMERATOR

struct space_row {
    const char *name, *record;
    bool data;
};
extern const struct space_row space_table[SPACE_COUNT];

/* Finds a space by its name, ignoring case; false if there is none. */
bool space_parse(const char *name, enum memory_space *space);

/* Sets of spaces are masks with one bit a space. */
static inline unsigned space_bit(unsigned space)
{
    return 1u << space;
}

/* The spaces that each first-level structure takes from the stream. They depend on STAGE_STREAM
 * parameters only, so machines that agree in those claim the same spaces. */
unsigned l1d_spaces(const struct machine *machine);           /* without an L1D: the spaces that go
                                                               * straight to the L2 */
unsigned l1d_spaces_looked_up(const struct machine *machine); /* without those whose accesses pass
                                                               * the L1D by (l1d.skip) */
unsigned tlb_spaces(void);

/* The spaces that any structure of the machine claims, even one that is switched off. */
unsigned machine_spaces(const struct machine *machine);
/* The same without the TLB: the spaces that find a cache. */
unsigned machine_cached_spaces(const struct machine *machine);
