/* The stage table: the parts of a machine that are simulated one by one, and whose streams feed
 * whom.
 *
 * Whatever has to go through all stages (the planner and its keys, shards, live answers, listings)
 * reads this table. A new stage is one row here, its configuration in schema/machine.h, its rows in
 * the parameter and metric tables, and its node in the tree of model/pass/stages.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "schema/machine.h"

/* X(ID, name, label, consumes, kinds, traits, switch, off)
 * `name` stands in listings and keys, `label` in sentences. `consumes`: the stages whose streams it
 * reads. `kinds`: the machines that may have it (KIND_BIT). `switch`: its field of struct machine,
 * an int that is `off` where the stage does nothing. */
#define STAGE_LIST(X)                                                                              \
    X(STREAM, "stream", "stream", 0, ANY_KIND, STAGE_SIMULATED, NO_SWITCH, 0)                      \
    X(L1D, "l1d", "L1D", STAGE_STREAM, ANY_KIND, CACHE_TRAITS, STAGE_SWITCH(l1d.enabled), 0)       \
    X(L2, "l2", "L2", STAGE_L1D, ANY_KIND, CACHE_TRAITS, STAGE_SWITCH(l2.enabled), 0)              \
    X(TLB, "tlb", "TLB", STAGE_STREAM, KIND_BIT(KIND_COMPUTE), STAGE_SIMULATED | STAGE_OPTIONAL,   \
      STAGE_SWITCH(tlb.enabled), 0)                                                                \
    X(PWC, "pwc", "page-walk cache", STAGE_TLB, KIND_BIT(KIND_COMPUTE), STAGE_SIMULATED,           \
      STAGE_SWITCH(pwc.organization), PWC_NONE)                                                    \
    X(AREA, "area", "area", 0, ANY_KIND, 0, NO_SWITCH, 0)

enum stage_trait {
    STAGE_SIMULATED = 1 << 0,  /* it needs a stream */
    STAGE_OPTIONAL = 1 << 1,   /* a machine that has switched it off has no such stage; the others
                                * are there with all that they consume, as page walks without a
                                * page-walk cache */
    STAGE_TRANSPARENT = 1 << 2 /* where a machine has none, what comes to it goes on behind it */
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

/* Sets of stages are masks. The bits from STAGE_BITS on stand for depths (schema/depths.h). */
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

/* The row of a stage's bit. */
const struct stage_info *stage_info(unsigned stage);

/* The lowest bit of a mask, 0 of an empty one; and the place of a single bit. */
static inline unsigned stage_lowest(unsigned stages)
{
    return stages & (~stages + 1);
}
size_t stage_index(unsigned stage);

/* The stages that need a stream; of those, the ones that read the stream of requests itself, and
 * the ones behind these. */
unsigned stages_simulated(void);
unsigned stages_first(void);
unsigned stages_behind(void);

/* The stage and all that it consumes: STAGE_STREAM | STAGE_L1D | STAGE_L2 of STAGE_L2. `joined`: of
 * a machine whose walks go through the L2 (machine_couples), where the L2 and the page walks
 * consume each other. */
unsigned stage_chain(unsigned stage, bool joined);

/* Cuts `asked` into parts that do not feed each other, each with all that its stages consume: the
 * caches and the translation, or one part of both where they are joined. What needs no stream is in
 * none. Returns how many there are; where nothing but the stream is asked for, it is the only one.
 */
size_t stage_parts(unsigned asked, bool joined, unsigned parts[STAGE_COUNT]);

/* Whether machines of its kind may have a stage. */
bool machine_may_have(const struct machine *machine, unsigned stage);
/* Whether a machine has a stage: its kind may, it is switched on, and so is what it stands behind.
 */
bool machine_has(const struct machine *machine, unsigned stage);
/* All stages that it has. */
unsigned machine_stages(const struct machine *machine);

/* Switches off what a machine of its kind never has, so that models need not ask for the kind. */
void machine_apply_kind(struct machine *machine);
/* Switches off every stage that is not in `stages`. */
void machine_keep_stages(struct machine *machine, unsigned stages);
