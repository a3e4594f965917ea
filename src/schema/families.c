#include "schema/families.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/diag.h"

#define REPLACEMENT_ROW(constant, name, help, traits, lru_ways, ways_max, bits, shared, source)    \
    {name, help, source, traits, lru_ways, ways_max},
#define INDEX_ROW(constant, name, help, traits, sets_min, sets_max, reach)                         \
    {name, traits, sets_min, sets_max},
#define SCHEDULER_ROW(constant, name, help, traits, rule, ties, source)                            \
    {name, help, traits, rule, ties, source},
#define FACT(constant, name, help, fact) fact,

const struct replacement_facts replacement_facts[REPLACEMENT_COUNT] = {
    REPLACEMENT_LIST(REPLACEMENT_ROW)};
const struct index_facts index_facts[INDEX_COUNT] = {INDEX_LIST(INDEX_ROW)};
const struct scheduler_facts scheduler_facts[SCHEDULER_COUNT] = {SCHEDULER_LIST(SCHEDULER_ROW)};
const char *const kind_workloads[] = {KIND_LIST(FACT)};
const int partition_index[] = {PARTITION_LIST(FACT)};
const unsigned ports_extra[] = {PORTS_LIST(FACT)};
const unsigned network_traits[] = {NETWORK_LIST(FACT)};
const unsigned write_traits[] = {WRITE_LIST(FACT)};
const unsigned write_allocate_traits[] = {WRITE_ALLOCATE_LIST(FACT)};
const unsigned mshr_traits[] = {MSHR_LIST(FACT)};
const unsigned pwc_traits[] = {PWC_LIST(FACT)};
const unsigned walker_traits[] = {WALKER_LIST(FACT)};
const unsigned bypass_traits[] = {BYPASS_LIST(FACT)};
const unsigned tile_partition_traits[] = {TILE_PARTITION_LIST(FACT)};
#define QUEUE_TRAITS(constant, name, help, traits, ports) traits,
#define QUEUE_PORTS(constant, name, help, traits, ports)  ports,
const unsigned tile_queue_traits[] = {TILE_QUEUE_LIST(QUEUE_TRAITS)};
const int tile_queue_ports[] = {TILE_QUEUE_LIST(QUEUE_PORTS)};

#define CHOICE_ROW(constant, name, help) {name, help},
const struct choice assumed_table[ASSUMED_COUNT] = {ASSUMED_LIST(CHOICE_ROW)};

bool assumed_find(const char *name, enum assumed_dependences *assumed, const char **near)
{
    const char *names[ASSUMED_COUNT];
    for (unsigned i = 0; i < ASSUMED_COUNT; i++) {
        names[i] = assumed_table[i].name;
        if (!strcmp(names[i], name)) {
            *assumed = (enum assumed_dependences)i;
            return true;
        }
    }
    *near = nearest_name(name, names, ASSUMED_COUNT);
    return false;
}

/* Describes a legal number of ways or sets in words. */
static const char *print_needs(bool power_of_two, uint64_t least, uint64_t most, const char *what,
                               char text[FAMILY_NEEDS])
{
    const char *power = power_of_two ? "a power of two of " : "";
    if (power_of_two && least > 1 && most == 2 * least)
        snprintf(text, FAMILY_NEEDS, "%" PRIu64 " or %" PRIu64 " %s", least, most, what);
    else if (least > 1)
        snprintf(text, FAMILY_NEEDS, "%s%s from %" PRIu64 " to %" PRIu64, power, what, least, most);
    else if (most != FAMILY_ANY)
        snprintf(text, FAMILY_NEEDS, "%s%s up to %" PRIu64, power, what, most);
    else
        snprintf(text, FAMILY_NEEDS, "%s%s", power, what);
    return text;
}

bool replacement_holds(int policy, uint64_t ways)
{
    if (policy < 0 || policy >= REPLACEMENT_COUNT)
        return false;
    const struct replacement_facts *facts = &replacement_facts[policy];
    return ways <= facts->ways_max &&
           (!(facts->traits & REPLACEMENT_POWER_OF_TWO) || is_power_of_two(ways));
}

const char *replacement_needs(int policy, char text[FAMILY_NEEDS])
{
    const struct replacement_facts *facts = &replacement_facts[policy];
    return print_needs(facts->traits & REPLACEMENT_POWER_OF_TWO, 1, facts->ways_max, "ways", text);
}

/* NOLINTBEGIN(bugprone-branch-clone): rows may be alike */
uint64_t replacement_bits(int policy, uint64_t ways, uint64_t tag)
{
    const uint64_t pointer = log2_ceil(ways);
#define BITS(constant, name, help, traits, lru_ways, ways_max, bits, shared, source)               \
    case constant:                                                                                 \
        return bits;
    switch ((enum replacement)policy) {
        REPLACEMENT_LIST(BITS)
    }
#undef BITS
    return 0;
}

/* How many sets policies watch that learn from some (model/cache/set_sampler.h). */
static uint64_t replacement_sampled(uint64_t sets)
{
    return sets < 64 ? sets : 64;
}

uint64_t replacement_shared_bits(int policy, uint64_t sets, uint64_t ways, uint64_t tag)
{
    const uint64_t pointer = log2_ceil(ways);
#define SHARED(constant, name, help, traits, lru_ways, ways_max, bits, shared, source)             \
    case constant:                                                                                 \
        return shared;
    switch ((enum replacement)policy) {
        REPLACEMENT_LIST(SHARED)
    }
#undef SHARED
    return 0;
}
/* NOLINTEND(bugprone-branch-clone) */

bool replacement_starts(int policy, int reset)
{
    return !(replacement_facts[policy].traits & REPLACEMENT_PERMUTES) || reset == RESET_PAPER;
}

static int replacement_with(enum replacement_trait trait)
{
    int policy = 0;
    while (!(replacement_facts[policy].traits & trait))
        policy++;
    return policy;
}

int replacement_shares(int policy)
{
    const unsigned traits = replacement_facts[policy].traits;
    if (traits & (REPLACEMENT_RECENCY | REPLACEMENT_STACK))
        return replacement_with(REPLACEMENT_RECENCY);
    if (traits & (REPLACEMENT_QUEUE | REPLACEMENT_ROTATION))
        return replacement_with(REPLACEMENT_QUEUE);
    return REPLACEMENT_COUNT;
}

bool index_holds(int function, uint64_t sets)
{
    if (function < 0 || function >= INDEX_COUNT)
        return false;
    const struct index_facts *facts = &index_facts[function];
    return sets >= facts->sets_min && sets <= facts->sets_max &&
           (!(facts->traits & INDEX_POWER_OF_TWO) || is_power_of_two(sets));
}

const char *index_needs(int function, char text[FAMILY_NEEDS])
{
    const struct index_facts *facts = &index_facts[function];
    return print_needs(facts->traits & INDEX_POWER_OF_TWO, facts->sets_min, facts->sets_max, "sets",
                       text);
}

static bool is_prime(uint64_t number)
{
    for (uint64_t factor = 2; factor * factor <= number; factor++)
        if (number % factor == 0)
            return false;
    return true;
}

/* The largest prime up to `number`, or 1. Trial division is quick enough: prime gaps are short, and
 * this runs once for each cache, not for each access. */
static uint64_t prime_floor(uint64_t number)
{
    while (!is_prime(number))
        number--;
    return number;
}

uint64_t index_reach(int function, uint64_t sets)
{
/* NOLINTBEGIN(bugprone-branch-clone): rows may be alike */
#define REACH(constant, name, help, traits, sets_min, sets_max, reach)                             \
    case constant:                                                                                 \
        return reach;
    switch ((enum index_function)function) {
        INDEX_LIST(REACH)
    }
#undef REACH
    /* NOLINTEND(bugprone-branch-clone) */
    return 0;
}
