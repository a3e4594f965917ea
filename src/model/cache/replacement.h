/* Replacement policies: one file a policy, each exporting the functions of its row of
 * REPLACEMENT_LIST, where its facts stand.
 *
 * A policy keeps a state for each set, `state_bytes` long. A state of zero bytes is the state of a
 * set that was never used, so that untouched sets of a large cache cost nothing; a policy that
 * starts from another pattern stores the difference to it. States outlive a flush: a flush clears
 * valid bits, as in hardware.
 *
 * The owner calls hit() for an access that finds its line, victim() and then fill() for one that
 * does not, and drop() for a line that it throws out by itself. While ways are invalid it takes the
 * first of them and does not ask for a victim, unless the policy says REPLACEMENT_ANY_WAY.
 * (GPGPU-Sim takes the last invalid way, Dinero IV the first. Only policies that know ways by
 * position can tell the difference: hits and misses of LRU and FIFO are the same.) */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "schema/families.h"

struct replacement_policy {               /* empty where the row says REPLACEMENT_FUTURE */
    size_t (*state_bytes)(uint32_t ways); /* rounded up to 8 by the owner */
    void (*hit)(void *state, uint32_t ways, uint32_t way);  /* NULL: a hit changes nothing */
    void (*fill)(void *state, uint32_t ways, uint32_t way); /* NULL: a fill changes nothing */
    void (*drop)(void *state, uint32_t ways, uint32_t way); /* NULL: a drop changes nothing */
    /* The way to replace. `seed` is the set's own, so that a set's draws depend on no other set. */
    uint32_t (*victim)(void *state, uint32_t ways, uint64_t seed);
};

/* policy_REPLACEMENT_LRU and so on. */
#define REPLACEMENT_DECLARATION(constant, ...)                                                     \
    extern const struct replacement_policy policy_##constant;
REPLACEMENT_LIST(REPLACEMENT_DECLARATION)

extern const struct replacement_policy *const replacement_policies[REPLACEMENT_COUNT];
