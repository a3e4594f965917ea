/* Replacement policies. Each has its own file, which exports the functions of its row of
 * REPLACEMENT_LIST (schema/families.h); the row holds the facts about the policy.
 *
 * A policy keeps `state_bytes` of state per set. Zeroed memory must be the state of an unused set,
 * so that untouched sets of a large cache cost no memory; a policy whose initial pattern differs
 * stores the difference to it. A flush clears valid bits but keeps the states, as hardware does.
 *
 * The cache calls hit() for an access that finds its line, victim() and then fill() for one that
 * does not, and drop() for a line that it invalidates itself. While a set has invalid ways, the
 * cache fills the first of them without asking for a victim, unless the policy says
 * REPLACEMENT_ANY_WAY. (GPGPU-Sim takes the last invalid way, Dinero IV the first. Only policies
 * that know ways by position can tell the difference: LRU and FIFO hit and miss alike.) */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "schema/families.h"

struct replacement_policy {                                 /* all NULL for REPLACEMENT_FUTURE */
    size_t (*state_bytes)(uint32_t ways);                   /* the cache rounds up to 8 */
    void (*hit)(void *state, uint32_t ways, uint32_t way);  /* NULL: a hit changes nothing */
    void (*fill)(void *state, uint32_t ways, uint32_t way); /* NULL: a fill changes nothing */
    void (*drop)(void *state, uint32_t ways, uint32_t way); /* NULL: a drop changes nothing */
    /* The way to replace. Each set has its own `seed`, so its draws depend on no other set. */
    uint32_t (*victim)(void *state, uint32_t ways, uint64_t seed);
};

/* Declares policy_REPLACEMENT_LRU and so on. */
#define REPLACEMENT_DECLARATION(constant, ...)                                                     \
    extern const struct replacement_policy policy_##constant;
REPLACEMENT_LIST(REPLACEMENT_DECLARATION)

extern const struct replacement_policy *const replacement_policies[REPLACEMENT_COUNT];
