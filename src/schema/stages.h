/* The stage table: the parts of a machine that are simulated one by one, and which stage feeds
 * which.
 *
 * Whatever has to go through all stages (the planner and its keys, shards, live answers, listings)
 * reads this table. A new stage is one row here, its configuration in schema/machine.h, its rows in
 * the parameter and metric tables, and its functions (struct stage_ops of
 * model/pass/stages_state.h). Invariant: a row comes after all rows that it consumes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "schema/machine.h"

/* X(ID, name, label, consumes, kinds, traits, switch, off)
 *
 * `name` is for listings and keys, `label` for sentences. `consumes` are the stages whose streams
 * it reads. `kinds` are the machines that may have it (KIND_BIT). `switch` is its field of struct
 * machine, an int; the stage does nothing while it equals `off`. */
#define STAGE_LIST(X)                                                                              \
    X(STREAM, "stream", "stream", 0, ANY_KIND, STAGE_SIMULATED, NO_SWITCH, 0)                      \
    PASS_STAGE_LIST(X)                                                                             \
    X(AREA, "area", "area", 0, ANY_KIND, 0, NO_SWITCH, 0)

/* Those that a pass over the stream simulates (model/pass/stages_state.h). */
#define PASS_STAGE_LIST(X)                                                                         \
    X(L1D, "l1d", "L1D", STAGE_STREAM, KERNEL_KINDS, CACHE_TRAITS, STAGE_SWITCH(l1d.enabled), 0)   \
    X(L2, "l2", "L2", STAGE_L1D, KERNEL_KINDS, CACHE_TRAITS, STAGE_SWITCH(l2.enabled), 0)          \
    X(TLB, "tlb", "TLB", STAGE_STREAM, KIND_BIT(KIND_COMPUTE), STAGE_SIMULATED | STAGE_OPTIONAL,   \
      STAGE_SWITCH(tlb.enabled), 0)                                                                \
    X(PWC, "pwc", "page-walk cache", STAGE_TLB, KIND_BIT(KIND_COMPUTE), STAGE_SIMULATED,           \
      STAGE_SWITCH(pwc.organization), PWC_NONE)                                                    \
    X(L1I, "l1i", "L1I", STAGE_STREAM, KERNEL_KINDS,                                               \
      STAGE_SIMULATED | STAGE_OPTIONAL | STAGE_CODE, STAGE_SWITCH(l1i.fetches), 0)                 \
    X(TILE, "tile", "tile cache", STAGE_STREAM, KIND_BIT(KIND_GRAPHICS),                           \
      STAGE_SIMULATED | STAGE_OPTIONAL, STAGE_SWITCH(tile.cache.enabled), 0)

/* The shaders of a machine that draws are not part of it, and what its tile cache misses comes from
 * memory: caches of kernels would take area and see nothing. It draws scenes, and runs no kernels.
 */
#define KERNEL_KINDS (KIND_BIT(KIND_COMPUTE) | KIND_BIT(KIND_SIMT))

enum stage_trait {
    STAGE_SIMULATED = 1 << 0,   /* it needs a stream */
    STAGE_OPTIONAL = 1 << 1,    /* a machine that switches it off does not have the stage. Other
                                 * stages exist whenever what they consume does: page walks happen
                                 * without a page-walk cache too */
    STAGE_TRANSPARENT = 1 << 2, /* in a machine without it, its input goes on to the stages after
                                 * it */
    STAGE_CODE = 1 << 3         /* it reads the instructions of a source, not only its records */
};

#define CACHE_TRAITS        (STAGE_SIMULATED | STAGE_OPTIONAL | STAGE_TRANSPARENT)
#define STAGE_SWITCH(field) offsetof(struct machine, field)
#define NO_SWITCH           sizeof(struct machine)

enum stage_index {
#define STAGE_INDEX(id, ...) STAGE_INDEX_##id,
    STAGE_LIST(STAGE_INDEX)
#undef STAGE_INDEX
        STAGE_COUNT
};

/* Sets of stages are masks. The bits from STAGE_BITS on are depths (schema/depths.h). */
enum { STAGE_BITS = 10 };

enum stage {
#define STAGE_BIT(id, ...) STAGE_##id = 1 << STAGE_INDEX_##id,
    STAGE_LIST(STAGE_BIT)
#undef STAGE_BIT
        STAGE_EVERY = (1 << STAGE_COUNT) - 1
};

struct stage_info {
    const char *name, *label;
    unsigned consumes; /* of enum stage */
    unsigned kinds;    /* of KIND_BIT */
    unsigned traits;   /* of enum stage_trait */
    size_t switch_offset;
    int off;
};

extern const struct stage_info stage_table[STAGE_COUNT];

/* The row of a stage, given its bit. */
const struct stage_info *stage_info(unsigned stage);

/* The lowest bit of a mask; 0 if the mask is empty. */
static inline unsigned stage_lowest(unsigned stages)
{
    return stages & (~stages + 1);
}
/* The number of the lowest stage of a mask that is not empty. */
size_t stage_index(unsigned stage);

/* All stages that need a stream; those that read the requests themselves; and those that read the
 * output of another cache or TLB. */
unsigned stages_simulated(void);
unsigned stages_first(void);
unsigned stages_after_first(void);
/* All of them but the stream itself: what machines on one stream may differ in. */
unsigned stages_on_stream(void);

/* A stage and everything that it consumes, directly or not: STAGE_L2 gives STAGE_STREAM | STAGE_L1D
 * | STAGE_L2. `joined` is for a machine whose walks go through the L2 (machine_couples): there the
 * L2 and the page walks consume each other. */
unsigned stage_chain(unsigned stage, bool joined);

/* Splits `asked` into parts that do not feed each other, each with everything that its stages
 * consume: the caches and the translation, or one part for both if they are joined. Stages that
 * need no stream belong to no part. Returns the number of parts. If only the stream is asked for,
 * it is the one part. */
size_t stage_parts(unsigned asked, bool joined, unsigned parts[STAGE_COUNT]);

/* Whether machines of this kind run kernels; others draw scenes alone. */
bool machine_runs_kernels(const struct machine *machine);
/* Whether machines of this kind may have a stage. */
bool machine_may_have(const struct machine *machine, unsigned stage);
/* Whether a machine has a stage: its kind may have it, it is switched on, and every stage that
 * feeds it exists or lets its stream through. */
bool machine_has(const struct machine *machine, unsigned stage);
/* All stages that a machine has. */
unsigned machine_stages(const struct machine *machine);

/* Switches off what a machine of this kind never has, so that models need not ask for the kind. */
void machine_apply_kind(struct machine *machine);
/* Switches off every stage that is not in `stages`. */
void machine_keep_stages(struct machine *machine, unsigned stages);
