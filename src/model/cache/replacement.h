/* Replacement policies. Each row of REPLACEMENT_LIST (schema/families.h) holds the facts about a
 * policy, and a file replacement_*.c the functions; policies of one mechanism share a file.
 *
 * A policy keeps `state_bytes` of state for each set, and those that learn or duel `shared_bytes`
 * for all sets of one cache. Zeroed memory must be the state of an unused set, so that untouched
 * sets of a large cache cost no memory; a policy whose initial pattern differs stores the
 * difference to it. A flush clears valid bits but keeps the states, as hardware does.
 *
 * The cache calls hit() for an access that finds its line, victim() and then fill() for one that
 * does not, and drop() for a line that it invalidates itself. While a set has invalid ways, the
 * cache fills the first of them without asking for a victim, unless the policy says
 * REPLACEMENT_ANY_WAY. (GPGPU-Sim takes the last invalid way, Dinero IV the first. Only policies
 * that know ways by position can tell the difference: LRU and FIFO hit and miss alike.)
 *
 * In time (model/timing/cache/cache_lookup.h) a victim that is in flight cannot be replaced. So
 * fill() may get another way than victim() named: it is fill() that takes the old line of its way
 * out of a policy's lists. And a bypass policy (model/bypass) may ask for a victim whose line then
 * stays. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/status.h"
#include "schema/families.h"

/* What a policy is told: which set, and which access came to it. For drop() the line is the one
 * that leaves. */
struct set_access {
    void *state;        /* of the set */
    void *shared;       /* of all sets of its cache; NULL if the policy has no shared_bytes */
    uint64_t line;      /* the number of the line looked for */
    uint32_t pc;        /* of the instruction; 0 where nobody knows */
    uint32_t ways;      /* of the set */
    uint32_t set, sets; /* its number in its cache, and how many there are */
    uint64_t seed;      /* of all draws of the caches */
    uint64_t number;    /* of the set among all caches of the level */
};

/* Each set has its own seed, so its draws depend on no other set. */
static inline uint64_t set_seed(const struct set_access *at)
{
    return random_at(at->seed, at->number);
}

/* The signature of an instruction for tables of 2^bits counters. */
static inline uint16_t pc_signature(uint32_t pc, unsigned bits)
{
    return (uint16_t)(pc * UINT32_C(0x9e3779b1) >> (32 - bits));
}

struct cache;
struct request;
struct flow;

/* Looks up requests in a cache (cache_state.h). `lost` comes from the shadow (shadow_run), or is
 * NULL. */
typedef enum status cache_runner(struct cache *cache, const struct request *requests, size_t count,
                                 const uint32_t *lost, struct flow *flow);

struct replacement_policy {                                  /* all NULL for REPLACEMENT_FUTURE */
    size_t (*state_bytes)(uint32_t ways);                    /* the cache rounds up to 8 */
    size_t (*shared_bytes)(uint32_t sets, uint32_t ways);    /* NULL: nothing is shared */
    void (*hit)(const struct set_access *at, uint32_t way);  /* NULL: a hit changes nothing */
    void (*fill)(const struct set_access *at, uint32_t way); /* NULL: a fill changes nothing */
    void (*drop)(const struct set_access *at, uint32_t way); /* NULL: a drop changes nothing */
    uint32_t (*victim)(const struct set_access *at);         /* the way to replace */
    /* Puts the state of an unused set as a power-up other than the policy's own leaves it (enum
     * reset_value). NULL: it has no say. */
    void (*reset)(void *state, uint32_t ways, int value);
    /* Says in words why victim() would choose its way now; returns `text`. NULL: not told. */
    const char *(*explain)(const struct set_access *at, char *text, size_t size);
    /* Prints the state of a set as its paper does, where there is a paper that prints it. */
    const char *(*print)(const struct set_access *at, char *text, size_t size);
    /* The look-ups of caches of up to 16 ways with the functions above in the place of their calls
     * (access_run_policy), for policies whose own work is less than that of calling them. It needs
     * AVX2. NULL: the general one serves. */
    cache_runner *run;
    cache_runner *run_many; /* the same of caches with a hash table per set; needs no AVX2 */
};

/* Declares policy_REPLACEMENT_LRU and so on. */
#define REPLACEMENT_DECLARATION(constant, ...)                                                     \
    extern const struct replacement_policy policy_##constant;
REPLACEMENT_LIST(REPLACEMENT_DECLARATION)

extern const struct replacement_policy *const replacement_policies[REPLACEMENT_COUNT];

/* The traits of each policy as constants: TRAITS_REPLACEMENT_LRU and so on. */
#define REPLACEMENT_TRAITS(constant, name, help, traits, ...) TRAITS_##constant = (traits),
enum { REPLACEMENT_LIST(REPLACEMENT_TRAITS) };
